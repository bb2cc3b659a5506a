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

/** Records layout shifts from the start. */
async function watchShifts(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    Object.assign(window, { shifts: 0 });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        Object.assign(window, {
          shifts: Reflect.get(window, 'shifts') + Reflect.get(entry, 'value'),
        });
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  return () => page.evaluate(() => Reflect.get(window, 'shifts'));
}

const nextFrame = (page: Page) =>
  page.evaluate(
    () => new Promise<void>((resolve) => requestAnimationFrame(() => setTimeout(resolve))),
  );

for (const { light, isSunny } of [
  { light: 'light', isSunny: false },
  { light: 'dark', isSunny: false },
  { light: 'light', isSunny: true },
] as const) {
  const how = isSunny ? 'in sun mode' : `in ${light} mode`;
  test(`${how} the splash is painted before any file, and does not move`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: light });
    if (isSunny) await page.addInitScript(() => localStorage.setItem('sunMode', 'true'));
    const shifts = await watchShifts(page);
    // Held, not refused: the page is as on a slow network.
    const held = { js: [] as (() => void)[], css: [] as (() => void)[] };
    const files = /\/assets\/.*\.(js|css)$/;
    await page.route(files, async (route) => {
      const kind = route.request().url().endsWith('.css') ? 'css' : 'js';
      await new Promise<void>((release) => held[kind].push(release));
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
    const size = () => page.evaluate(() => getComputedStyle(document.documentElement).fontSize);
    expect(await size()).toBe(isSunny ? '18px' : '16px');
    const painted = () =>
      page.evaluate(() => performance.getEntriesByName('first-contentful-paint').length);
    await expect.poll(painted).toBe(1);
    const before = await places();

    // The scripts come first: nothing appears before the styles.
    await expect.poll(() => held.js.length).toBeGreaterThan(1);
    const came = page.waitForResponse(/\/assets\/start-.*\.js$/);
    for (const release of held.js) release();
    await (await came).finished();
    await expect.poll(() => held.css.length).toBe(1);
    await nextFrame(page);
    await expect(splashOf(page)).toBeHidden();

    await page.unroute(files);
    for (const release of [...held.css, ...held.js]) release();
    await expect(splashOf(page)).toBeVisible();
    expect(await places()).toEqual(before);
    expect(await shifts()).toBe(0);
  });
}
