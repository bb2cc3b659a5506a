/** Support, Promotion and About: SPEC.md section 2, DESIGN.md section 2. */
import { enter } from '#tests/e2e/inside.ts';
import { expect, test } from '#tests/e2e/kaya.ts';

test.use({ hasServiceWorker: false });

const placeholders = [
  { path: '/support', title: 'Support' },
  { path: '/promotion', title: 'Promotion' },
  { path: '/about', title: 'About' },
  { path: '/delivery-request', title: 'About' },
];

test('each placeholder says what is coming and leads back home', async ({ phone, backstage }) => {
  const { page } = await phone();
  await enter(page, await backstage.account('Customer', 'Amina'));
  for (const { path, title } of placeholders) {
    await test.step(path, async () => {
      await page.goto(path);
      await expect(page.getByRole('heading', { name: title })).toBeFocused();
      await expect(page).toHaveTitle(`${title} · Kaya`);
      await expect(page.getByText('Coming Soon ...')).toBeVisible();
      await page.getByRole('link', { name: 'Go to Home' }).click();
      await expect(page.getByRole('button', { name: 'Open menu' })).toBeVisible();
    });
  }
});
