/** A forgotten password, mailed links, and the devices that are signed in. */
import { randomUUID } from 'node:crypto';
import { comeBack } from '#tests/e2e/inside.ts';
import { expect, test } from '#tests/e2e/kaya.ts';
import { axeComplaints } from '#tests/e2e/layout.ts';
import { mailedLink, mailsTo } from '#tests/e2e/mailbox.ts';
import { changeAddressOffline, openTab, untilAddressSent } from '#tests/e2e/outbox-stage.ts';
import { AuthPage } from '#tests/e2e/pages/auth-page.ts';
import { DevicesCard, RecoveryPage } from '#tests/e2e/pages/recovery-page.ts';

test('a forgotten password is set by the mailed link, and unsent work follows', async ({
  installed,
  backstage,
  sender,
}) => {
  const { page, context } = await installed(sender);
  await changeAddressOffline(page);
  await context.clearCookies();
  await page.reload();
  await context.setOffline(false);
  await page.getByRole('button', { name: 'Go to Login Page' }).click();

  const auth = new AuthPage(page);
  await auth.submit({ email: sender.email, password: 'not-my-password' });
  await expect(auth.password).toHaveAccessibleDescription(
    'Wrong password. Try again, or set a new one.',
  );
  await page.getByRole('link', { name: 'Forgot password?' }).click();
  const recovery = new RecoveryPage(page);
  await expect(page.getByRole('heading', { name: 'Forgot Password?' })).toBeFocused();
  await expect(recovery.email).toHaveValue(sender.email);
  await expect(page.getByText('1 change waits on this phone.')).toBeVisible();
  await context.setOffline(true);
  const offline = page.getByText('You are offline. Connect to the internet first.');
  await expect(offline).toBeVisible();
  await context.setOffline(false);
  await expect(offline).toBeHidden();
  expect(await axeComplaints(page)).toEqual([]);
  await recovery.sendLink.click();
  await expect(recovery.sent).toBeFocused();
  await expect(page.getByText(`If there is an account for ${sender.email}`)).toBeVisible();

  const link = await mailedLink(backstage, sender.email, 'reset-password');
  const tab = await openTab(context, link);
  const inTab = new RecoveryPage(tab);
  await inTab.set('2-short');
  await expect(inTab.newPassword).toHaveAccessibleDescription(
    'Password must be at least 8 characters.',
  );
  // Nobody reads it off the address, and Back does not bring it back.
  await expect(tab).toHaveURL(/\/reset-password$/);
  expect(await axeComplaints(tab)).toEqual([]);
  await inTab.set('a-better-password');
  await expect(tab.getByText('Password set. Log in with it.')).toBeVisible();
  await expect(tab).toHaveURL(/\/auth$/);
  // Without a splash in between.
  const authInTab = new AuthPage(tab);
  await expect(authInTab.email).toHaveValue(sender.email);
  const now = { email: sender.email, password: 'a-better-password' };
  await authInTab.submit(now);
  await expect(tab.getByText('User updated successfully!')).toBeVisible();
  await untilAddressSent(backstage, now);

  await test.step('the link works once', async () => {
    const again = await openTab(context, link);
    const used = new RecoveryPage(again);
    await used.set('another-password');
    await expect(used.noLongerWorks).toBeFocused();
    expect(await axeComplaints(again)).toEqual([]);
    await again.getByRole('link', { name: 'Send a new link' }).click();
    await expect(used.sendLink).toBeVisible();
  });
});

test('of a lost answer, the second attempt knows that it may be done', async ({
  page,
  backstage,
  network,
  sender,
}) => {
  await page.goto('/forgot-password');
  const recovery = new RecoveryPage(page);
  await recovery.email.fill(sender.email);
  await recovery.sendLink.click();
  await page.goto(await mailedLink(backstage, sender.email, 'reset-password'));
  network.setFaults((_, path) =>
    path === '/api/auth/reset-password' ? { kind: 'dropped after' } : null,
  );
  await recovery.set('a-better-password');
  await expect(page.getByText('we don’t know whether your password was set')).toBeVisible();
  network.setFaults(null);
  await recovery.setPassword.click();
  await expect(recovery.noLongerWorks).toBeVisible();
  await expect(page.getByText('Your new password may be set already.')).toBeVisible();
});

test('whether there is an account is not told; a second mail takes a minute @long', async ({
  page,
  backstage,
  sender,
}) => {
  await page.clock.install();
  const recovery = new RecoveryPage(page);
  const stranger = `nobody-${randomUUID()}@kaya.test`;
  for (const email of [stranger, sender.email]) {
    await page.goto('/forgot-password');
    await recovery.email.fill(email);
    await recovery.sendLink.click();
    await expect(page.getByText(`If there is an account for ${email}`)).toBeVisible();
    await expect(recovery.sendAgain).toBeDisabled();
  }
  await mailedLink(backstage, sender.email, 'reset-password');
  await page.clock.runFor(60_000);
  await recovery.sendAgain.click();
  await expect(page.getByText('We sent another link. Only the newest one works.')).toBeVisible();
  await expect(recovery.sendAgain).toBeDisabled();
  await mailedLink(backstage, sender.email, 'reset-password', 2);
  expect(await mailsTo(backstage, stranger)).toEqual([]);
});

test('Account asks to confirm the email until a mailed link has', async ({
  signedIn,
  backstage,
  sender,
}) => {
  const { page, context } = await signedIn(sender, '/account');
  const card = page.getByRole('region', { name: 'Confirm your email' });
  await mailedLink(backstage, sender.email, 'confirm-email');
  await card.getByRole('button', { name: 'Send link' }).click();
  await expect(card).toContainText(`A link is on its way to ${sender.email}.`);
  const link = await mailedLink(backstage, sender.email, 'confirm-email', 2);

  const tab = await openTab(context, link);
  await expect(tab.getByRole('heading', { name: 'Your email is confirmed' })).toBeFocused();
  await expect(tab).toHaveURL(/\/confirm-email$/);
  await expect(card).toBeHidden();
  await tab.goto('/confirm-email');
  await expect(tab.getByText('A part of the link is missing.')).toBeVisible();
  // Another link in the same tab is no page load.
  await tab.goto(link);
  await expect(
    tab.getByText('It was used, is too old, or you have changed your email.'),
  ).toBeVisible();
  expect(await axeComplaints(tab)).toEqual([]);
});

test('another device is logged out from the list', async ({ signedIn, sender }) => {
  const other = await signedIn(sender, '/account');
  const { page, context } = await signedIn(sender, '/security');
  const devices = new DevicesCard(page);
  await expect(devices.current).toHaveCount(1);
  await expect(devices.rows.first()).toContainText('This device');
  await expect(devices.ends).not.toHaveCount(0);
  await expect(devices.rows.last()).toContainText(/Last seen Today \d\d:\d\d/);
  expect(await axeComplaints(page)).toEqual([]);

  const dialog = page.getByRole('dialog');
  const end = async () => {
    await devices.ends.first().click();
    await dialog.getByRole('button', { name: 'Log Out' }).click();
  };
  const before = await devices.ends.count();
  await devices.ends.first().click();
  await dialog.getByRole('button', { name: 'Keep it' }).click();
  await context.setOffline(true);
  await end();
  await expect(page.getByText('You need an internet connection for this.')).toBeVisible();
  await expect(devices.ends).toHaveCount(before);
  await context.setOffline(false);
  for (let left = before - 1; left >= 0; left -= 1) {
    await end();
    await expect(devices.ends).toHaveCount(left);
  }
  await comeBack(other.page);
  await expect(other.page.getByRole('heading', { name: 'Session Expired' })).toBeVisible();

  await devices.current.getByRole('button', { name: 'Log Out' }).click();
  await expect(page.getByText('Logged out successfully!')).toBeVisible();
  await expect(page).toHaveURL(/\/auth$/);
});
