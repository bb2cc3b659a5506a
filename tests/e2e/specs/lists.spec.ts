/** The lists: finding, arranging, refreshing, and what they say when there is nothing in them. */
import { admin } from '#tests/e2e/backstage.ts';
import { enter } from '#tests/e2e/inside.ts';
import { expect, test } from '#tests/e2e/kaya.ts';
import { makePackages, packageBody } from '#tests/e2e/package-stage.ts';
import { AuthPage } from '#tests/e2e/pages/auth-page.ts';
import { PackageListPage } from '#tests/e2e/pages/package-list-page.ts';
import { WizardPage } from '#tests/e2e/pages/wizard-page.ts';

test.use({ hasServiceWorker: false });

const isPull = (method: string, path: string) =>
  method === 'GET' && path.startsWith('/api/packages');

test('a package is found by what one remembers of it, and what is looked for stays while one moves about', async ({
  phone,
  backstage,
}) => {
  const sender = await backstage.account('Customer', 'Amina');
  const [cloth] = await makePackages(backstage.serverUrl, sender, [
    { description: 'Indigo cloth', recipientName: 'Zaïnab Ɗanjuma' },
    { description: 'Spare parts', deliveryAddress: '9 Lodge Road, Kano' },
    { description: 'Kola nuts' },
    { description: 'Laptop in its box' },
  ]);
  const { page } = await phone();
  const shell = await enter(page, sender);
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

  await list.search.fill('<img src=x onerror=alert(1)> 😀');
  await expect(
    page.getByText('No package matches “<img src=x onerror=alert(1)> 😀”.'),
  ).toBeVisible();
  await list.clearAll.last().click();
  await expect(list.cards).toHaveCount(4);
  await expect(list.search).toHaveValue('');
});

test('a list comes in the order that is asked for', { tag: '@long' }, async ({
  phone,
  backstage,
}) => {
  const sender = await backstage.account('Customer', 'Amina');
  await makePackages(backstage.serverUrl, sender, [
    { description: 'First', priceOffer: 900, pickupDate: '2027-01-20T09:00' },
    { description: 'Second', priceOffer: 2500, pickupDate: '2027-02-20T09:00' },
    { description: 'Third', priceOffer: 1000, pickupDate: '2027-01-10T09:00' },
    { description: 'Fourth', priceOffer: 1200, pickupDate: '2027-03-10T09:00' },
  ]);
  const { page } = await phone();
  const list = await (await enter(page, sender)).openTracking();
  const order = () => list.cards.locator('p').filter({ hasText: /^(First|Second|Third|Fourth)$/ });
  await expect(order()).toHaveText(['Fourth', 'Third', 'Second', 'First']);
  await list.arrange({ 'Sort by': 'Highest offer' });
  await expect(order()).toHaveText(['Second', 'Fourth', 'Third', 'First']);
  await list.arrange({ 'Sort by': 'Nearest pickup date' });
  await expect(order()).toHaveText(['Third', 'First', 'Second', 'Fourth']);
  await list.clearAll.click();
  await expect(order()).toHaveText(['Fourth', 'Third', 'Second', 'First']);
});

test('no list says that it is empty before it is known to be', async ({
  phone,
  backstage,
  network,
}) => {
  const sender = await backstage.account('Customer', 'Amina');
  const { page } = await phone();
  const held = network.holdNextReply((method, path) => isPull(method, path));
  const list = await (await (await AuthPage.open(page)).signInAs(sender)).openTracking();
  await held.answered;
  await expect(list.loading).toBeVisible();
  await expect(page.getByText("You haven't sent any packages yet")).toBeHidden();
  held.release();
  await expect(page.getByText("You haven't sent any packages yet")).toBeVisible();
  await expect(list.loading).toBeHidden();
  await page.getByRole('link', { name: 'Send a package' }).click();
  await expect(page.getByRole('heading', { name: 'New Package' })).toBeVisible();
});

test('what could not be loaded is said, and asked for again', { tag: '@long' }, async ({
  phone,
  backstage,
  network,
}) => {
  const sender = await backstage.account('Customer', 'Amina');
  await makePackages(backstage.serverUrl, sender, [{ description: 'Kola nuts' }]);
  const { page } = await phone();
  network.setFaults((method, path) =>
    isPull(method, path) ? { kind: 'status', status: 500, code: 'internal' } : null,
  );
  const shell = await enter(page, sender);
  const list = await shell.openTracking();
  await expect(page.getByText('Failed to load packages.')).toBeVisible();
  const asked = network.received.length;
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect.poll(() => network.received.length).toBeGreaterThan(asked);
  await expect(page.getByText('Failed to load packages.')).toBeVisible();
  network.setFaults(null);
  await shell.comeBack();
  await expect(list.card('Kola nuts')).toBeVisible();
  await expect(page.getByText('Failed to load packages.')).toBeHidden();
});

test('every empty tab says why', { tag: '@long' }, async ({ phone, backstage }) => {
  const sender = await backstage.account('Customer', 'Amina');
  const courier = await backstage.account('Employee', 'Sani');
  const amina = await phone();
  await enter(amina.page, sender);
  const says = async (path: string, text: string) => {
    await amina.page.goto(path);
    await expect(amina.page.getByText(text, { exact: true })).toBeVisible();
  };
  await says('/tracking', "You haven't sent any packages yet");
  await says('/tracking/in-transit', "You haven't sent any packages yet");
  // A sender sees what is theirs under Deliveries too.
  await says('/delivery/pending', 'No pending packages found.');
  await amina.page.getByRole('link', { name: 'Go to Tracking' }).click();
  await expect(amina.page).toHaveURL(/\/tracking$/);
  await says('/delivery/in-transit', 'No packages are currently assigned to you');
  await expect(amina.page.getByRole('link', { name: 'Go to Tracking' })).toBeVisible();

  const [made] = await makePackages(backstage.serverUrl, sender, [{}]);
  await says('/delivery/in-transit', 'You only have pending packages');
  await says('/tracking/in-transit', 'All your packages are pending');
  const { _id: courierId } = (
    (await backstage.call(courier, 'GET', '/api/users')) as { _id: string; email: string }[]
  ).find(({ email }) => email === courier.email) as { _id: string };
  const accepted = { deliveryPersonId: courierId, deliveryStatus: 'In Transit' };
  await backstage.call(courier, 'PATCH', `/api/packages/${made?._id}`, accepted);
  await says('/tracking/pending', 'You have no pending packages');
});

test('a dispatcher sees all packages and narrows them by status, sender and courier', async ({
  phone,
  backstage,
}) => {
  const me = (
    (await backstage.call(admin, 'GET', '/api/users')) as { _id: string; email: string }[]
  ).find(({ email }) => email === admin.email);
  await backstage.call(admin, 'PATCH', '/api/users', {
    ...{ id: me?._id, firstName: 'Ladi', lastName: 'Kwari', phoneNumber: '0803 123 4567' },
    email: admin.email,
  });
  const sender = await backstage.account('Customer', 'Ramatu');
  const [first] = await makePackages(backstage.serverUrl, sender, [
    { description: 'To be cancelled' },
    { description: 'Stays' },
    { description: 'Stays too' },
    { description: 'And this' },
  ]);
  await backstage.call(admin, 'PATCH', `/api/packages/${first?._id}`, {
    deliveryStatus: 'cancelled',
  });
  const { page } = await phone();
  const shell = await enter(page, admin);
  const list = await shell.openDeliveries();
  await list.all.click();
  await expect(page).toHaveURL(/\/delivery\/all$/);
  await list.search.fill('ramatu');
  await expect(list.cards).toHaveCount(4);
  await list.arrange({ Status: 'Cancelled' });
  await expect(list.cards).toHaveCount(1);
  await expect(list.card('To be cancelled')).toContainText('Cancelled');
  await list.arrange({ Status: 'Pending' });
  await expect(list.cards).toHaveCount(3);
  await list.clearAll.click();
  await list.arrange({ Sender: 'Ramatu Bello' });
  await expect(list.card('To be cancelled')).toBeVisible();
});

test('what a courier has sent is found under Account, also after creating it', {
  tag: '@long',
}, async ({ phone, backstage }) => {
  const sender = await backstage.account('Employee', 'Bala');
  const courier = await backstage.account('Employee', 'Sani');
  const description = `Yams of ${sender.email}`;
  const [sani, bala] = [await phone(), await phone()];
  const { page } = bala;
  await enter(page, sender, '/new-package');
  const wizard = new WizardPage(page);
  await wizard.fill({ ...packageBody, description, priceOffer: '1500' });
  await wizard.submit();

  await page.goto('/account');
  await page.getByRole('link', { name: 'Packages I sent' }).click();
  await expect(page).toHaveURL(/\/tracking$/);
  const sent = new PackageListPage(page);
  const card = sent.card(description);
  await expect(card).toBeVisible();
  await expect(card.getByRole('link', { name: 'View Details' })).toHaveCount(0);
  // Paying and sharing are done on the detail page.
  await card.getByRole('heading').getByRole('link').click();
  await expect(page.getByRole('heading', { name: 'Package Details' })).toBeVisible();

  const offers = await (await enter(sani.page, courier)).openDeliveries();
  await offers.accept(description);
  await expect(sani.page.getByText('Delivery accepted!')).toBeVisible();
  for (const mine of [offers.card(description), sent.card(description)]) {
    if (mine.page() === page) await page.goto('/tracking/in-transit');
    await expect(mine.getByRole('button', { name: 'Already Assigned' })).toBeDisabled();
    await expect(mine.getByRole('link', { name: 'View Details' })).toBeVisible();
  }
});

test('a list is refreshed by its button and by pulling it down', { tag: '@long' }, async ({
  phone,
  backstage,
  network,
}) => {
  const sender = await backstage.account('Customer', 'Amina');
  await makePackages(backstage.serverUrl, sender, [{ description: 'Kola nuts' }]);
  const { page, context } = await phone();
  const list = await (await enter(page, sender)).openTracking();
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

  const finger = await context.newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', y: number) =>
    finger.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: type === 'touchEnd' ? [] : [{ x: 200, y }],
    });
  const pull = async (distance: number) => {
    await touch('touchStart', 300);
    for (let step = 1; step <= 4; step += 1) await touch('touchMove', 300 + (distance * step) / 4);
    await touch('touchEnd', 300 + distance);
  };
  const beforeShort = pulls();
  await pull(60);
  await pull(200);
  await expect(page.getByText('Up to date')).toBeVisible();
  expect(pulls()).toBe(beforeShort + 1);

  network.setFaults(() => ({ kind: 'dropped before' }));
  await list.refresh.click();
  await expect(page.getByText('No response from the server.')).toBeVisible();
  await expect(list.card('Kola nuts')).toBeVisible();
});
