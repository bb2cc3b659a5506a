import { nameOf, unique } from '#tests/e2e/backstage.ts';
import { keepSession } from '#tests/e2e/inside.ts';
import { expect, test } from '#tests/e2e/kaya.ts';
import { sticksOut } from '#tests/e2e/layout.ts';
import { PackageDetailPage } from '#tests/e2e/pages/package-detail-page.ts';
import { PackageListPage } from '#tests/e2e/pages/package-list-page.ts';
import { ShellPage } from '#tests/e2e/pages/shell-page.ts';
import { WizardPage } from '#tests/e2e/pages/wizard-page.ts';
import { fingerOn } from '#tests/e2e/touch.ts';

test.use({ hasServiceWorker: false });

const isPull = (method: string, path: string) =>
  method === 'GET' && path.startsWith('/api/packages');

test('a search finds packages and stays', async ({ signedIn, backstage, sender }) => {
  const [cloth] = await backstage.packages(sender, [
    { description: 'Indigo cloth', recipientName: 'Zaïnab Ɗanjuma' },
    { description: 'Spare parts', deliveryAddress: '9 Lodge Road, Kano' },
    { description: 'Kola nuts' },
    { description: 'Laptop in its box' },
  ]);
  const { page, shell } = await signedIn(sender);
  const list = await shell.openTracking();
  await expect(list.cards).toHaveCount(4);

  for (const query of ['zainab danjuma', cloth?.packageId ?? '', 'CLOTH zoo']) {
    await list.search.fill(query);
    await expect(list.cards).toHaveCount(1);
    await expect(list.card('Indigo cloth')).toBeVisible();
  }
  await expect(page.getByText('1 of 4 packages')).toBeVisible();

  await shell.account.click();
  await shell.openTracking();
  await expect(list.search).toHaveValue('CLOTH zoo');
  await expect(list.cards).toHaveCount(1);

  // A search takes a hundred characters without widening the page.
  await list.search.fill('x'.repeat(1000));
  await expect(list.search).toHaveValue('x'.repeat(100));
  await expect(page.getByText('No package matches')).toBeVisible();
  expect(await sticksOut(page)).toEqual([]);
  await list.search.fill('<img src=x onerror=alert(1)> 😀');
  await expect(
    page.getByText('No package matches “<img src=x onerror=alert(1)> 😀”.'),
  ).toBeVisible();
  await list.clearAll.last().click();
  await expect(list.cards).toHaveCount(4);
  await expect(list.search).toHaveValue('');

  // It is of one tab: in the other it would hide what is there.
  await list.search.fill('cloth');
  await page.getByRole('link', { name: 'In Transit', exact: true }).click();
  await page.getByRole('link', { name: 'Pending', exact: true }).click();
  await expect(list.cards).toHaveCount(4);
});

test('no list is called empty before it has loaded', async ({ network, sender, page }) => {
  const held = network.holdNextReply((method, path) => isPull(method, path));
  await keepSession(page, sender);
  await page.goto('/account');
  await held.answered;
  await expect(page.getByText('Loading packages…')).toBeVisible();
  const list = await new ShellPage(page).openTracking();
  await expect(list.loading).toBeVisible();
  await expect(page.getByText("You haven't sent any packages yet")).toBeHidden();
  held.release();
  await expect(page.getByText("You haven't sent any packages yet")).toBeVisible();
  await expect(list.loading).toBeHidden();
  await page.getByRole('link', { name: 'Send a package' }).click();
  await expect(page.getByRole('heading', { name: 'New Package' })).toBeVisible();
});

test('a courier narrows the offers to an area, which stays', async ({ signedIn, backstage }) => {
  const { courier, sender } = await backstage.offers(1);
  const inLagos = { description: 'Far bale', pickupLocation: { lat: 6.5, lng: 3.4 } };
  const [far] = await backstage.packages(sender, [inLagos]);
  const { page, context, shell } = await signedIn(courier, '/delivery/pending');
  await context.grantPermissions(['geolocation']);
  await context.setGeolocation({ latitude: 12.00223, longitude: 8.59191 });
  const asked: (string | null)[] = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname === '/api/packages') asked.push(searchParams.get('area'));
  });
  const list = new PackageListPage(page);
  await list.area.click();
  await page.getByLabel('New packages from').selectOption({ label: 'Within 10 km' });
  await expect(list.area).toHaveAccessibleName('Within 10 km');
  await expect(list.area).toHaveText('10 km');
  await expect.poll(() => asked.at(-1)).toBe('12,8.59,10');
  await page.reload();
  await expect(list.area).toHaveAccessibleName('Within 10 km');
  // By its link an offer elsewhere opens; it is not listed.
  await page.goto(`/package-detail/${far?._id}`);
  await expect(page.getByText('Far bale')).toBeVisible();
  await page.getByRole('button', { name: 'Back' }).click();
  await shell.openDeliveries();
  await expect(list.cards).not.toHaveCount(0);
  await expect(list.card('Far bale')).toHaveCount(0);
  await list.area.click();
  await page.getByLabel('New packages from').selectOption({ label: 'Everywhere' });
  await expect.poll(() => asked.at(-1)).toBe(null);
});

test('a list is refreshed, also by pull @long', async ({
  signedIn,
  backstage,
  network,
  sender,
}) => {
  await backstage.packages(sender, [{ description: 'Kola nuts' }]);
  const { page, shell } = await signedIn(sender);
  const list = await shell.openTracking();
  await expect(list.card('Kola nuts')).toBeVisible();

  const pulls = () =>
    network.received.filter((line) => line.startsWith('GET /api/packages')).length;
  const before = pulls();
  await list.refresh.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Up to date')).toBeVisible();
  expect(pulls()).toBeGreaterThan(before);
  await expect(list.refresh).toBeFocused();
  await expect(page.getByText('Up to date')).toBeHidden();

  const drag = await fingerOn(page);
  const beforeShort = pulls();
  await drag(list.card('Kola nuts'), 60);
  await drag(list.card('Kola nuts'), 200);
  await expect(page.getByText('Up to date')).toBeVisible();
  expect(pulls()).toBe(beforeShort + 1);

  network.setFaults(() => ({ kind: 'dropped before' }));
  await list.refresh.click();
  await expect(page.getByText('No response from the server.')).toBeVisible();
  await expect(list.card('Kola nuts')).toBeVisible();
});

const pins = {
  pickupLocation: { lat: 12.0022, lng: 8.5919 },
  deliveryLocation: { lat: 12.0322, lng: 8.6419 },
};

test('on a small phone two whole offers and the head of a third fit, Accept beside the price', async ({
  signedIn,
  backstage,
  sender,
  courier,
}) => {
  const dear = unique('Lace');
  const offer = { ...pins, deliveryDate: '2027-01-16T16:00', description: unique('Cloth') };
  const serials = [1, 2, 3, 4].map((serial) => ({
    ...offer,
    pickupDate: `2027-01-1${serial}T09:00`,
  }));
  await backstage.packages(sender, [
    { ...pins, description: dear, priceOffer: 9_999_999 },
    ...serials,
  ]);
  const { page, shell } = await signedIn(courier);
  await page.setViewportSize({ width: 360, height: 740 });
  const list = await shell.openDeliveries();
  await expect(list.card(offer.description)).not.toHaveCount(0);
  const bottom = (await page.getByRole('navigation', { name: 'Main' }).boundingBox())?.y ?? 0;
  const [, second, third] = await list.cards.all();
  const whole = await second?.boundingBox();
  expect((whole?.y ?? 0) + (whole?.height ?? Infinity)).toBeLessThanOrEqual(bottom);
  expect((await third?.getByRole('heading').boundingBox())?.y).toBeLessThanOrEqual(bottom - 20);
  await expect(list.card(offer.description).first()).toContainText('trip 6.4 km');
  expect(await sticksOut(page)).toEqual([]);

  // Beside the highest price, too.
  await list.search.fill(dear);
  const card = list.card(dear);
  await expect(list.cards).toHaveCount(1);
  const accept = await card.getByRole('button', { name: 'Accept Delivery' }).boundingBox();
  const price = await card.getByText('₦9,999,999').boundingBox();
  expect(accept?.y).toBeLessThan((price?.y ?? 0) + (price?.height ?? 0));
  expect(accept?.height).toBeGreaterThanOrEqual(48);
});

test('a courier’s list begins with the next stop, which is in it once, in any order', async ({
  signedIn,
  backstage,
  sender,
  courier,
}) => {
  // Offers of other senders are in the list, too.
  const dear = unique('Laptop');
  const [, sooner, ...done] = await backstage.packages(sender, [
    { description: dear, pickupDate: '2027-02-02T09:00', priceOffer: 90_000 },
    { description: 'Sandals', pickupDate: '2027-02-01T09:00', pickupAddress: '9 Lodge Road, Kano' },
    ...Array.from({ length: 6 }, () => ({})),
  ]);
  if (sooner) await backstage.accept(courier, sooner);
  const { page } = await signedIn(courier, '/delivery/pending');
  await page.setViewportSize({ width: 360, height: 740 });
  const list = new PackageListPage(page);
  await list.arrange({ 'Sort by': 'Highest offer' });
  await list.pressAccept(dear);
  const next = page.getByRole('region', { name: 'Next stop' });
  await expect(next).toContainText('9 Lodge Road, Kano');
  // What was just accepted is seen below it.
  await expect(list.card(dear)).toBeInViewport({ ratio: 1 });
  await expect(next).toContainText('Collect from Amina Bello');
  await expect(next.getByRole('link', { name: 'Call Amina Bello' })).toHaveAttribute(
    'href',
    'tel:+2348031234567',
  );
  await expect(next.getByRole('link', { name: 'Navigate to 9 Lodge Road, Kano' })).toBeVisible();
  await expect(page.getByRole('article')).toHaveCount(2);
  await expect(next.getByRole('article')).toContainText('Sandals');
  await expect(next.getByRole('link', { name: 'View Details' })).toBeVisible();
  await expect(page.getByText('9 Lodge Road, Kano')).toHaveCount(1);
  await next.getByRole('link', { name: '9 Lodge Road, Kano', exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`/package-detail/${sooner?._id}$`));
  // Beside it on a desk, the list says that it is the open one.
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(page.locator('[data-row][aria-current=true]')).toContainText('Sandals');

  await test.step('what was delivered leads to it, not to itself', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    for (const pkg of done) {
      await backstage.accept(courier, pkg);
      const body = { deliveryStatus: 'delivered' };
      await backstage.call(courier, 'PATCH', `/api/packages/${pkg._id}`, body);
    }
    await page.goto(`/package-detail/${done[0]?._id}`);
    await page.getByRole('link', { name: 'Next delivery' }).click();
    await expect(next).toContainText('Sandals');
    await expect(next.getByRole('link', { name: /^Call/ })).toBeInViewport();
  });
});

test('what was just created is seen and marked, whatever was searched before', async ({
  signedIn,
  backstage,
  sender,
}) => {
  const names = ['cloth', 'shoes', 'yams', 'rice', 'maize', 'kola', 'onions', 'lace'];
  const before = names.map((description, at) => ({
    description,
    pickupDate: `2027-02-0${at + 1}T09:00`,
  }));
  await backstage.packages(sender, before);
  const { page, shell } = await signedIn(sender);
  const list = await shell.openTracking();
  await list.search.fill('yams');
  await expect(list.cards).toHaveCount(1);
  await page.getByRole('link', { name: 'Home' }).click();
  await page.getByRole('button', { name: 'Where to?' }).click();
  const wizard = new WizardPage(page);
  await wizard.fill({ description: 'Indigo cloth', pickupDate: '2027-03-01T09:00' });
  await wizard.submit();
  const created = list.card('Indigo cloth');
  await expect(created).toBeInViewport({ ratio: 1 });
  await expect(created.getByText('Just created')).toBeVisible();
  await expect(page.getByText('Just created')).toHaveCount(1);
  await expect(list.search).toHaveValue('');
  // No more once it was looked at.
  await created.getByRole('link', { name: 'View Details' }).click();
  // Back answers a question first.
  const detail = new PackageDetailPage(page);
  await detail.remove.click();
  await expect(detail.question).toBeVisible();
  await page.goBack();
  await expect(detail.question).toBeHidden();
  await expect(detail.remove).toBeVisible();
  await page.goBack();
  await expect(created).toBeVisible();
  await expect(page.getByText('Just created')).toHaveCount(0);
});

test('the last tab and order are remembered @long', async ({ signedIn, backstage, sender }) => {
  await backstage.packages(sender, 4);
  const { page, shell, context } = await signedIn(sender);
  const list = await shell.openTracking();
  await list.arrange({ 'Sort by': 'Highest offer' });
  await list.inTransit.click();
  await expect(page.getByText('All your packages are pending')).toBeVisible();
  await page.close();
  const again = await context.newPage();
  await again.goto('/');
  await new ShellPage(again).tracking.click();
  await expect(again).toHaveURL(/\/tracking\/in-transit$/);
  await again.getByRole('link', { name: 'Pending', exact: true }).click();
  await expect(again.getByLabel('Sort by')).toHaveValue('offer');
});

test('a dispatcher sees all packages and narrows them @long', async ({ signedIn, backstage }) => {
  const sender = await backstage.sender(unique('Ramatu'));
  // The search appears from four packages on.
  const [first, second] = await backstage.packages(sender, 4);
  const cancelled = { deliveryStatus: 'cancelled' };
  await backstage.call(sender, 'PATCH', `/api/packages/${first?._id}`, cancelled);
  const { page, shell } = await signedIn(await backstage.dispatcher());
  const list = await shell.openDeliveries();
  // Whatever its tab: who asks on the phone does not know it. What is here comes first.
  await list.search.fill(sender.firstName);
  await expect(list.cards).toHaveCount(4);
  await expect(list.cards.last()).toContainText('Cancelled');
  await expect(page.getByRole('heading', { name: 'In other tabs' })).toBeVisible();
  await list.all.click();
  await expect(page).toHaveURL(/\/delivery\/all$/);
  // The address changes before the list does.
  await expect(list.all).toHaveAttribute('aria-current', 'page');
  await list.search.fill(sender.firstName);
  await expect(list.cards).toHaveCount(4);
  await list.arrange({ Status: 'Cancelled' });
  await expect(list.cards).toHaveCount(1);
  await expect(list.card(first?.description ?? '')).toContainText('Cancelled');
  await list.clearAll.click();
  await list.arrange({ Sender: nameOf(sender), 'Sort by': 'Highest offer' });
  await expect(list.card(second?.description ?? '')).toBeVisible();
});
