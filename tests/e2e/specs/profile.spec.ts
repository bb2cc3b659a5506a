/** Profile and password: errors are shown, and input is kept. */
import type { Locator, Page } from '@playwright/test';
import { nameOf, unique, userOf } from '#tests/e2e/backstage.ts';
import { enter } from '#tests/e2e/inside.ts';
import { type Account, expect, test } from '#tests/e2e/kaya.ts';

test('a profile is checked, and saved offline', async ({ installed, backstage }) => {
  const sender = await backstage.sender(unique('Hadiza'));
  const { page, context } = await installed(sender);
  await page.goto('/personal-info');
  await expect(page.getByRole('region', { name: nameOf(sender) })).toContainText(sender.email);
  await page.getByRole('link', { name: 'Edit Profile' }).click();
  const save = page.getByRole('button', { name: 'Save Changes' });
  const first = page.getByLabel('First Name');

  await first.fill('   ');
  await save.click();
  await expect(first).toHaveAccessibleDescription('This field is required.');
  await expect(first).toBeFocused();
  // Away and back inside the app: the input is still there.
  await first.fill('Hadizatu');
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByRole('link', { name: 'Edit Profile' }).click();
  await expect(first).toHaveValue('Hadizatu');
  await first.fill('حديزة 👩🏾‍🌾');
  await page.getByLabel('Last Name').fill('<i>Bello</i>');

  await context.setOffline(true);
  await save.click();
  await expect(page.getByText('Saved. It will be sent when you are back online.')).toBeVisible();
  await expect(page.getByText('Waiting to send')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'حديزة 👩🏾‍🌾 <i>Bello</i>' })).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText('User updated successfully!')).toBeVisible();
  expect(await userOf(backstage, sender)).toMatchObject({
    ...{ firstName: 'حديزة 👩🏾‍🌾', lastName: '<i>Bello</i>' },
  });
});

test('a password change needs the network', async ({ installed, backstage, network }) => {
  const sender = await backstage.sender(unique('Binta'));
  const { page, context } = await installed(sender);
  await page.goto('/security');
  const open = page.getByRole('button', { name: 'Change Password' });
  await open.click();
  const [next, again] = ['New Password', 'Confirm Password'].map((name) =>
    page.getByRole('textbox', { name }),
  );
  if (!next || !again) throw new Error('Two fields are expected.');
  await expect(next).toBeFocused();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(open).toBeFocused();
  await open.click();
  const save = page.getByRole('button', { name: 'Save Password' });
  await next.fill('123456');
  await again.fill('1234567');
  await save.click();
  await expect(again).toHaveAccessibleDescription('Passwords do not match');
  await expect(next).toHaveValue('123456');
  await next.fill('a-new-password');
  await again.fill('a-new-password');
  await context.setOffline(true);
  await save.click();
  await expect(page.getByText(/You need an internet connection/)).toBeVisible();
  await expect(next).toHaveValue('a-new-password');
  await context.setOffline(false);

  const isPatch = (method: string, path: string) => method === 'PATCH' && path === '/api/users';
  const reply = network.holdNextReply(isPatch);
  await save.click();
  await reply.answered;
  await expect(page.getByRole('status').getByText('Updating password...')).toBeVisible();
  reply.release();
  await expect(page.getByText('Password updated successfully!')).toBeVisible();
  await expect(open).toBeFocused();
  const login = { email: sender.email, password: 'a-new-password' };
  expect(await backstage.call(login, 'GET', '/api/users')).toHaveLength(1);
});

test.describe('a password change', () => {
  const isPatch = (method: string, path: string) => method === 'PATCH' && path === '/api/users';

  /** Opens the form, filled in. */
  async function openForm(page: Page, account: Account): Promise<Locator> {
    await enter(page, account, '/security');
    await page.getByRole('button', { name: 'Change Password' }).click();
    await page.getByLabel('New Password').fill('a-new-password');
    await page.getByLabel('Confirm Password').fill('a-new-password');
    return page.getByRole('button', { name: 'Save Password' });
  }

  async function expectSignedIn(page: Page): Promise<void> {
    const refreshed = page.waitForResponse((answer) => answer.url().endsWith('/api/auth/refresh'));
    await page.reload();
    expect((await refreshed).status()).toBe(200);
    await expect(page.getByRole('heading', { name: 'Login & Security' })).toBeVisible();
  }

  test('with a lost reply is made once, reported as made, and keeps the phone signed in @long', async ({
    phone,
    backstage,
    network,
  }) => {
    const sender = await backstage.sender(unique('Binta'));
    const { page } = await phone();
    const save = await openForm(page, sender);
    const cut = network.cutNextReply(isPatch);
    await save.click();
    await cut;
    await expect(page.getByText('Password updated successfully!')).toBeVisible();
    const asked = network.answers.filter(({ method }) => method === 'PATCH');
    expect(asked.map(({ isReplayed }) => isReplayed)).toEqual([false, true]);
    await expectSignedIn(page);
    const login = { email: sender.email, password: 'a-new-password' };
    expect(await backstage.call(login, 'GET', '/api/users')).toHaveLength(1);
  });

  test('without any answer reports the uncertainty and repeats the same request @long', async ({
    phone,
    backstage,
    network,
  }) => {
    const sender = await backstage.sender(unique('Binta'));
    const { page } = await phone();
    const save = await openForm(page, sender);
    network.setFaults((method, path) => (isPatch(method, path) ? { kind: 'dropped after' } : null));
    await save.click();
    await expect(page.getByText('we don’t know whether your password was changed')).toBeVisible();
    network.setFaults(null);
    // Also after the form was closed in between.
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Change Password' }).click();
    await page.getByLabel('New Password').fill('a-new-password');
    await page.getByLabel('Confirm Password').fill('a-new-password');
    await save.click();
    await expect(page.getByText('Password updated successfully!')).toBeVisible();
    const keys = network.answers.filter(({ method }) => method === 'PATCH').map(({ key }) => key);
    expect([keys.length, new Set(keys).size]).toEqual([3, 1]);
    await expectSignedIn(page);
  });
});
