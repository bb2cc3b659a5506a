import type { Page } from '@playwright/test';
import { expect, test } from '#tests/e2e/kaya.ts';

test.use({ hasServiceWorker: false });

const promise = 'Your ride to faster deliveries';
const virtues = 'Fast • Reliable • Secure';

const splashOf = (page: Page) => page.getByRole('button', { name: /Tap to continue/ });
const formOf = (page: Page) => page.getByRole('heading', { name: 'Welcome Back' });

test('the splash lasts three seconds, once per session', async ({ page }) => {
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

test('the splash counts from the first paint @long', async ({ page }) => {
  let bring = () => {};
  const isBrought = new Promise<void>((resolve) => {
    bring = resolve;
  });
  await page.route(/\/assets\/auth-screen-.*\.js$/, async (route) => {
    await isBrought;
    await route.fallback();
  });
  await page.goto('/auth', { waitUntil: 'commit' });
  const sincePaintMs = () =>
    page.evaluate(() => {
      const [paint] = performance.getEntriesByName('first-contentful-paint');
      return paint ? performance.now() - paint.startTime : 0;
    });
  await expect.poll(sincePaintMs, { intervals: [50] }).toBeGreaterThan(2800);
  const broughtMs = await sincePaintMs();
  bring();
  await expect(formOf(page)).toBeVisible();
  const shownMs = await sincePaintMs();
  expect(shownMs).toBeGreaterThanOrEqual(2990);
  expect(shownMs - broughtMs).toBeLessThan(1500);
});

test('a key skips the splash', async ({ page }) => {
  await page.goto('/auth');
  await expect(splashOf(page)).toBeVisible();
  await page.keyboard.press('Enter');
  // Well before it would end.
  await expect(formOf(page)).toBeFocused({ timeout: 2000 });
});

test('the splash is painted before any script, and does not move', async ({ page }) => {
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
