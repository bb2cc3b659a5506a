/** Profile and password: errors are shown, and input is kept. */
import { nameOf, unique, userOf } from '#tests/e2e/backstage.ts';
import { expect, test } from '#tests/e2e/kaya.ts';

test.use({ hasServiceWorker: false });

const isPatch = (method: string, path: string) => method === 'PATCH' && path === '/api/users';

test('a profile is checked and saved offline; a password needs the network', async ({
  signedIn,
  backstage,
  network,
}) => {
  const sender = await backstage.sender(unique('Hadiza'));
  const { page, context } = await signedIn(sender);
  await page.goto('/personal-info');
  const profile = page.getByRole('region', { name: nameOf(sender) });
  await expect(profile).toContainText(sender.email);
  // The title says it.
  await expect(profile.getByText('First Name')).toHaveCount(0);
  await page.getByRole('link', { name: 'Edit Profile' }).click();
  const save = page.getByRole('button', { name: 'Save Changes' });
  const first = page.getByLabel('First Name');

  await first.fill('   ');
  await save.click();
  await expect(first).toHaveAccessibleDescription('This field is required.');
  await expect(first).toBeFocused();
  // Nothing typed is lost unasked.
  await first.fill('Hadizatu');
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByRole('button', { name: 'Keep editing' }).click();
  await page.reload();
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
    firstName: 'حديزة 👩🏾‍🌾',
    lastName: '<i>Bello</i>',
  });

  await page.goto('/security');
  const open = page.getByRole('button', { name: 'Change Password' });
  await open.click();
  const next = page.getByRole('textbox', { name: 'New Password' });
  const again = page.getByRole('textbox', { name: 'Confirm Password' });
  await expect(next).toBeFocused();
  await expect(next).toHaveAccessibleDescription('At least 6 characters.');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(open).toBeFocused();
  await open.click();
  const savePassword = page.getByRole('button', { name: 'Save Password' });
  await next.fill('123456');
  await again.fill('1234567');
  await savePassword.click();
  await expect(again).toHaveAccessibleDescription('Passwords do not match');
  await expect(next).toHaveValue('123456');
  await next.fill('a-new-password');
  await again.fill('a-new-password');
  await context.setOffline(true);
  await savePassword.click();
  await expect(page.getByText(/You need an internet connection/)).toBeVisible();
  await expect(next).toHaveValue('a-new-password');
  await context.setOffline(false);

  const reply = network.holdNextReply(isPatch);
  await savePassword.click();
  await reply.answered;
  await expect(page.getByRole('status').getByText('Updating password...')).toBeVisible();
  reply.release();
  await expect(page.getByText('Password updated successfully!')).toBeVisible();
  await expect(open).toBeFocused();
  const login = { email: sender.email, password: 'a-new-password' };
  expect(await backstage.call(login, 'GET', '/api/users')).toHaveLength(1);
});

test('a password change is repeated @long', async ({ signedIn, backstage, network }) => {
  const sender = await backstage.sender(unique('Binta'));
  const { page } = await signedIn(sender, '/security');
  const fillIn = async (password: string) => {
    await page.getByRole('button', { name: 'Change Password' }).click();
    await page.getByLabel('New Password').fill(password);
    await page.getByLabel('Confirm Password').fill(password);
  };
  const save = page.getByRole('button', { name: 'Save Password' });
  const changes = () => network.answers.filter(({ method }) => method === 'PATCH');
  const done = page.getByText('Password updated successfully!');

  await test.step('a lost reply: it is made once and reported as made', async () => {
    await fillIn('a-new-password');
    const cut = network.cutNextReply(isPatch);
    await save.click();
    await cut;
    await expect(done).toBeVisible();
    expect(changes().map(({ isReplayed }) => isReplayed)).toEqual([false, true]);
    await expect(done).toBeHidden();
  });
  await test.step('no answer at all: the uncertainty is reported', async () => {
    await fillIn('a-newer-password');
    network.setFaults((method, path) => (isPatch(method, path) ? { kind: 'dropped after' } : null));
    await save.click();
    await expect(page.getByText('we don’t know whether your password was changed')).toBeVisible();
    network.setFaults(null);
    // Also after the form was closed in between.
    await page.getByRole('button', { name: 'Cancel' }).click();
    await fillIn('a-newer-password');
    await save.click();
    await expect(done).toBeVisible();
    const keys = changes().map(({ key }) => key);
    expect([keys.length, new Set(keys).size]).toEqual([5, 2]);
  });
  const refreshed = page.waitForResponse((answer) => answer.url().endsWith('/api/auth/refresh'));
  await page.reload();
  expect((await refreshed).status()).toBe(200);
  await expect(page.getByRole('heading', { name: 'Login & Security' })).toBeVisible();
  const login = { email: sender.email, password: 'a-newer-password' };
  expect(await backstage.call(login, 'GET', '/api/users')).toHaveLength(1);
});

test('sun mode is kept on the phone @long', async ({ signedIn, backstage }) => {
  const { page } = await signedIn(await backstage.sender(unique('Rana')));
  await page.goto('/account');
  const look = () =>
    page.evaluate(() => {
      const { backgroundColor } = getComputedStyle(document.querySelector('section') as Element);
      return [getComputedStyle(document.documentElement).fontSize, backgroundColor];
    });
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(page.getByLabel('Sun mode')).toBeVisible();
  const before = await look();
  await page.getByLabel('Sun mode').check();
  const inSun = ['18px', 'rgb(255, 255, 255)'];
  expect(await look()).toEqual(inSun);
  await page.reload();
  await expect(page.getByLabel('Sun mode')).toBeChecked();
  expect(await look()).toEqual(inSun);
  await page.getByLabel('Sun mode').uncheck();
  expect(await look()).toEqual(before);
});

test('a slow answer about the password leaves the focus where it is @long', async ({
  signedIn,
  sender,
}) => {
  const { page } = await signedIn(sender, '/security');
  await page.getByRole('button', { name: 'Change Password' }).click();
  await page.getByLabel('New Password', { exact: true }).fill('another-good-one');
  await page.getByLabel('Confirm Password').fill('another-good-one');
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/api/users', async (route) => {
    if (route.request().method() === 'PATCH') await answered;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Save Password' }).click();
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByRole('link', { name: 'Personal Info' }).click();
  await page.getByRole('link', { name: 'Edit Profile' }).click();
  await page.getByLabel('First Name').focus();
  answer();
  await expect(page.getByText('Password updated successfully!')).toBeVisible();
  await expect(page.getByLabel('First Name')).toBeFocused();
});
