import type { Page } from '@playwright/test';
import { spoken } from '#tests/e2e/inside.ts';
import { expect, test } from '#tests/e2e/kaya.ts';
import { HomePage } from '#tests/e2e/pages/home-page.ts';

test.use({ hasServiceWorker: false });

const links = [
  { name: 'Payment', path: '/payment' },
  { name: 'Promotion', path: '/promotion' },
  { name: 'My Deliveries', path: '/delivery' },
  { name: 'Support', path: '/support' },
  { name: 'About', path: '/delivery-request' },
];

/** Its box, once it has slid in. */
async function boxOf(home: HomePage) {
  await home.sidebar.evaluate((drawer) =>
    Promise.all(drawer.getAnimations().map(({ finished }) => finished)),
  );
  const box = await home.sidebar.boundingBox();
  if (!box) throw new Error('The sidebar has no box.');
  return box;
}

async function openAt(page: Page): Promise<HomePage> {
  const home = new HomePage(page);
  await home.openSidebar();
  return home;
}

test('the sidebar covers 80 %, closes and keeps the focus', async ({ signedIn, backstage }) => {
  const { page } = await signedIn(await backstage.sender());
  const home = await openAt(page);
  expect(await boxOf(home)).toMatchObject({ x: 0, y: 0, width: 300, height: 915 });
  await page.mouse.click(360, 500);
  await expect(home.sidebar).toBeHidden();

  await page.setViewportSize({ width: 320, height: 640 });
  await home.openSidebar();
  expect((await boxOf(home)).width).toBe(256);
  // Inside it, pressing empty space does not close it.
  await page.mouse.click(120, 500);
  await expect(home.sidebar).toBeVisible();

  // Tab cycles once: every focusable element is in it.
  for (let step = 0; step < 10; step += 1) {
    await page.keyboard.press('Tab');
    const outside = await home.sidebar.evaluate(
      (drawer) =>
        document.activeElement !== document.body && !drawer.contains(document.activeElement),
    );
    expect(outside, `after ${step + 1} times Tab`).toBe(false);
  }
  await page.keyboard.press('Escape');
  await expect(home.menu).toBeFocused();
});

test('the sidebar has its links, and each closes it', async ({ signedIn, backstage }) => {
  const { page } = await signedIn(await backstage.sender());
  const home = await openAt(page);
  const nav = home.sidebar.getByRole('navigation');
  await expect(nav.getByRole('link')).toHaveText(links.map(({ name }) => name));
  await page.keyboard.press('Escape');
  const top = { name: 'Amina Bello My Account', path: '/account' };
  for (const { name, path } of [top, ...links]) {
    await home.openSidebar();
    await home.sidebar.getByRole('link', { name, exact: true }).click();
    await expect(page).toHaveURL((url) => url.pathname === path);
    await expect(home.sidebar).toBeHidden();
    await page.goBack();
    await expect(home.menu).toBeVisible();
    await expect(home.sidebar).toBeHidden();
  }
});

test('the sidebar’s Log Out leads out @long', async ({ signedIn, backstage, network }) => {
  const { page } = await signedIn(await backstage.sender());
  const home = await openAt(page);
  const answer = network.holdNextReply((_, path) => path === '/api/auth/logout');
  const form = network.holdNextReply((_, path) => path.startsWith('/assets/auth-screen-'));
  await home.sidebar.getByRole('button', { name: 'Log Out' }).click();
  await answer.answered;
  await expect(home.sidebar.getByRole('button', { name: 'Logging Out...' })).toBeVisible();
  answer.release();
  await expect(spoken(page, 'status', 'Logged out successfully!')).toBeVisible();
  await form.answered;
  form.release();
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
  await expect(page).toHaveURL(/\/auth$/);
  await expect(page.getByText('Please log in to access this page.')).toBeHidden();
});
