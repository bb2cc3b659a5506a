/**
 * SPEC.md section 8, the session and the account: exact words, in their place, gone at their time.
 * The words of the sign-in and sign-up forms are the business of their own specs.
 */
import { errorCatalogue } from '#contract/errors.ts';
import { admin } from '#tests/e2e/backstage.ts';
import { answerInstead, enter, expectPassing, spoken, stopTime } from '#tests/e2e/inside.ts';
import { expect, longUnless, test } from '#tests/e2e/kaya.ts';

test.use({ hasServiceWorker: false });

const errorMs = 4000;
const successMs = 2000;

const refresh = /^\/api\/auth\/refresh$/;
const expired = 'Your login has expired. Please log in again.';

for (const { status, code, said } of [
  { status: 401, code: 'session_expired', said: expired },
  { status: 403, code: 'forbidden', said: expired },
  // To log in again would not help them.
  { status: 403, code: 'account_inactive', said: errorCatalogue.account_inactive.message },
] as const) {
  test(
    `a refresh that is refused with ${status} ${code} ends the session in mid-use, in the words of the specification`,
    longUnless(code === 'session_expired'),
    async ({ phone, backstage, network }) => {
      const sender = await backstage.account('Customer', 'Amina');
      const { page } = await phone();
      await enter(page, sender, '/security');
      await page.getByRole('button', { name: 'Change Password' }).click();
      await page.getByLabel('New Password').fill('a-better-password');
      await page.getByLabel('Confirm Password').fill('a-better-password');
      let isOver = false;
      network.setFaults((method, path) => {
        isOver ||= method === 'PATCH';
        if (!isOver || !path.startsWith('/api/')) return null;
        return refresh.test(path)
          ? { kind: 'status', status, code, message: errorCatalogue[code].message }
          : { kind: 'status', status: 401, code: 'unauthenticated' };
      });
      await page.getByRole('button', { name: 'Save Password' }).click();
      await expect(page.getByRole('heading', { name: 'Session Expired' })).toBeVisible();
      await expect(page.getByRole('paragraph').getByText(said)).toBeVisible();
      await expect(spoken(page, 'alert', expired)).toBeVisible();

      network.setFaults(null);
      await page.getByRole('button', { name: 'Go to Login Page' }).click();
      await expect(page).toHaveURL(/\/auth$/);
      await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
    },
  );
}

test("on load a refused refresh shows the server's message; what is no answer of ours does not", {
  tag: '@long',
}, async ({ phone, backstage, network }) => {
  const sender = await backstage.account('Customer', 'Amina');
  const { page } = await phone();
  await enter(page, sender);
  await expect(page.getByText('Where to?')).toBeVisible();
  answerInstead(network, 'GET', refresh, { status: 403, message: 'Blocked by the school.' });
  await page.reload();
  await expect(page.getByText('Where to?')).toBeVisible();
  await expect(page.getByText('Session Expired')).toBeHidden();

  const message = 'Your session was ended by a dispatcher.';
  answerInstead(network, 'GET', refresh, { status: 401, code: 'session_expired', message });
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Session Expired' })).toBeVisible();
  await expect(page.getByText(message)).toBeVisible();
});

test("a refused log-out says the server's words or its own, and a good one leads out", {
  tag: '@long',
}, async ({ phone, backstage, network }) => {
  const sender = await backstage.account('Customer', 'Amina');
  const { page } = await phone();
  await page.clock.install();
  await enter(page, sender, '/account');
  const logOut = page.getByRole('button', { name: 'Log Out' });
  await expect(logOut).toBeEnabled();
  await expect(page.getByText('Account Name')).toBeVisible();
  await stopTime(page);
  for (const { answer, words } of [
    { answer: { message: 'Come back at noon.' }, words: 'Come back at noon.' },
    {
      answer: { code: 'internal', message: 'The books are being closed.' } as const,
      words: 'The books are being closed.',
    },
    {
      answer: { code: 'internal', message: '' } as const,
      words: 'Logout failed. Please try again.',
    },
  ]) {
    answerInstead(network, 'POST', /^\/api\/auth\/logout$/, { status: 500, ...answer });
    await logOut.click();
    await expectPassing(page, 'alert', words, errorMs);
    await expect(logOut).not.toHaveAttribute('aria-disabled', 'true');
  }
  network.setFaults(null);
  const held = network.holdNextReply((_, path) => path === '/api/auth/logout');
  await logOut.click();
  const busy = page.getByRole('button', { name: 'Logging Out...' });
  await expect(busy).toHaveAttribute('aria-disabled', 'true');
  await held.answered;
  held.release();
  await expectPassing(page, 'status', 'Logged out successfully!', successMs);
  await expect(page).toHaveURL(/\/auth$/);
});

test('a profile that is refused or taken says so in the words of the catalogue', async ({
  phone,
  backstage,
  network,
}) => {
  const sender = await backstage.account('Customer', 'Amina');
  const { page } = await phone();
  await page.clock.install();
  await enter(page, sender, '/personal-info');
  const save = async (address: string) => {
    await page.getByRole('link', { name: 'Edit Profile' }).click();
    await page.getByLabel('Address').fill(address);
    await stopTime(page);
    await page.getByRole('button', { name: 'Save Changes' }).click();
  };
  for (const { message, words } of [
    { message: 'Not on a Friday.', words: 'Not on a Friday.' },
    { message: '', words: 'Failed to update user' },
  ]) {
    answerInstead(network, 'PATCH', /^\/api\/users$/, { status: 409, code: 'conflict', message });
    await save(`7 Zaria Road, ${words}`);
    await expectPassing(page, 'alert', words, errorMs);
    network.setFaults(null);
    await page.clock.resume();
    await page.goto('/outbox');
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
    await expect(page.getByText('No pending changes.')).toBeVisible();
    await page.goto('/personal-info');
  }
  await save('7 Zaria Road, Kano');
  await expectPassing(page, 'status', 'User updated successfully!', successMs);
});

test('a new password is being set, refused in words, and set', { tag: '@long' }, async ({
  phone,
  backstage,
  network,
}) => {
  const sender = await backstage.account('Customer', 'Amina');
  const { page } = await phone();
  await page.clock.install();
  await enter(page, sender, '/security');
  await page.getByRole('button', { name: 'Change Password' }).click();
  await page.getByLabel('New Password').fill('better-word');
  await page.getByLabel('Confirm Password').fill('better-word');
  const savePassword = page.getByRole('button', { name: 'Save Password' });
  await stopTime(page);
  for (const { message, words } of [
    { message: 'That one is too common.', words: 'That one is too common.' },
    { message: '', words: 'Failed to update password' },
  ]) {
    answerInstead(network, 'PATCH', /^\/api\/users$/, {
      ...{ status: 422, code: 'invalid_fields', message },
    });
    await savePassword.click();
    await expectPassing(page, 'alert', words, errorMs);
    await expect(page.getByLabel('New Password')).toHaveValue('better-word');
  }
  network.setFaults(null);
  const held = network.holdNextReply((method) => method === 'PATCH');
  await savePassword.click();
  await held.answered;
  await expect(spoken(page, 'status', 'Updating password...')).toBeVisible();
  held.release();
  await expectPassing(page, 'status', 'Password updated successfully!', successMs);
  await expect(page.getByText('Updating password...')).toBeHidden();
  await backstage.call({ ...sender, password: 'better-word' }, 'GET', '/api/users');
});

test('an account that cannot be deactivated says so where the server does not say why', {
  tag: '@long',
}, async ({ phone, backstage, network }) => {
  const courier = await backstage.account('Employee', 'Sani');
  const [self] = (await backstage.call(courier, 'GET', '/api/users')) as { _id: string }[];
  const { page } = await phone();
  await enter(page, admin, `/edit-user/${self?._id}`);
  answerInstead(network, 'DELETE', /^\/api\/users$/, {
    status: 500,
    code: 'internal',
    message: '',
  });
  await page.getByRole('button', { name: 'Deactivate' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Delete failed' })).toBeVisible();
  await expect(page.getByText('Active', { exact: true }).first()).toBeVisible();
});
