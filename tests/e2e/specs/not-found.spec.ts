/** Addresses that lead nowhere: SPEC.md section 2, DESIGN.md section 2. */
import { enter } from '#tests/e2e/inside.ts';
import { expect, test } from '#tests/e2e/kaya.ts';

test.use({ hasServiceWorker: false });

/** The shell's catch-all serves only the shell's own children. */
const unknown = ['/no-such-place', '/tracking/delivered', '/account/more', '/package-detail'];

test('an unknown address shows 404 Not Found to a visitor, and leads on', async ({ phone }) => {
  const { page } = await phone();
  for (const path of unknown) {
    await page.goto(path);
    await expect(page.getByRole('heading', { name: '404 Not Found' })).toBeFocused();
    await expect(page.getByText('Please log in to access this page.')).toBeHidden();
  }
  await page.getByRole('link', { name: 'Go to Home' }).click();
  await expect(page).toHaveURL(/\/auth$/);
});

test('an unknown address shows 404 Not Found to who is signed in, and leads home', async ({
  phone,
  backstage,
}) => {
  const { page } = await phone();
  await enter(page, await backstage.account('Customer', 'Amina'));
  for (const path of unknown) {
    await page.goto(path);
    await expect(page.getByRole('heading', { name: '404 Not Found' })).toBeVisible();
  }
  await page.getByRole('link', { name: 'Go to Home' }).click();
  await expect(page.getByText('Where to?')).toBeVisible();
});
