/** A virtualized list renders only cards near the viewport, and keeps position and focus. */
import type { Locator, Page } from '@playwright/test';
import { expect, test } from '#tests/e2e/kaya.ts';
import { PackageListPage } from '#tests/e2e/pages/package-list-page.ts';

test.use({ hasServiceWorker: false });

const count = 60;
const nameOf = (number: number) => `Bale ${String(number).padStart(2, '0')}.`;

const scrollTop = (page: Page) => page.locator('main').evaluate((main) => main.scrollTop);

/** In steps like a user, each rendered before the next. */
async function scrollTo(page: Page, card: Locator) {
  for (let step = 0; step < 100 && !(await card.isVisible()); step += 1) {
    await page.locator('main').evaluate(async (main) => {
      main.scrollTop += 600;
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    });
  }
  await card.scrollIntoViewIfNeeded();
}

/** On a slow phone, presses in quick succession without waiting for rendering. */
async function pressQuickly(page: Page, key: 'Tab' | 'Shift+Tab', times: number) {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: 6 });
  const tab = { key: 'Tab', code: 'Tab', windowsVirtualKeyCode: 9 };
  const modifiers = key === 'Tab' ? 0 : 8;
  await Promise.all(
    Array.from({ length: times * 2 }, (_, at) => {
      const type = at % 2 === 0 ? 'rawKeyDown' : 'keyUp';
      return session.send('Input.dispatchKeyEvent', { type, modifiers, ...tab });
    }),
  );
  await session.detach();
}

test('a list of sixty is drawn in part @long', async ({ signedIn, backstage, sender }) => {
  // Newest first: Bale 60 on top.
  const bales = Array.from({ length: count }, (_, at) => ({ description: nameOf(at + 1) }));
  await backstage.packages(sender, bales);
  const { page } = await signedIn(sender, '/tracking');
  const list = new PackageListPage(page);
  const card = (number: number) => list.card(nameOf(number));
  const link = (number: number) => card(number).getByRole('link', { name: 'View Details' });
  await expect(card(60)).toBeVisible();

  await test.step('only a part is rendered, with the total size announced', async () => {
    expect(await list.cards.count()).toBeLessThan(count / 2);
    const items = page.getByRole('list', { name: 'Packages' }).getByRole('listitem');
    await expect(items.first()).toHaveAttribute('aria-posinset', '1');
    await expect(items.first()).toHaveAttribute('aria-setsize', String(count));
  });

  await test.step('Tab walks through it card by card, however fast', async () => {
    await link(60).focus();
    await pressQuickly(page, 'Tab', 30);
    await expect(link(30)).toBeFocused();
    await pressQuickly(page, 'Shift+Tab', 5);
    await expect(link(35)).toBeFocused();
  });

  await test.step('after scrolling far from the focus, Tab continues from it', async () => {
    await scrollTo(page, card(1));
    await expect(card(60)).toBeHidden();
    expect(await list.cards.count()).toBeLessThan(count / 2);
    await expect(link(35)).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(link(34)).toBeFocused();
    await expect(link(34)).toBeInViewport();
  });

  await test.step('scrolling back restores the position', async () => {
    await scrollTo(page, card(20));
    await link(20).scrollIntoViewIfNeeded();
    const before = await scrollTop(page);
    await list.open(nameOf(20));
    await page.getByRole('button', { name: 'Back' }).click();
    await expect(card(20)).toBeInViewport();
    expect(Math.abs((await scrollTop(page)) - before)).toBeLessThan(4);
  });

  await test.step('what is read stays where it is as another is added above', async () => {
    const before = (await card(20).boundingBox())?.y;
    await backstage.packages(sender, [{ description: nameOf(61) }]);
    const items = page.getByRole('list', { name: 'Packages' }).getByRole('listitem');
    await expect(items.first()).toHaveAttribute('aria-setsize', String(count + 1));
    const after = (await card(20).boundingBox())?.y;
    expect(Math.abs((after ?? 0) - (before ?? 0))).toBeLessThan(4);
  });

  await test.step('after a detour the last viewed card is shown', async () => {
    const tabs = page.getByRole('navigation', { name: 'Main' });
    await tabs.getByRole('link', { name: 'Account' }).click();
    await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('Tracking');
    await tabs.getByRole('link', { name: 'Tracking' }).click();
    await expect(card(20)).toBeInViewport();
  });
});
