import type { Page } from '@playwright/test';
import { expect, test } from '#tests/e2e/kaya.ts';

test.use({ hasServiceWorker: false });

const promise = 'Your ride to faster deliveries';
const virtues = 'Fast • Reliable • Secure';

const splashOf = (page: Page) => page.getByRole('button', { name: /Tap to continue/ });
const formOf = (page: Page) => page.getByRole('heading', { name: 'Welcome Back' });

test('the splash lasts three seconds, once per session', async ({ phone }) => {
  const { page } = await phone();
  await page.clock.install();
  await page.goto('/auth');
  await expect(splashOf(page)).toBeVisible();
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 100);
  for (const text of [promise, virtues]) await expect(page.getByText(text)).toBeVisible();
  await expect(page.getByRole('img', { name: 'Kaya' })).toBeVisible();
  await page.clock.runFor(1000);
  await expect(splashOf(page)).toBeVisible();
  await page.clock.runFor(2000);
  await expect(formOf(page)).toBeVisible();
  await expect(page.getByText(promise)).toBeHidden();

  await page.clock.resume();
  await page.reload();
  // Whichever appears first; eventually the form would follow a splash too.
  await expect(formOf(page).or(splashOf(page))).toBeVisible();
  expect(await splashOf(page).isVisible()).toBe(false);
});

test('the splash counts from the first paint @long', async ({ phone }) => {
  const { page } = await phone();
  await page.addInitScript(() => {
    const seen: Record<string, number> = {};
    new MutationObserver(() => {
      if (document.querySelector('button.boot')) seen.splashAtMs ??= performance.now();
      if (document.querySelector('form')) seen.formAtMs ??= performance.now();
    }).observe(document, { childList: true, subtree: true });
    Object.assign(window, { seen });
  });
  let bring = () => {};
  const isBrought = new Promise<void>((resolve) => {
    bring = resolve;
  });
  await page.route(/\/assets\/auth-screen-.*\.js$/, async (route) => {
    await isBrought;
    await route.fallback();
  });
  await page.goto('/auth', { waitUntil: 'commit' });
  await page.waitForFunction(() => {
    const [paint] = performance.getEntriesByName('first-contentful-paint');
    return paint && performance.now() - paint.startTime > 2800;
  });
  bring();
  await expect(formOf(page)).toBeVisible();
  const { sinceSplashMs, sincePaintMs } = await page.evaluate(() => {
    const { seen } = window as unknown as { seen: { splashAtMs?: number; formAtMs: number } };
    const paintedAtMs = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0;
    const splashAtMs = seen.splashAtMs ?? seen.formAtMs;
    return {
      sinceSplashMs: seen.formAtMs - splashAtMs,
      sincePaintMs: seen.formAtMs - paintedAtMs,
    };
  });
  expect(sincePaintMs).toBeGreaterThanOrEqual(2990);
  expect(sinceSplashMs).toBeLessThan(1500);
});

test('a key skips the splash', async ({ phone }) => {
  const { page } = await phone();
  await page.goto('/auth');
  await expect(splashOf(page)).toBeVisible();
  await page.keyboard.press('Enter');
  // Well before it would end.
  await expect(formOf(page)).toBeFocused({ timeout: 2000 });
});

test('the splash is painted before any script, and does not move', async ({ phone }) => {
  const { page } = await phone();
  // Held, not refused: the page is as on a slow network.
  const held: (() => void)[] = [];
  await page.route(/\/assets\/.*\.js$/, async (route) => {
    await new Promise<void>((release) => held.push(release));
    await route.fallback();
  });
  await page.goto('/auth', { waitUntil: 'commit' });
  const places = async () =>
    Promise.all(
      [
        page.getByText(promise),
        page.getByText(virtues),
        page.getByRole('img', { name: 'Kaya' }),
      ].map((part) => part.boundingBox()),
    );
  await expect(page.getByText(promise)).toBeVisible();
  await expect(page.getByText(virtues)).toBeVisible();
  await expect(splashOf(page)).toBeHidden();
  const before = await places();
  await expect.poll(() => held.length).toBeGreaterThan(0);
  await page.unroute(/\/assets\/.*\.js$/);
  for (const release of held) release();
  await expect(splashOf(page)).toBeVisible();
  expect(await places()).toEqual(before);
});
