/** Files of the app that load late or never: a stopped worker, a lost network. */
import type { Page } from '@playwright/test';
import { admin } from '#tests/e2e/backstage.ts';
import { keepSession } from '#tests/e2e/inside.ts';
import { expect, longUnless, test } from '#tests/e2e/kaya.ts';
import { usersInMirror } from '#tests/e2e/outbox-stage.ts';
import { PackageListPage } from '#tests/e2e/pages/package-list-page.ts';
import { ShellPage } from '#tests/e2e/pages/shell-page.ts';
import type { FaultProxy } from '#tests/fakes/fault-proxy.ts';

const loadsOf = (network: FaultProxy, address: string) =>
  network.received.filter((line) => line === `GET ${address}`).length;

/** Records the addresses the page loads from now on. */
function noteLoads(page: Page): string[] {
  const loads: string[] = [];
  page.on('request', (request) => {
    if (request.isNavigationRequest()) loads.push(new URL(request.url()).pathname);
  });
  return loads;
}

/** Removes a file from the worker's and the browser's caches; returns the number of copies. */
async function dropFile(page: Page, name: string): Promise<number> {
  const browser = await page.context().newCDPSession(page);
  await browser.send('Network.clearBrowserCache');
  return page.evaluate(async (start) => {
    let dropped = 0;
    for (const cacheName of await caches.keys()) {
      const cache = await caches.open(cacheName);
      for (const key of await cache.keys()) {
        if (key.url.includes(start) && (await cache.delete(key))) dropped += 1;
      }
    }
    return dropped;
  }, `/assets/${name}-`);
}

/** A press skips the splash. */
async function expectForm(page: Page) {
  await page.getByRole('button', { name: /Tap to continue/ }).click();
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
}

test('a page whose first files fail asks for them again', async ({ network, page }) => {
  let isLost = true;
  network.setFaults((_, path) => {
    if (!isLost || !/^\/assets\/start-.*\.js$/.test(path)) return null;
    isLost = false;
    return { kind: 'status', status: 503 };
  });
  await page.goto('/auth');
  await expectForm(page);
  expect(isLost).toBe(false);
});

const retry = (page: Page) => page.getByRole('link', { name: 'Retry' });

for (const [what, isLost] of [
  ['scripts', (path: string) => path.endsWith('.js')],
  ['stylesheet', (path: string) => path.endsWith('.css')],
] as const) {
  test(
    `a page whose ${what} never load reloads once, then offers a reload`,
    longUnless(what === 'scripts'),
    async ({ network, page }) => {
      network.setFaults((_, path) => (isLost(path) ? { kind: 'dropped before' } : null));
      await page.goto('/auth', { waitUntil: 'commit' });
      await expect(page.getByRole('alert')).toHaveText(/could not be loaded/);
      await expect(page.getByRole('heading')).toHaveCount(0);

      network.setFaults(null);
      await retry(page).click();
      await expectForm(page);
      // The first, the automatic reload, and the requested one.
      expect(loadsOf(network, '/auth')).toBe(3);
    },
  );
}

test('a page that waits long for its files offers a reload @long', async ({ network, page }) => {
  const reply = network.holdNextReply((_, path) => path.startsWith('/assets/start-'));
  await page.goto('/auth', { waitUntil: 'commit' });
  await reply.answered;
  await expect(page.getByText('Your ride to faster deliveries')).toBeVisible();
  // Not immediately: on a slow network the page is still loading.
  await expect(retry(page)).toBeHidden();
  await page.evaluate(() => {
    for (const animation of document.getAnimations()) animation.finish();
  });
  await expect(retry(page)).toBeVisible();
  expect(loadsOf(network, '/auth')).toBe(1);
  reply.release();
  await expectForm(page);
  expect(loadsOf(network, '/auth')).toBe(1);
});

/** Each address, the app's files its screen needs, and the screen's heading. */
const screens = [
  { address: '/payment', file: 'rest', heading: 'Payment' },
  { address: '/home', file: 'inside', heading: 'Home' },
  { address: '/auth', file: 'auth-screen', heading: 'Welcome Back' },
];

for (const { address, file, heading } of screens) {
  test(
    `${address} without its screen's file says so, and reloads only if a worker caches the page`,
    longUnless(address === '/payment'),
    async ({ network, sender, page }) => {
      if (address !== '/auth') await keepSession(page, sender);
      const loads = noteLoads(page);
      // Without a worker yet: a new one would reload the page.
      const openLost = async (hasWorker: boolean) => {
        loads.length = 0;
        network.setFaults((_, path) =>
          path.startsWith(`/assets/${file}-`) || (path === '/sw.js' && !hasWorker)
            ? { kind: 'status', status: 503 }
            : null,
        );
        await page.goto(address, { waitUntil: 'commit' });
        await expect(page.getByText('This screen could not be loaded')).toBeVisible();
        network.setFaults(null);
        await page.getByRole('button', { name: 'Retry' }).click();
        await expect(page.getByRole('heading', { level: 1, name: heading })).toBeAttached();
      };
      await openLost(false);
      expect(loads).toEqual([address, address]);

      // The same with a worker that has lost the file: the page comes from the worker.
      await new ShellPage(page).untilInstalled();
      expect(await dropFile(page, file)).toBeGreaterThan(0);
      await openLost(true);
      expect(loads).toEqual([address, address, address]);
    },
  );
}

test('screens for dispatchers open offline only with their files', async ({
  installed,
  sender,
  network,
}) => {
  const { page } = await installed(sender);
  await expect.poll(() => usersInMirror(page)).toBe(1);
  network.setFaults(() => ({ kind: 'dropped before' }));
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));

  await page.goto('/users-list');
  await expect(page.getByRole('heading', { level: 1, name: 'Users' })).toBeVisible();
  await expect(page.getByRole('article').filter({ hasText: sender.email })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Add User' })).toHaveCount(0);
  await page.goto('/new-user');
  await expect(page.getByRole('heading', { level: 1, name: 'Add User' })).toBeVisible();
  await expect(page.getByText('You are not allowed to do this.')).toBeVisible();
  expect(asked.filter((path) => /^\/(users-list|new-user)$/.test(path))).toHaveLength(2);
  expect(asked.filter((path) => path.includes('dispatcher'))).toEqual([]);
});

test('offline, a dispatcher without their screens is informed @long', async ({
  installed,
  network,
}) => {
  const { page } = await installed(admin);
  await expect.poll(() => dropFile(page, 'dispatcher-parts')).toBeGreaterThan(0);
  network.setFaults(() => ({ kind: 'dropped before' }));
  const loads = noteLoads(page);
  await page.goto('/new-user');
  await expect(page.getByText('This screen could not be loaded')).toBeVisible();
  await page.getByRole('link', { name: 'Go to Home' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeAttached();
  expect(loads).toEqual(['/new-user', '/new-user']);
});

test('a screen missing from the worker is reloaded @long', async ({
  installed,
  network,
  sender,
}) => {
  const { page, shell } = await installed(sender);
  // The app's other files, missing from the worker's cache.
  const dropped = await dropFile(page, 'rest');
  expect(dropped).toBeGreaterThan(0);
  // Until the reload, which says so itself before it asks for any file.
  let isLost = true;
  network.setFaults((_, path) => {
    if (path === '/reloaded') isLost = false;
    return path === '/reloaded' || (isLost && path.startsWith('/assets/rest-'))
      ? { kind: 'status', status: 503 }
      : null;
  });
  await page.goto('/');
  await page.evaluate(() => Object.assign(window, { isSamePage: true }));
  await page.addInitScript(() => {
    const call = new XMLHttpRequest();
    call.open('GET', '/reloaded', false);
    call.send();
  });
  await shell.account.click();
  await expect(page.getByRole('link', { name: 'Personal Info' })).toBeVisible();
  expect(isLost).toBe(false);
  expect(await page.evaluate(() => 'isSamePage' in window)).toBe(false);
});

test('a press waits for the engine @long', async ({ signedIn, backstage }) => {
  const { courier, packages } = await backstage.offers(1);
  const [{ description }] = packages;
  const { page } = await signedIn(courier, '/delivery/pending');
  const list = new PackageListPage(page);
  await expect(list.card(description)).toBeVisible();

  // Idle-time loading does not happen: the page is never idle.
  await page.addInitScript(() => {
    const spare: IdleRequestCallback[] = [];
    window.requestIdleCallback = (callback) => spare.push(callback);
    Object.assign(window, { spare });
  });
  await page.reload();
  await list.pressAccept(description);
  await expect(page.getByRole('alert').filter({ hasText: /./ })).toHaveCount(0);
  await page.evaluate(() => {
    window.requestIdleCallback = (callback) => setTimeout(callback);
    const { spare } = window as unknown as { spare: (() => void)[] };
    for (const callback of spare) callback();
  });
  await expect(page).toHaveURL(/\/delivery\/in-transit$/);
  await expect(page.getByText('Delivery accepted!')).toBeVisible();
});
