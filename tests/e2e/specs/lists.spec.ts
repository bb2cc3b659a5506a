import { nameOf, unique } from '#tests/e2e/backstage.ts';
import { keepSession } from '#tests/e2e/inside.ts';
import { expect, test } from '#tests/e2e/kaya.ts';
import { sticksOut } from '#tests/e2e/layout.ts';
import { ShellPage } from '#tests/e2e/pages/shell-page.ts';
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

test('a dispatcher sees all packages and narrows them', async ({ signedIn, backstage }) => {
  const sender = await backstage.sender(unique('Ramatu'));
  // The search appears from four packages on.
  const [first, second] = await backstage.packages(sender, 4);
  const cancelled = { deliveryStatus: 'cancelled' };
  await backstage.call(sender, 'PATCH', `/api/packages/${first?._id}`, cancelled);
  const { page, shell } = await signedIn(await backstage.dispatcher());
  const list = await shell.openDeliveries();
  await list.all.click();
  await expect(page).toHaveURL(/\/delivery\/all$/);
  await list.search.fill(sender.firstName);
  await expect(list.cards).toHaveCount(4);
  await list.arrange({ Status: 'Cancelled' });
  await expect(list.cards).toHaveCount(1);
  await expect(list.card(first?.description ?? '')).toContainText('Cancelled');
  await list.clearAll.click();
  await list.arrange({ Sender: nameOf(sender), 'Sort by': 'Highest offer' });
  await expect(list.card(second?.description ?? '')).toBeVisible();
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
