/** The end of a session: refused by the server, or by logging out. */
import { untilAtWork } from '#tests/e2e/answers.ts';
import { admin } from '#tests/e2e/backstage.ts';
import { comeBack, spoken } from '#tests/e2e/inside.ts';
import { expect, test } from '#tests/e2e/kaya.ts';
import {
  changeAddressOffline,
  openTab,
  pressLogOut,
  rowsOf,
  untilAddressSent,
  userIdOf,
  usersInMirror,
} from '#tests/e2e/outbox-stage.ts';
import { AuthPage } from '#tests/e2e/pages/auth-page.ts';
import { ChangesPage } from '#tests/e2e/pages/changes-page.ts';

const isLogOut = (_: string, path: string) => path === '/api/auth/logout';
const sessionExpired = { name: 'Session Expired' };

test('offline, an untrusted phone stays closed @long', async ({
  backstage,
  sender,
  page,
  context,
}) => {
  const shell = await (await AuthPage.open(page)).signInAs(sender, { trust: false });
  await shell.untilInstalled();
  await changeAddressOffline(page);
  await page.reload();
  const offline = page.getByRole('heading', { name: 'You are offline' });
  await expect(offline).toBeVisible();
  await expect(page.getByText('1 change is saved on this device and will be sent.')).toBeVisible();
  await expect(page.getByText('Session Expired')).toBeHidden();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(offline).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByRole('heading', { name: 'Personal Info' })).toBeVisible();
  await untilAddressSent(backstage, sender);
});

test('an ended session keeps unsent work until sign-in', async ({ installed, sender }) => {
  const { page, context } = await installed(sender);
  await changeAddressOffline(page);
  await context.clearCookies();
  // The reload loses the access token.
  await page.reload();
  await expect(page.getByText('Waiting to send')).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByRole('heading', sessionExpired)).toBeVisible();
  await expect(
    page.getByText('1 change is saved on this device and will be sent when you sign in.'),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Go to Login Page' }).click();
  await expect(page).toHaveURL(/\/auth$/);
  await expect(page.getByText('Please log in to access this page.')).toBeHidden();
  expect(await usersInMirror(page)).toBe(0);
  await new AuthPage(page).submit(sender);
  await expect(page.getByText('User updated successfully!')).toBeVisible();
  await expect(page).toHaveURL(/\/personal-info$/);
  await context.setOffline(true);
  await page.goto('/account');
  await expect(page.getByText('Amina Bello')).toBeVisible();
});

test('a deactivated account keeps only its queue and drafts @long', async ({
  installed,
  backstage,
  sender,
}) => {
  const { page, context } = await installed(sender);
  await page.goto('/new-package');
  await page.getByLabel('Pickup Address').fill('12 Kofar Mata Road, Kano');
  await changeAddressOffline(page);
  await backstage.call(admin, 'DELETE', '/api/users', { id: await userIdOf(page) });
  await context.setOffline(false);
  const said = page.getByText('This account has been deactivated. Please contact support.');
  await expect(said).toBeVisible();
  await expect(page.getByText('1 change is saved on this device')).toBeVisible();
  await expect.poll(() => usersInMirror(page)).toBe(0);
  expect(await rowsOf(page, 'outbox')).toHaveLength(1);
  await context.setOffline(true);
  await page.goto('/account');
  await expect(said).toBeVisible();
  await expect(page.getByText('Amina Bello')).toBeHidden();
  // For when the account is active again.
  expect(await page.evaluate(() => localStorage.getItem('packageDraft'))).toContain('Kofar');
});

test('a draft outlives the session @long', async ({ backstage, sender, page, context }) => {
  await (await AuthPage.open(page)).signInAs(sender);
  await page.goto('/new-package');
  const pickup = page.getByLabel('Pickup Address');
  const deleted = page.getByText('1 form or picture you hadn’t sent was deleted from it.');
  const expireAndSignIn = async (who: typeof sender, { trust = true, isDeleted = false } = {}) => {
    // Otherwise the answer to an earlier request would set a new cookie.
    await page.goto('/');
    await untilAtWork(page);
    await context.clearCookies();
    await page.reload();
    const login = page.getByRole('button', { name: 'Go to Login Page' });
    await expect(login).toBeVisible();
    await expect(deleted).toHaveCount(isDeleted ? 1 : 0);
    await login.click();
    await new AuthPage(page).signInAs(who, { trust });
    await page.goto('/new-package');
  };
  await pickup.fill('12 Kofar Mata Road, Kano');
  await expireAndSignIn(sender);
  await expect(pickup).toHaveValue('12 Kofar Mata Road, Kano');
  const bala = await backstage.sender('Bala');
  await expireAndSignIn(bala, { trust: false });
  await expect(pickup).toHaveValue('');
  // On a device that is not trusted nothing is left, which is said.
  await pickup.fill('4 Zoo Road');
  await expireAndSignIn(bala, { isDeleted: true });
  await expect(pickup).toHaveValue('');
  const kept = await page.evaluate(() => JSON.stringify({ ...localStorage }));
  expect(kept).not.toContain('Kofar Mata');
});

test('a late acceptance is refused and waits in Changes', async ({ signedIn, backstage }) => {
  const { courier, packages } = await backstage.offers(1);
  const [{ description, packageId }] = packages;
  const { page, context, shell } = await signedIn(courier);
  const deliveries = await shell.openDeliveries();
  await expect(deliveries.card(description)).toBeVisible();
  await context.setOffline(true);
  await deliveries.accept(description);
  await expect(deliveries.card(description)).toContainText('Accept requested');
  await backstage.accept(await backstage.courier('Bala'), packages[0]);
  await context.setOffline(false);

  await expect(page.getByText('This package has already been assigned')).toBeVisible();
  await expect(deliveries.card(description)).toBeHidden();
  await pressLogOut(page);
  // Log Out asks about refused work too.
  await page.getByRole('button', { name: 'Stay signed in' }).click();
  const changes = await ChangesPage.open(page);
  const change = page.getByRole('region', { name: 'Accept delivery' });
  await expect(change).toContainText('Needs attention');
  // Scrolled out of view and possibly unmounted.
  await expect(change).toContainText(`${packageId} · ${description}`);
  await changes.discard(change);
  await expect(changes.empty).toBeVisible();
});

const expired = 'Your login has expired. Please log in again.';

test('a refused refresh ends the session in use, with the specified message', async ({
  signedIn,
  network,
  sender,
}) => {
  const { page } = await signedIn(sender, '/security');
  await page.getByRole('button', { name: 'Change Password' }).click();
  await page.getByLabel('New Password').fill('a-better-password');
  await page.getByLabel('Confirm Password').fill('a-better-password');
  let isOver = false;
  network.setFaults((method, path) => {
    isOver ||= method === 'PATCH';
    if (!isOver || !path.startsWith('/api/')) return null;
    return path === '/api/auth/refresh'
      ? { kind: 'status', status: 401, code: 'session_expired', message: expired }
      : { kind: 'status', status: 401, code: 'unauthenticated' };
  });
  await page.getByRole('button', { name: 'Save Password' }).click();
  await expect(page.getByRole('heading', sessionExpired)).toBeVisible();
  await expect(page.getByRole('paragraph').getByText(expired)).toBeVisible();
  await expect(spoken(page, 'alert', expired)).toBeVisible();

  network.setFaults(null);
  await page.getByRole('button', { name: 'Go to Login Page' }).click();
  await expect(page).toHaveURL(/\/auth$/);
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
});

test('an offline log-out is completed later @long', async ({
  installed,
  backstage,
  network,
  sender,
}) => {
  const { page, context } = await installed(sender);
  await changeAddressOffline(page);
  await pressLogOut(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Log Out' }).click();
  await expect(page.getByText('Logged out on this device.')).toBeVisible();
  await expect(page).toHaveURL(/\/auth$/);
  expect(await usersInMirror(page)).toBe(0);
  // A reload does not restore the session, whatever cookie the browser still has.
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
  await (await AuthPage.open(page)).signInAs(sender);
  await untilAddressSent(backstage, sender);
});

test('a late log-out spares the next session @long', async ({ installed, backstage, network }) => {
  const { page, shell } = await installed(await backstage.sender());
  network.setFaults((method, path) => (isLogOut(method, path) ? { kind: 'dropped before' } : null));
  await pressLogOut(page);
  await expect(page.getByText('Logged out on this device.')).toBeVisible();
  network.setFaults(null);

  // The delayed log-out reaches the server, and its answer, which clears the cookie, is slow.
  const reply = network.holdNextReply(isLogOut);
  await comeBack(page);
  await reply.answered;
  const auth = new AuthPage(page);
  await auth.submit(await backstage.sender('Hauwa'));
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

test('log-out empties the phone and ends other tabs', async ({ signedIn, network, sender }) => {
  const { page, context } = await signedIn(sender);
  network.setFaults((_, path) =>
    path === '/api/auth/logout' ? { kind: 'status', status: 500 } : null,
  );
  await pressLogOut(page);
  await expect(page.getByText('Logout failed. Please try again.')).toBeVisible();
  const logOut = page.getByRole('button', { name: 'Log Out' });
  await expect(logOut).toBeEnabled();
  network.setFaults(null);

  const otherTab = await openTab(context, '/account');
  await expect(otherTab.getByRole('button', { name: 'Log Out' })).toBeVisible();
  await expect.poll(() => usersInMirror(page)).toBe(1);
  const gone = ['pendingReference', 'pendingPayment', 'typist', 'sessionHeld'];
  await page.evaluate((names) => {
    for (const name of names.slice(0, 2)) localStorage.setItem(name, 'kaya_1');
  }, gone);
  await logOut.click();
  await expect(page.getByText('Logged out successfully!')).toBeVisible();
  await expect(page).toHaveURL(/\/auth$/);
  await expect(otherTab).toHaveURL(/\/auth$/);
  expect(await usersInMirror(page)).toBe(0);
  const names = () => page.evaluate(() => Object.keys(localStorage));
  await expect.poll(async () => (await names()).filter((name) => gone.includes(name))).toEqual([]);
});

test('log-out ends tabs that return meanwhile @long', async ({ signedIn, network, sender }) => {
  const { page, context } = await signedIn(sender);
  await expect.poll(() => usersInMirror(page)).toBe(1);
  const otherTab = await openTab(context, '/account');
  await expect(otherTab.getByRole('button', { name: 'Log Out' })).toBeVisible();

  // The server has ended the session; its answer is in flight when the user comes back.
  const reply = network.holdNextReply(isLogOut);
  await pressLogOut(page);
  await reply.answered;
  await comeBack(otherTab);
  await expect(otherTab.getByRole('heading', sessionExpired)).toBeVisible();
  const refused = page.waitForResponse(
    (answer) => answer.url().endsWith('/api/auth/refresh') && answer.status() === 401,
  );
  await comeBack(page);
  await refused;
  reply.release();
  await expect(page.getByText('Logged out successfully!')).toBeVisible();
  for (const tab of [page, otherTab]) await expect(tab).toHaveURL(/\/auth$/);
  expect(await usersInMirror(page)).toBe(0);
});
