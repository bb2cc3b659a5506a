/** Scroll positions belong to history entries, on phones and in each pane of a desk. */
import type { Locator, Page } from '@playwright/test';
import { keepSession } from '#tests/e2e/inside.ts';
import { expect, test } from '#tests/e2e/kaya.ts';

test.use({ hasServiceWorker: false });

const topOf = (scroller: Locator) => scroller.evaluate((element) => element.scrollTop);

/** Scrolls, and waits until that has been noticed. */
async function scrollTo(scroller: Locator, topPx: number) {
  await scroller.evaluate(async (element, top) => {
    element.scrollTop = top;
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  }, topPx);
  return topOf(scroller);
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

test('Back returns to the place on a screen, and no other screen inherits it', async ({
  signedIn,
  sender,
}) => {
  const { page, shell } = await signedIn(sender, '/account');
  await page.setViewportSize({ width: 360, height: 480 });
  const main = page.locator('main');
  await expect(heading(page, 'Account')).toBeVisible();
  const about = page.getByRole('link', { name: 'About' });
  await about.scrollIntoViewIfNeeded();
  const at = await topOf(main);
  expect(at).toBeGreaterThan(100);

  await about.click();
  await expect(heading(page, 'About')).toBeVisible();
  expect(await topOf(main)).toBe(0);
  await page.goBack();
  await expect(heading(page, 'Account')).toBeVisible();
  await expect.poll(() => topOf(main)).toBe(at);

  // The same frame holds the tabs' screens.
  await shell.openTracking();
  await expect(heading(page, 'Tracking')).toBeVisible();
  expect(await topOf(main)).toBe(0);
  await shell.account.click();
  await expect(heading(page, 'Account')).toBeVisible();
  expect(await topOf(main)).toBe(0);
  await page.goBack();
  await page.goBack();
  await expect(heading(page, 'Account')).toBeVisible();
  await expect.poll(() => topOf(main)).toBe(at);
});

test('on a desk, list and detail each keep their place', async ({ page, backstage, sender }) => {
  const bales = Array.from({ length: 30 }, (_, at) => ({ description: `Bale ${at + 1}.` }));
  await backstage.packages(sender, bales);
  await page.setViewportSize({ width: 1280, height: 640 });
  await keepSession(page, sender);
  await page.goto('/tracking');
  const card = (number: number) => page.getByRole('article').filter({ hasText: `Bale ${number}.` });
  await expect(card(30)).toBeVisible();
  const list = page.locator('.desk-scroll');
  await scrollTo(list, 1500);
  const open = async (number: number) => {
    const link = card(number).getByRole('link', { name: 'View Details' });
    await link.scrollIntoViewIfNeeded();
    const at = await topOf(list);
    await link.click();
    await expect(heading(page, 'Package Details')).toBeVisible();
    return at;
  };

  const first = await open(23);
  expect(first).toBeGreaterThan(1000);
  const detail = page.locator('main');
  await expect(detail.getByText('Recipient').first()).toBeVisible();
  expect(await scrollTo(detail, 300)).toBe(300);
  expect(await topOf(list)).toBe(first);

  const second = await open(22);
  await expect.poll(() => topOf(detail)).toBe(0);
  expect(await topOf(list)).toBe(second);
  await page.goBack();
  await expect(page).toHaveURL('/tracking');
  expect(await topOf(list)).toBe(second);

  // A detour: the list is built again where it was.
  const left = await topOf(list);
  await page.getByRole('link', { name: 'Account' }).click();
  await expect(heading(page, 'Account')).toBeVisible();
  await page.goBack();
  await expect(heading(page, 'Tracking')).toBeVisible();
  await expect.poll(async () => Math.abs((await topOf(list)) - left)).toBeLessThan(4);
});
