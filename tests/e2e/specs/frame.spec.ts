/** Scroll positions belong to history entries, on phones and in each pane of a desk; bars leave room. */
import type { Locator, Page } from '@playwright/test';
import { keepSession } from '#tests/e2e/inside.ts';
import { expect, test } from '#tests/e2e/kaya.ts';
import { brokenWords } from '#tests/e2e/layout.ts';
import { WizardPage } from '#tests/e2e/pages/wizard-page.ts';

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
  backstage,
  sender,
}) => {
  const [pkg] = await backstage.packages(sender, 1);
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

  await test.step('Back and Forward lead to the place on a detail', () => onDetail(page, pkg?._id));
});

async function onDetail(page: Page, id = '') {
  await page.goto(`/package-detail/${id}`);
  const main = page.locator('main');
  await expect(page.getByRole('heading', { name: 'Sender' })).toBeVisible();
  const edit = page.getByRole('link', { name: 'Edit shipment' });
  await scrollTo(main, 300);
  await edit.scrollIntoViewIfNeeded();
  const at = await topOf(main);
  expect(at).toBeGreaterThan(200);
  const shown = async (name: string) => {
    await expect(heading(page, name)).toBeFocused();
    // The browser scrolls to what has the focus within a frame.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
    return topOf(main);
  };
  await edit.click();
  expect(await shown('Edit Package')).toBe(0);
  await page.goBack();
  expect(await shown('Package Details')).toBe(at);
  await page.goForward();
  expect(await shown('Edit Package')).toBe(0);
  await page.goBack();
  expect(await shown('Package Details')).toBe(at);
}

test('on a desk, list and detail each keep their place @long', async ({
  page,
  backstage,
  sender,
}) => {
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

  // In one column now, where it is further down.
  const before = await open(15);
  expect(before).toBeGreaterThan(500);
  await expect(card(15).first()).toBeInViewport();
  await expect.poll(() => topOf(list)).toBeGreaterThan(2 * before);
  const first = await topOf(list);
  const detail = page.locator('main');
  await expect(detail.getByText('Recipient').first()).toBeVisible();
  expect(await scrollTo(detail, 100)).toBe(100);
  expect(await topOf(list)).toBe(first);

  const second = await open(14);
  await expect.poll(() => topOf(detail)).toBe(0);
  expect(await topOf(list)).toBe(second);
  await page.goBack();
  await expect(page).toHaveURL('/tracking');
  await expect(card(14)).toBeInViewport();

  // A detour: the list is built again where it was.
  const left = await topOf(list);
  await page.getByRole('link', { name: 'Account' }).click();
  await expect(heading(page, 'Account')).toBeVisible();
  await page.goBack();
  await expect(heading(page, 'Tracking')).toBeVisible();
  await expect.poll(async () => Math.abs((await topOf(list)) - left)).toBeLessThan(4);
});

for (const [name, size, text] of [
  ['on its side', { width: 740, height: 360 }, ''],
  ['with large text', { width: 360, height: 740 }, '200%'],
] as const) {
  test(`most of a phone ${name} is the form @long`, async ({ signedIn, sender }) => {
    const { page } = await signedIn(sender, '/new-package');
    await page.setViewportSize(size);
    const wizard = new WizardPage(page);
    await wizard.fillAddresses();
    await wizard.next.click();
    await page.evaluate((fontSize) => {
      // Not a style sheet, which the Content-Security-Policy refuses.
      document.documentElement.style.fontSize = fontSize;
    }, text);
    /** The share of the height between header and actions. */
    const share = () =>
      page.evaluate(() => {
        const edge = (selector: string) =>
          document.querySelector(selector)?.getBoundingClientRect() ?? new DOMRect();
        const top = Math.max(0, edge('main header').bottom);
        return (edge('[data-actions]').top - top) / window.innerHeight;
      });
    await expect.poll(share).toBeGreaterThan(0.6);
    await page.locator('main').evaluate((main) => main.scrollTo(0, main.scrollHeight));
    await expect.poll(share).toBeGreaterThan(0.75);
    await expect(wizard.next).toBeInViewport({ ratio: 1 });
    expect(await brokenWords(page)).toEqual([]);
  });
}
