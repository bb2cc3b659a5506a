/** The bottom sheet of home: its three heights, by drag, by button and by keyboard. */
import type { Page } from '@playwright/test';
import { Finger } from '#tests/e2e/finger.ts';
import { enter } from '#tests/e2e/inside.ts';
import { expect, test } from '#tests/e2e/kaya.ts';
import { HomePage } from '#tests/e2e/pages/home-page.ts';

test.use({ hasServiceWorker: false });

const raise = (page: Page) => page.getByRole('button', { name: 'Expand' });
const lower = (page: Page) => page.getByRole('button', { name: 'Collapse' });
const tabs = (page: Page) => page.getByRole('navigation', { name: 'Main' });

/** Percent of the window's height, once it has settled. */
async function expectHeight(home: HomePage, percent: number) {
  await expect.poll(() => home.heightPercent()).toBe(percent);
}

test('the sheet moves by one height per drag', async ({ signedIn, backstage }) => {
  const { page } = await signedIn(await backstage.sender());
  const home = new HomePage(page);
  await expectHeight(home, 32);

  await home.drag(-100);
  await expectHeight(home, 32);
  await home.drag(101);
  await expectHeight(home, 18);
  await home.drag(300);
  await expectHeight(home, 18);
  await home.drag(-101);
  await expectHeight(home, 32);
  // However far: one height.
  await home.drag(-400);
  await expectHeight(home, 100);
  await expect(home.fullSheet).toBeVisible();
  await home.drag(101);
  await expectHeight(home, 32);
});

test('the sheet is dragged by its contents too', async ({ signedIn, backstage }) => {
  const { page } = await signedIn(await backstage.sender());
  const home = new HomePage(page);
  await home.drag(101, home.whereTo);
  await expectHeight(home, 18);
  await home.drag(-101, home.whereTo);
  await expectHeight(home, 32);
  await home.whereTo.click();
  await expectHeight(home, 100);
  // A drag in a text field scrolls and selects: only the header moves the sheet.
  await home.drag(150, page.getByLabel('Pickup Address'));
  await expectHeight(home, 100);
});

test('a finger drags the sheet by its cards @long', async ({ phone, backstage }) => {
  const { page } = await phone();
  await page.setViewportSize({ width: 360, height: 740 });
  await enter(page, await backstage.sender());
  const home = new HomePage(page);
  const finger = await Finger.on(page);
  for (const card of [home.whereTo, home.deliver]) {
    await finger.drag(card, 120);
    await expectHeight(home, 18);
    await finger.drag(card, 60);
    await expectHeight(home, 18);
    await finger.drag(card, -120);
    await expectHeight(home, 32);
    await finger.drag(card, 20);
    await expectHeight(home, 32);
    await finger.tap(card);
    await expectHeight(home, 100);
    await page.keyboard.press('Escape');
    await expectHeight(home, 32);
  }
  // Also between and beside them.
  await finger.drag(home.sheet, 120);
  await expectHeight(home, 18);
  await finger.tap(raise(page));
  await expectHeight(home, 32);
});

test('at its lowest height nothing of a card is cut off @long', async ({ signedIn, backstage }) => {
  for (const account of [await backstage.sender(), await backstage.courier()]) {
    const { page } = await signedIn(account);
    const home = new HomePage(page);
    await lower(page).click();
    const cards = account.role === 'Employee' ? [home.deliver] : [home.whereTo, home.deliver];
    for (const [width, height] of [
      [360, 640],
      [412, 915],
    ] as const) {
      await page.setViewportSize({ width, height });
      await expectHeight(home, 18);
      const bottom = (await tabs(page).boundingBox())?.y ?? 0;
      for (const card of cards) {
        const box = await card.boundingBox();
        if (!box) throw new Error('The card is not there.');
        expect(box.y + box.height, `${width}x${height}`).toBeLessThanOrEqual(bottom);
        const isOverfull = await card.evaluate(
          ({ scrollHeight, clientHeight, scrollWidth, clientWidth }) =>
            scrollHeight > clientHeight || scrollWidth > clientWidth,
        );
        expect(isOverfull, `${width}x${height}`).toBe(false);
      }
    }
  }
});

test('the sheet is moved by keyboard @long', async ({ signedIn, backstage }) => {
  const { page } = await signedIn(await backstage.sender());
  const home = new HomePage(page);
  await lower(page).press('Enter');
  await expectHeight(home, 18);
  await expect(lower(page)).toBeHidden();
  await expect(raise(page)).toBeFocused();
  await raise(page).press('Enter');
  await expectHeight(home, 32);
  await raise(page).press('Enter');
  await expectHeight(home, 100);
  await expect(home.fullSheet).toBeFocused();
  await page.keyboard.press('Escape');
  await expectHeight(home, 32);
  await expect(raise(page)).toBeFocused();
});

test('the full sheet hides the tabs and keeps the focus', async ({ signedIn, backstage }) => {
  const { page } = await signedIn(await backstage.sender());
  const home = new HomePage(page);
  await expect(tabs(page)).toBeVisible();
  await page.getByRole('button', { name: 'Where to?' }).press('Enter');
  await expect(page.getByRole('heading', { name: 'Add package' })).toBeVisible();
  await expect(tabs(page)).toBeHidden();
  await expect(page.getByLabel('Pickup Address')).toBeVisible();

  // Tab cycles once: every focusable element is in the sheet.
  for (let step = 0; step < 8; step += 1) {
    await page.keyboard.press('Tab');
    const outside = await home.sheet.evaluate(
      (sheet) =>
        document.activeElement !== document.body && !sheet.contains(document.activeElement),
    );
    expect(outside, `after ${step + 1} times Tab`).toBe(false);
  }

  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await expect(home.fullSheet).toBeHidden();
  await expect(tabs(page)).toBeVisible();
  for (const opener of [home.whereTo, home.deliver]) {
    await opener.press('Enter');
    await expect(home.fullSheet).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(opener).toBeFocused();
  }
});
