/** JavaScript requested before a screen is usable. */
import type { Page } from '@playwright/test';
import { isOfTheMap, weigh } from '#tests/budgets/built.ts';
import { expect, test } from '#tests/e2e/kaya.ts';

test.use({ hasServiceWorker: false });

/** Records when the text of `selector` first appears. */
async function watchFor(page: Page, selector: string) {
  await page.addInitScript((sought) => {
    new MutationObserver((_, observer) => {
      if (!document.querySelector(sought)) return;
      Object.assign(window, { usableAtMs: performance.now() });
      observer.disconnect();
    }).observe(document, { childList: true, subtree: true, attributes: true });
  }, selector);
}

async function scriptsBefore(page: Page): Promise<string[]> {
  await page.waitForFunction(() => 'usableAtMs' in window);
  return page.evaluate(() => {
    const { usableAtMs } = window as unknown as { usableAtMs: number };
    return performance
      .getEntriesByType('resource')
      .filter(({ name, startTime }) => name.endsWith('.js') && startTime <= usableAtMs)
      .map(({ name }) => new URL(name).pathname);
  });
}

test('the first page needs at most 114 kB of JavaScript, none of it the map', async ({ page }) => {
  // The splash: a press skips it.
  await watchFor(page, 'button');
  await page.goto('/auth');
  const scripts = await scriptsBefore(page);
  expect(scripts.filter(isOfTheMap)).toEqual([]);
  expect(weigh(scripts)).toBeGreaterThan(60_000);
  expect(weigh(scripts)).toBeLessThanOrEqual(114_000);
});

test('the first screen needs at most 146 kB of scripts, no map', async ({ signedIn, sender }) => {
  const { page, context } = await signedIn(sender);
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
  const again = await context.newPage();
  await watchFor(again, 'nav[aria-label="Main"]');
  await again.goto('/');
  const scripts = await scriptsBefore(again);
  expect(scripts.filter(isOfTheMap)).toEqual([]);
  expect(weigh(scripts)).toBeGreaterThan(100_000);
  expect(weigh(scripts)).toBeLessThanOrEqual(146_000);
});
