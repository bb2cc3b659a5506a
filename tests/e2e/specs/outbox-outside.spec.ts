/** The outbox outside the visible page: the worker, other tabs, server events. */
import { enter } from '#tests/e2e/inside.ts';
import { expect, test } from '#tests/e2e/kaya.ts';
import { acceptEach, fireSync, openTab, packagesOf, patchesOf } from '#tests/e2e/outbox-stage.ts';
import { AuthPage } from '#tests/e2e/pages/auth-page.ts';

test('the service worker sends with no tab open', async ({ phone, backstage, network }) => {
  const { sender, courier, packages } = await backstage.offers(3);
  const { page, context } = await phone();
  await context.grantPermissions(['background-sync']);
  const shell = await enter(page, courier);
  await shell.untilInstalled();
  await context.setOffline(true);
  await acceptEach(page, packages);
  // A page of the same origin without the app, to reach its worker.
  const elsewhere = await context.newPage();
  await page.close();
  await context.setOffline(false);
  await elsewhere.goto('/config.json');
  await fireSync(elsewhere);

  await expect
    .poll(async () =>
      (await packagesOf(backstage, sender)).map((row) => row.deliveryPersonId?.firstName),
    )
    .toEqual(['Sani', 'Sani', 'Sani']);
  expect(packages.map((each) => patchesOf(network, each))).toEqual([1, 1, 1]);
  const next = await openTab(context, '/outbox');
  await expect(next.getByText('No pending changes.')).toBeVisible();
});

test('a refused service worker keeps the verdict @long', async ({ installed, backstage }) => {
  const sender = await backstage.sender();
  const { page, context } = await installed(sender);
  await page.goto('/config.json');
  await context.clearCookies();
  await fireSync(page);
  const kept = () =>
    page.evaluate(async () => {
      const opening = indexedDB.open('kaya-device');
      await new Promise((resolve) => {
        opening.onsuccess = resolve;
      });
      const reading = opening.result.transaction('session').objectStore('session').get('session');
      await new Promise((resolve) => {
        reading.onsuccess = resolve;
      });
      opening.result.close();
      return JSON.stringify(reading.result);
    });
  await expect.poll(kept).toContain('unauthenticated');
  await context.setOffline(true);
  await page.goto('/account');
  await expect(page.getByRole('heading', { name: 'Session Expired' })).toBeVisible();
});

test('a signed-out service worker does nothing @long', async ({ phone, backstage, network }) => {
  const { sender, courier, packages } = await backstage.offers(1);
  const { page, context } = await phone();
  const auth = await AuthPage.open(page);
  const shell = await auth.signInAs(courier);
  await shell.untilInstalled();
  network.setFaults((method) => (method === 'PATCH' ? { kind: 'dropped before' } : null));
  await acceptEach(page, packages);

  // Without its cookie the session is over, and the worker is the first to notice.
  await context.clearCookies();
  await page.goto('/config.json');
  const asked = () => network.received.filter((line) => line === 'GET /api/auth/refresh').length;
  const before = asked();
  await fireSync(page);
  await expect.poll(asked).toBeGreaterThan(before);
  await page.goto('/outbox');
  await expect(page.getByRole('heading', { name: 'Session Expired' })).toBeVisible();
  await page.getByRole('button', { name: 'Go to Login Page' }).click();
  await expect(page).toHaveURL(/\/auth$/);

  await page.goto('/config.json');
  const soFar = network.received.length;
  await fireSync(page);
  await page.goto('/auth');
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
  expect(network.received.slice(soFar).filter((line) => line.includes('/api/'))).toEqual([]);

  network.setFaults(null);
  await auth.signInAs(courier);
  await expect
    .poll(async () =>
      (await packagesOf(backstage, sender)).map((row) => row.deliveryPersonId?.firstName),
    )
    .toEqual(['Sani']);
});

test('one event stream updates every tab', async ({ phone, backstage, network }) => {
  const sender = await backstage.sender();
  const courier = await backstage.courier();
  const { page, context } = await phone();
  const streams = () => network.forwarded.filter((line) => line === 'GET /api/events').length;
  await enter(page, courier);
  await expect.poll(streams).toBe(1);
  const tabs = [page];
  for (const address of ['/delivery/pending', '/delivery/pending']) {
    tabs.push(await openTab(context, address));
  }
  await page.goto('/delivery/pending');
  for (const tab of tabs) {
    await expect(tab.getByRole('link', { name: 'Pending', exact: true })).toBeVisible();
  }
  await expect.poll(streams).toBe(2);
  const [created] = await backstage.packages(sender, 1);
  for (const tab of tabs) {
    await expect(tab.getByText(created?.description ?? '')).toBeVisible({ timeout: 5_000 });
  }
  expect(streams()).toBe(2);
});

test('the icon’s badge counts unsent changes @long', async ({ phone, backstage }) => {
  const { courier, packages } = await backstage.offers(2);
  const { page, context } = await phone();
  await page.addInitScript(() => {
    Navigator.prototype.setAppBadge = async (count) => {
      document.documentElement.dataset.badge = String(count);
    };
  });
  const shell = await enter(page, courier);
  await shell.untilInstalled();
  await context.setOffline(true);
  await acceptEach(page, packages);
  const html = page.locator('html');
  await expect(html).toHaveAttribute('data-badge', '2');
  await context.setOffline(false);
  await expect(html).toHaveAttribute('data-badge', '0');
});
