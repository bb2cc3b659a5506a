/** A list longer than any screen: only what is near is drawn, and nobody loses their place. */
import type { Page } from '@playwright/test';
import type { Backstage } from '#tests/e2e/backstage.ts';
import { enter } from '#tests/e2e/inside.ts';
import { expect, type Phone, test } from '#tests/e2e/kaya.ts';
import { makePackages } from '#tests/e2e/package-stage.ts';
import { PackageListPage } from '#tests/e2e/pages/package-list-page.ts';

test.use({ hasServiceWorker: false });

const count = 60;
const bales = Array.from({ length: count }, (_, index) => ({
  description: `Bale ${String(index + 1).padStart(2, '0')}.`,
}));

const scrollTop = (page: Page) => page.locator('main').evaluate((main) => main.scrollTop);

/** As a person does it: in steps, each drawn before the next. */
async function scrollTo(page: Page, description: string) {
  const card = new PackageListPage(page).card(description);
  for (let step = 0; step < 100 && !(await card.isVisible()); step += 1) {
    await page.locator('main').evaluate(async (main) => {
      main.scrollTop += 600;
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    });
  }
  await card.scrollIntoViewIfNeeded();
}

/** A sender's sixty packages, newest first: Bale 60 on top. */
async function sixty({ page }: Phone, backstage: Backstage) {
  const sender = await backstage.account('Customer', 'Amina');
  await makePackages(backstage.serverUrl, sender, bales);
  const list = await (await enter(page, sender)).openTracking();
  await expect(list.card('Bale 60.')).toBeVisible();
  return { page, list };
}

test('a list of sixty draws a part of it and says how long it is', { tag: '@long' }, async ({
  phone,
  backstage,
}) => {
  const { page, list } = await sixty(await phone(), backstage);
  expect(await list.cards.count()).toBeLessThan(count / 2);
  const items = page.getByRole('list', { name: 'Packages' }).getByRole('listitem');
  await expect(items.first()).toHaveAttribute('aria-posinset', '1');
  await expect(items.first()).toHaveAttribute('aria-setsize', String(count));
  await scrollTo(page, 'Bale 01.');
  await expect(list.card('Bale 60.')).toBeHidden();
  await expect(items.last()).toHaveAttribute('aria-posinset', String(count));
  expect(await list.cards.count()).toBeLessThan(count / 2);
});

test('a list of sixty is where one left it on the way back, and shows the last one looked at after a detour', async ({
  phone,
  backstage,
}) => {
  const { page, list } = await sixty(await phone(), backstage);
  await scrollTo(page, 'Bale 20.');
  await list.card('Bale 20.').getByRole('link', { name: 'View Details' }).scrollIntoViewIfNeeded();
  const before = await scrollTop(page);
  await list.open('Bale 20.');
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(list.card('Bale 20.')).toBeInViewport();
  expect(Math.abs((await scrollTop(page)) - before)).toBeLessThan(4);

  const tabs = page.getByRole('navigation', { name: 'Main' });
  await tabs.getByRole('link', { name: 'Account' }).click();
  await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('Tracking');
  await tabs.getByRole('link', { name: 'Tracking' }).click();
  await expect(list.card('Bale 20.')).toBeInViewport();
});

test('a list of sixty keeps the focus on a card however far it is scrolled away, and Tab goes on from there', {
  tag: '@long',
}, async ({ phone, backstage }) => {
  const { page, list } = await sixty(await phone(), backstage);
  const link = list.card('Bale 58.').getByRole('link', { name: 'View Details' });
  await link.focus();
  await page.locator('main').evaluate((main) => {
    main.scrollTop = main.scrollHeight;
  });
  await expect(list.card('Bale 01.')).toBeVisible();
  await expect(link).toBeFocused();
  await page.keyboard.press('Tab');
  const next = list.card('Bale 57.').getByRole('link', { name: 'View Details' });
  await expect(next).toBeFocused();
  await expect(next).toBeInViewport();
});

test('a list of sixty is walked through to its end by keyboard alone', { tag: '@long' }, async ({
  phone,
  backstage,
}) => {
  const { page, list } = await sixty(await phone(), backstage);
  await list.card('Bale 60.').getByRole('link', { name: 'View Details' }).focus();
  for (let number = 59; number >= 30; number -= 1) {
    await page.keyboard.press('Tab');
    const link = list
      .card(`Bale ${String(number).padStart(2, '0')}.`)
      .getByRole('link', { name: 'View Details' });
    await expect(link).toBeFocused();
  }
});
