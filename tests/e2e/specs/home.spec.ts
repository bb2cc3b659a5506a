import { enter } from '#tests/e2e/inside.ts';
import { expect, test } from '#tests/e2e/kaya.ts';
import { HomePage } from '#tests/e2e/pages/home-page.ts';

test.use({ hasServiceWorker: false });

test('a courier is welcomed in the full sheet', async ({ signedIn, backstage }) => {
  const { page } = await signedIn(await backstage.courier());
  const home = new HomePage(page);
  await home.openSheet();
  await expect(page.getByText('Welcome back, Sani Bello!')).toBeVisible();
  await expect(page.getByLabel('Pickup Address')).toBeHidden();
  await page.getByRole('link', { name: 'View Available Packages' }).click();
  await expect(page).toHaveURL(/\/delivery\/pending$/);
  // The sheet is not left open in the history: Back shows home at rest.
  await page.getByRole('link', { name: 'Home' }).click();
  await expect(home.fullSheet).toBeHidden();
  await expect(home.menu).toBeVisible();
});

test('an incomplete profile is asked for before the form', async ({ phone, backstage }) => {
  const { page } = await phone();
  const sender = await backstage.sender();
  const bare = { ...sender, email: `bare-${sender.email}` };
  await backstage.signUp(bare);
  await enter(page, bare);
  await new HomePage(page).openSheet();
  await expect(page.getByText('Profile Incomplete')).toBeVisible();
  await expect(
    page.getByText('Please complete your profile information before creating a package.'),
  ).toBeVisible();
  await page.getByRole('link', { name: 'Update Profile' }).click();
  await expect(page).toHaveURL(/\/edit-user\/[0-9a-f-]+$/);
});
