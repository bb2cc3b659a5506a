import type { Page } from '@playwright/test';
import { stopTime } from '#tests/e2e/inside.ts';
import { expect, longUnless, test } from '#tests/e2e/kaya.ts';

test.use({ hasServiceWorker: false });

const promise = 'Your ride to faster deliveries';
const virtues = 'Fast • Reliable • Secure';

const splashOf = (page: Page) => page.getByRole('button', { name: /Tap to continue/ });
const formOf = (page: Page) => page.getByRole('heading', { name: 'Welcome Back' });

test('the splash lasts three seconds, once per session', async ({ page }) => {
  await page.clock.install();
  await page.goto('/auth');
  await expect(splashOf(page)).toBeVisible();
  await stopTime(page);
  for (const text of [promise, virtues]) await expect(page.getByText(text)).toBeVisible();
  await expect(page.getByRole('img', { name: 'Kaya' })).toBeVisible();
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

/** Records layout shifts from the start. */
async function watchShifts(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const shifts: string[] = [];
    Object.assign(window, { shifts });
    const rect = ({ x, y, width, height }: DOMRect) => [x, y, width, height].join(' ');
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        // Without a source: it was removed.
        const moved: string[] = [String(Reflect.get(entry, 'value'))];
        for (const { node, previousRect, currentRect } of Reflect.get(entry, 'sources')) {
          const what = node?.textContent || node?.nodeName;
          moved.push(`${what}: ${rect(previousRect)} to ${rect(currentRect)}`);
        }
        shifts.push(moved.join('\n'));
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  return () => page.evaluate(() => Reflect.get(window, 'shifts'));
}

/** Holds the replies of matching files, as a slow network would, until released. */
async function hold(page: Page, files: RegExp) {
  const held: (() => void)[] = [];
  await page.route(files, async (route) => {
    await new Promise<void>((release) => held.push(release));
    await route.fallback();
  });
  return {
    untilAsked: (count: number) => expect.poll(() => held.length).toBeGreaterThanOrEqual(count),
    async release() {
      await page.unroute(files);
      for (const release of held) release();
    },
  };
}

for (const { light, isSunny } of [
  { light: 'light', isSunny: false },
  { light: 'dark', isSunny: false },
  { light: 'light', isSunny: true },
] as const) {
  const how = isSunny ? 'in sun mode' : `in ${light} mode`;
  const title = `${how} the splash is painted before any file, and does not move`;
  test(title, longUnless(light === 'light'), async ({ page }) => {
    await page.emulateMedia({ colorScheme: light });
    if (isSunny) await page.addInitScript(() => localStorage.setItem('sunMode', 'true'));
    const shifts = await watchShifts(page);
    const files = await hold(page, /\/assets\/.*\.(js|css)$/);
    await page.goto('/auth', { waitUntil: 'commit' });
    const places = async () =>
      Promise.all(
        [
          page.getByText(promise),
          page.getByText(virtues),
          page.getByRole('img', { name: 'Kaya' }),
        ].map((part) => part.boundingBox()),
      );
    const painted = () =>
      page.evaluate(() => performance.getEntriesByName('first-contentful-paint').length);
    await expect.poll(painted).toBe(1);
    await expect(page.getByText(promise)).toBeVisible();
    const size = await page.evaluate(() => getComputedStyle(document.documentElement).fontSize);
    expect(size).toBe(isSunny ? '18px' : '16px');
    const before = await places();
    // The page asks for its styles and two scripts.
    await files.untilAsked(3);
    await expect(splashOf(page)).toBeHidden();
    await files.release();
    await expect(splashOf(page)).toBeVisible();
    expect(await places()).toEqual(before);
    expect(await shifts()).toEqual([]);
  });
}

/** Files that have arrived are handled, and the page has nothing left to do. */
const untilIdle = (page: Page) =>
  page.evaluate(async () => {
    for (let round = 0; round < 5; round += 1) {
      await new Promise((resolve) => requestIdleCallback(resolve));
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
  });

test('the app does not begin before its styles', async ({ page }) => {
  const styles = await hold(page, /\/assets\/.*\.css$/);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  const came = page.waitForResponse(/\/assets\/start-.*\.js$/);
  await page.goto('/auth', { waitUntil: 'commit' });
  await styles.untilAsked(1);
  await (await came).finished();
  await untilIdle(page);
  // The first thing it does is to ask for its screen.
  const screens = () => asked.filter((path) => path.startsWith('/assets/auth-screen-'));
  expect(screens()).toEqual([]);
  await styles.release();
  await expect(splashOf(page).or(formOf(page))).toBeVisible();
  expect(screens()).not.toEqual([]);
});
