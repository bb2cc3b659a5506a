/** Files of the app that come late or not: a worker that the browser stops, a network that goes. */
import { enter } from '#tests/e2e/inside.ts';
import { expect, test } from '#tests/e2e/kaya.ts';
import { createPackages, type PackageOnServer } from '#tests/e2e/outbox-stage.ts';
import { PackageListPage } from '#tests/e2e/pages/package-list-page.ts';

test('a page whose first files do not come asks for them once more by itself', async ({
  phone,
  network,
}) => {
  const { page } = await phone();
  let isLost = true;
  network.setWeather((_, path) => {
    if (!isLost || !/^\/assets\/start-.*\.js$/.test(path)) return null;
    isLost = false;
    return { kind: 'status', status: 503 };
  });
  await page.goto('/auth');
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
  expect(isLost).toBe(false);
});

test('a page whose files never come stops asking, and offers to', async ({ phone, network }) => {
  const { page } = await phone();
  network.setWeather((_, path) => (path.endsWith('.js') ? { kind: 'dropped before' } : null));
  const loads = () => network.received.filter((line) => line === 'GET /auth').length;
  await page.goto('/auth', { waitUntil: 'commit' });
  await expect.poll(loads).toBe(2);
  await page.waitForLoadState('load');
  const again = page.getByRole('link', { name: 'Load again' });
  // Not at once: on a slow network the page is on its way.
  await expect(again).toBeHidden();
  await page.evaluate(() => {
    for (const animation of document.getAnimations()) animation.finish();
  });
  await expect(again).toBeVisible();
  expect(loads()).toBe(2);

  network.setWeather(null);
  await again.click();
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
});

test('a screen whose file the worker does not give is there after a reload', async ({
  phone,
  backstage,
  network,
}) => {
  const sender = await backstage.account('Customer', 'Amina');
  const { page, context } = await phone();
  const shell = await enter(page, sender);
  await shell.untilInstalled();
  // The rest of the app's files, gone from the worker's hands.
  const dropped = await page.evaluate(async () => {
    const names = await caches.keys();
    const kept = await Promise.all(names.map((name) => caches.open(name)));
    const lists = await Promise.all(
      kept.map(async (cache) => ({ cache, all: await cache.keys() })),
    );
    const found = lists.flatMap(({ cache, all }) =>
      all.filter(({ url }) => url.includes('/assets/rest-')).map((key) => ({ cache, key })),
    );
    await Promise.all(found.map(({ cache, key }) => cache.delete(key)));
    return found.length;
  });
  expect(dropped).toBeGreaterThan(0);
  // Nor in the browser's own.
  const browser = await context.newCDPSession(page);
  await browser.send('Network.clearBrowserCache');
  // Until the page is loaded anew, however often it is asked for ahead of time.
  let isLost = true;
  network.setWeather((_, path) =>
    isLost && path.startsWith('/assets/rest-') ? { kind: 'status', status: 503 } : null,
  );
  await page.goto('/');
  await page.evaluate(() => Object.assign(window, { isSamePage: true }));
  page.on('request', (request) => {
    if (request.isNavigationRequest()) isLost = false;
  });
  await shell.account.click();
  await expect(page.getByRole('link', { name: 'Personal Info' })).toBeVisible();
  expect(isLost).toBe(false);
  expect(await page.evaluate(() => 'isSamePage' in window)).toBe(false);
});

test('what is pressed before the engine has come waits for it, and is not refused meanwhile', async ({
  phone,
  backstage,
}) => {
  const sender = await backstage.account('Customer', 'Amina');
  const courier = await backstage.account('Employee', 'Sani');
  const [offered] = (await createPackages(backstage.call, sender, 1)) as [PackageOnServer];
  const { page } = await phone();
  await enter(page, courier, '/delivery/pending');
  const list = new PackageListPage(page);
  await expect(list.card(offered.description)).toBeVisible();

  // What comes once the page has a moment to spare does not come: it has none.
  await page.addInitScript(() => {
    const spare: IdleRequestCallback[] = [];
    window.requestIdleCallback = (callback) => spare.push(callback);
    Object.assign(window, { spare });
  });
  await page.reload();
  await list.pressAccept(offered.description);
  await expect(page.getByRole('alert').filter({ hasText: /./ })).toHaveCount(0);
  await page.evaluate(() => {
    window.requestIdleCallback = (callback) => setTimeout(callback);
    const { spare } = window as unknown as { spare: (() => void)[] };
    for (const callback of spare) callback();
  });
  await expect(page).toHaveURL(/\/delivery\/in-transit$/);
  await expect(page.getByText('Delivery accepted!')).toBeVisible();
});
