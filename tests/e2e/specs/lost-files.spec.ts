/** Files of the app that do not come: a worker that the browser stops, a network that goes. */
import { expect, test } from '#tests/e2e/kaya.ts';
import { AuthPage } from '#tests/e2e/pages/auth-page.ts';

test('a page whose first files do not come asks for them once more by itself', async ({
  phone,
  network,
}) => {
  const { page } = await phone();
  let isLost = true;
  network.setWeather((_, path) => {
    if (!isLost || !/^\/assets\/index-.*\.js$/.test(path)) return null;
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
  const shell = await (await AuthPage.open(page)).signInAs(sender);
  await shell.untilInstalled();
  // The rest of the app's files, gone from the worker's hands.
  const dropped = await page.evaluate(async () => {
    const names = await caches.keys();
    const kept = await Promise.all(names.map((name) => caches.open(name)));
    const lists = await Promise.all(
      kept.map(async (cache) => ({ cache, all: await cache.keys() })),
    );
    const found = lists.flatMap(({ cache, all }) =>
      all.filter(({ url }) => url.includes('/assets/other-screens')).map((key) => ({ cache, key })),
    );
    await Promise.all(found.map(({ cache, key }) => cache.delete(key)));
    return found.length;
  });
  expect(dropped).toBeGreaterThan(0);
  // Nor in the browser's own.
  const browser = await context.newCDPSession(page);
  await browser.send('Network.clearBrowserCache');
  // Asked for ahead of time, and then in earnest.
  let missing = 2;
  network.setWeather((_, path) => {
    if (missing === 0 || !path.startsWith('/assets/other-screens')) return null;
    missing -= 1;
    return { kind: 'status', status: 503 };
  });
  await page.goto('/');
  await page.evaluate(() => Object.assign(window, { isSamePage: true }));
  await shell.account.click();
  await expect(page.getByRole('link', { name: 'Personal Info' })).toBeVisible();
  expect(missing).toBe(0);
  expect(await page.evaluate(() => 'isSamePage' in window)).toBe(false);
});
