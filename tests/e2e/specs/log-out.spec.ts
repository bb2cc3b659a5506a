import type { BrowserContext, Page } from '@playwright/test';
import { comeBack } from '#tests/e2e/inside.ts';
import { expect, test } from '#tests/e2e/kaya.ts';
import { changeAddressOffline, usersInMirror } from '#tests/e2e/outbox-stage.ts';
import { AuthPage } from '#tests/e2e/pages/auth-page.ts';

const isLogOut = (_: string, path: string) => path === '/api/auth/logout';

/** Another tab of the same phone, at Log Out. */
async function accountTab(context: BrowserContext): Promise<Page> {
  const tab = await context.newPage();
  await tab.goto('/account');
  await expect(tab.getByRole('button', { name: 'Log Out' })).toBeVisible();
  return tab;
}

test('an offline log-out is completed later', async ({ phone, backstage, network }) => {
  const sender = await backstage.sender();
  const { page, context } = await phone();
  const auth = await AuthPage.open(page);
  const shell = await auth.signInAs(sender);
  await shell.untilInstalled();
  await changeAddressOffline({ page, context }, '7 Zaria Road, Kano');
  await page.goto('/account');
  await page.getByRole('button', { name: 'Log Out' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Log Out' }).click();
  await expect(page.getByText('Logged out on this phone.')).toBeVisible();
  await expect(page).toHaveURL(/\/auth$/);
  expect(await usersInMirror(page)).toBe(0);
  // Nor by a reload: the session is forgotten here, whatever cookie the browser still has.
  await page.reload();
  await expect(page).toHaveURL(/\/auth$/);

  const told = () => network.forwarded.filter((line) => line === 'POST /api/auth/logout').length;
  expect(told()).toBe(0);
  await context.setOffline(false);
  await expect.poll(told).toBe(1);
  // The server has answered.
  await expect.poll(() => page.evaluate(() => localStorage.getItem('logOutDue'))).toBeNull();
  const refreshed = await page.evaluate(async () => (await fetch('/api/auth/refresh')).status);
  expect(refreshed).toBe(401);

  await page.goto('/auth');
  await auth.signInAs(sender);
  await expect
    .poll(async () => JSON.stringify(await backstage.call(sender, 'GET', '/api/users')))
    .toContain('7 Zaria Road, Kano');
});

test('a late log-out spares the next session @long', async ({ phone, backstage, network }) => {
  const first = await backstage.sender();
  const second = await backstage.sender('Hauwa');
  const { page } = await phone();
  const auth = await AuthPage.open(page);
  const shell = await auth.signInAs(first);
  await shell.untilInstalled();
  await page.goto('/account');
  await expect(page.getByText('Account Name')).toBeVisible();
  network.setFaults((method, path) => (isLogOut(method, path) ? { kind: 'dropped before' } : null));
  await page.getByRole('button', { name: 'Log Out' }).click();
  await expect(page.getByText('Logged out on this phone.')).toBeVisible();
  network.setFaults(null);

  // The delayed log-out reaches the server, and its answer, which clears the cookie, is slow.
  const reply = network.holdNextReply(isLogOut);
  await comeBack(page);
  await reply.answered;
  await auth.email.fill(second.email);
  await auth.password.fill(second.password);
  await auth.trustDevice.check();
  await auth.signIn.click();
  await expect(page.getByRole('button', { name: 'Signing In...' })).toBeVisible();
  reply.release();
  await expect(shell.account).toBeVisible();
  await comeBack(page);
  await page.reload();
  const answer = page.waitForResponse((one) => one.url().endsWith('/api/auth/refresh'));
  await page.reload();
  expect((await answer).status()).toBe(200);
  await expect(page.getByText('Where to?')).toBeVisible();
});

test('log-out empties the mirror and ends other tabs', async ({ phone, backstage }) => {
  const sender = await backstage.sender();
  const { page, context } = await phone();
  await (await AuthPage.open(page)).signInAs(sender);
  await page.goto('/account');
  const logOut = page.getByRole('button', { name: 'Log Out' });

  await page.route('**/api/auth/logout', (route) => route.fulfill({ status: 500 }));
  await logOut.click();
  await expect(page.getByText('Logout failed. Please try again.')).toBeVisible();
  await expect(logOut).toBeEnabled();
  await page.unroute('**/api/auth/logout');

  const otherTab = await accountTab(context);
  await expect.poll(() => usersInMirror(page)).toBe(1);
  await logOut.click();
  await expect(page.getByText('Logged out successfully!')).toBeVisible();
  await expect(page).toHaveURL(/\/auth$/);
  await expect(otherTab).toHaveURL(/\/auth$/);
  expect(await usersInMirror(page)).toBe(0);
});

test('log-out clears local storage @long', async ({ phone, backstage }) => {
  const sender = await backstage.sender();
  const { page } = await phone();
  await (await AuthPage.open(page)).signInAs(sender);
  await page.goto('/account');
  await page.evaluate(() => {
    localStorage.setItem('pendingReference', 'kaya_1');
    localStorage.setItem('pendingPayment', '{"reference":"kaya_1","amount":500}');
  });
  await page.getByRole('button', { name: 'Log Out' }).click();
  await expect(page).toHaveURL(/\/auth$/);
  const names = () => page.evaluate(() => Object.keys(localStorage));
  const gone = ['pendingReference', 'pendingPayment', 'typist', 'sessionHeld'];
  await expect.poll(async () => (await names()).filter((name) => gone.includes(name))).toEqual([]);
});

test('a tab notified of a log-out leaves first @long', async ({ phone, backstage, network }) => {
  const sender = await backstage.sender();
  const { page, context } = await phone();
  await (await AuthPage.open(page)).signInAs(sender);
  await page.goto('/account');
  const otherTab = await accountTab(context);

  const reply = network.holdNextReply(isLogOut);
  await page.getByRole('button', { name: 'Log Out' }).click();
  await reply.answered;
  await comeBack(otherTab);
  await expect(otherTab.getByText('Session Expired')).toBeVisible();
  reply.release();
  await expect(page).toHaveURL(/\/auth$/);
  await expect(otherTab).toHaveURL(/\/auth$/);
});

test('log-out during a pull empties the mirror @long', async ({ phone, backstage, network }) => {
  const sender = await backstage.sender();
  const { page } = await phone();
  await (await AuthPage.open(page)).signInAs(sender);
  await expect.poll(() => usersInMirror(page)).toBe(1);
  await page.goto('/account');

  // The server has ended the session; its answer is in flight when the user comes back.
  const logout = network.holdNextReply(isLogOut);
  await page.getByRole('button', { name: 'Log Out' }).click();
  await logout.answered;
  const refused = page.waitForResponse(
    (answer) => answer.url().endsWith('/api/auth/refresh') && answer.status() === 401,
  );
  await comeBack(page);
  await refused;
  logout.release();

  await expect(page.getByText('Logged out successfully!')).toBeVisible();
  await expect(page).toHaveURL(/\/auth$/);
  expect(await usersInMirror(page)).toBe(0);
});
