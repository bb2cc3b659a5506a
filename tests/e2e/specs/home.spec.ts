/** What home offers to whom: SPEC.md sections 2 and 6. */

import { admin } from '#tests/e2e/backstage.ts';
import { enter } from '#tests/e2e/inside.ts';
import { expect, test } from '#tests/e2e/kaya.ts';
import { HomePage } from '#tests/e2e/pages/home-page.ts';

test.use({ hasServiceWorker: false });

const tabsOf = {
  Customer: ['Home', 'Tracking', 'Account'],
  Employee: ['Home', 'Deliveries', 'Account'],
  Admin: ['Home', 'Tracking', 'Deliveries', 'Account'],
};

for (const role of ['Customer', 'Employee', 'Admin'] as const) {
  test(`home and its tabs for ${role}, at / and at /home`, async ({ phone, backstage }) => {
    const account = role === 'Admin' ? admin : await backstage.account(role, 'Amina');
    const { page } = await phone();
    await enter(page, account);
    for (const path of ['/', '/home']) {
      await page.goto(path);
      await expect(page.getByRole('button', { name: 'Deliver lets start shipping' })).toBeVisible();
      await expect(page.getByRole('button', { name: 'Where to?' })).toHaveCount(
        role === 'Employee' ? 0 : 1,
      );
      const tabs = page.getByRole('navigation', { name: 'Main' });
      await expect(tabs.getByRole('link')).toHaveText(tabsOf[role]);
      await expect(tabs.getByRole('link', { name: 'Home' })).toHaveAttribute(
        'aria-current',
        'page',
      );
    }
  });
}

test('a courier is welcomed in the full sheet and led to what is on offer', async ({
  phone,
  backstage,
}) => {
  const { page } = await phone();
  await enter(page, await backstage.account('Employee', 'Sani'));
  const home = new HomePage(page);
  await home.openSheet();
  await expect(page.getByText('Welcome back, Sani Bello!')).toBeVisible();
  await expect(page.getByLabel('Pickup Address')).toBeHidden();
  await page.getByRole('link', { name: 'View Available Packages' }).click();
  await expect(page).toHaveURL(/\/delivery\/pending$/);
  // The sheet does not stand open behind: home is at rest on the way back.
  await page.getByRole('link', { name: 'Home' }).click();
  await expect(home.fullSheet).toBeHidden();
  await expect(home.menu).toBeVisible();
});

test('whoever has no complete profile is asked for it in place of the form', async ({
  phone,
  backstage,
}) => {
  const { page } = await phone();
  const sender = await backstage.account('Customer', 'Amina');
  const bare = { ...sender, email: `bare-${sender.email}` };
  await fetch(`${backstage.serverUrl}/api/auth/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: bare.email, password: bare.password, role: bare.role }),
  });
  await enter(page, bare);
  await new HomePage(page).openSheet();
  await expect(page.getByText('Profile Incomplete')).toBeVisible();
  await expect(
    page.getByText('Please complete your profile information before creating a package.'),
  ).toBeVisible();
  await page.getByRole('link', { name: 'Update Profile' }).click();
  await expect(page).toHaveURL(/\/edit-user\/[0-9a-f-]+$/);
});
