import { errorCatalogue } from '#contract/errors.ts';
import { untilAtWork } from '#tests/e2e/answers.ts';
import { admin } from '#tests/e2e/backstage.ts';
import { answerInstead, spoken } from '#tests/e2e/inside.ts';
import { expect, longUnless, test } from '#tests/e2e/kaya.ts';
import {
  changeAddressOffline,
  readOutboxes,
  userIdOf,
  usersInMirror,
} from '#tests/e2e/outbox-stage.ts';
import { AuthPage } from '#tests/e2e/pages/auth-page.ts';

const loginRequired = 'Please log in to access this page.';

test('a visitor signs in and reaches the requested page', async ({ phone, backstage }) => {
  const sender = await backstage.sender();
  const { page } = await phone();
  await page.goto('/tracking/in-transit');
  await page.getByText('Your ride to faster deliveries').click();
  await expect(page.getByText(loginRequired)).toBeVisible();
  await new AuthPage(page).signInAs(sender);
  await expect(page).toHaveURL(/\/tracking\/in-transit$/);
});

test('offline, an untrusted phone stays closed', async ({ phone, backstage }) => {
  const sender = await backstage.sender();
  const { page, context } = await phone();
  const shell = await (await AuthPage.open(page)).signInAs(sender, { trust: false });
  await shell.untilInstalled();
  await changeAddressOffline({ page, context }, '7 Zaria Road, Kano');
  await page.reload();
  await expect(page.getByRole('heading', { name: 'You are offline' })).toBeVisible();
  await expect(page.getByText('1 change is saved on this phone and will be sent.')).toBeVisible();
  await expect(page.getByText('Session Expired')).toBeHidden();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { name: 'You are offline' })).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByRole('heading', { name: 'Personal Info' })).toBeVisible();
  await expect
    .poll(async () => JSON.stringify(await backstage.call(sender, 'GET', '/api/users')))
    .toContain('7 Zaria Road, Kano');
});

test('a session over unsent work says what is kept @long', async ({
  phone,
  backstage,
  network,
}) => {
  const { courier, packages } = await backstage.offers(1);
  const [created] = packages;
  const { page, context } = await phone();
  const auth = await AuthPage.open(page);
  const shell = await auth.signInAs(courier);
  await shell.untilInstalled();
  const deliveries = await shell.openDeliveries();
  await expect(deliveries.card(created?.description ?? '')).toBeVisible();
  await context.setOffline(true);
  await deliveries.accept(created?.description ?? '');
  await expect(page.getByText('Waiting to send')).toBeVisible();
  answerInstead(network, 'GET', /^\/api\/auth\/refresh$/, { status: 401, code: 'session_expired' });
  await page.reload();
  await expect(page.getByText('Waiting to send')).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByRole('heading', { name: 'Session Expired' })).toBeVisible();
  await expect(
    page.getByText('1 change is saved on this phone and will be sent when you sign in.'),
  ).toBeVisible();
  network.setFaults(null);
  await page.getByRole('button', { name: 'Go to Login Page' }).click();
  await auth.signInAs(courier);
  await expect(page.getByText('Delivery accepted!')).toBeVisible();
  await expect(page).toHaveURL(/\/delivery/);
});

test('an ended session leads to the sign-in form', async ({ phone, backstage }) => {
  const sender = await backstage.sender();
  const { page, context } = await phone();
  await (await AuthPage.open(page)).signInAs(sender);
  await expect.poll(() => usersInMirror(page)).toBe(1);
  await context.clearCookies();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Session Expired' })).toBeVisible();
  await page.getByRole('button', { name: 'Go to Login Page' }).click();
  await expect(page).toHaveURL(/\/auth$/);
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
  await expect(page.getByText(loginRequired)).toBeHidden();
  expect(await usersInMirror(page)).toBe(0);
});

test('an ended session stays closed offline @long', async ({ phone, backstage }) => {
  const sender = await backstage.sender();
  const { page, context } = await phone();
  const auth = await AuthPage.open(page);
  const shell = await auth.signInAs(sender);
  await shell.untilInstalled();
  const password = 'a-better-password';
  // From another phone of the same user.
  await backstage.call(sender, 'PATCH', '/api/users', { id: sender.id, password });
  const expired = page.getByRole('heading', { name: 'Session Expired' });
  await page.reload();
  await expect(expired).toBeVisible();
  await context.setOffline(true);
  await page.goto('/account');
  await expect(expired).toBeVisible();
  await expect(page.getByText('Amina Bello')).toBeHidden();
  await context.setOffline(false);
  await page.getByRole('button', { name: 'Go to Login Page' }).click();
  await auth.signInAs({ ...sender, password });
  await context.setOffline(true);
  await page.goto('/account');
  await expect(page.getByText('Amina Bello')).toBeVisible();
});

test('a deactivated account loses the mirror, not its queue', async ({ phone, backstage }) => {
  const sender = await backstage.sender();
  const { page, context } = await phone();
  const shell = await (await AuthPage.open(page)).signInAs(sender);
  await shell.untilInstalled();
  await changeAddressOffline({ page, context }, '7 Zaria Road, Kano');
  await backstage.call(admin, 'DELETE', '/api/users', { id: await userIdOf(page) });
  await context.setOffline(false);
  const said = page.getByText('This account has been deactivated. Please contact support.');
  await expect(said).toBeVisible();
  await expect(page.getByText('1 change is saved on this phone')).toBeVisible();
  await expect.poll(() => usersInMirror(page)).toBe(0);
  expect(await readOutboxes(page)).toHaveLength(1);
  await context.setOffline(true);
  await page.goto('/account');
  await expect(said).toBeVisible();
  await expect(page.getByText('Amina Bello')).toBeHidden();
});

test('a draft outlives the session, for its owner only @long', async ({ phone, backstage }) => {
  const sender = await backstage.sender();
  const other = await backstage.sender('Bala');
  const { page, context } = await phone();
  const auth = await AuthPage.open(page);
  const expire = async () => {
    // Otherwise the answer to an earlier request would set a new cookie.
    await page.goto('/');
    await untilAtWork(page);
    await context.clearCookies();
    await page.reload();
    await page.getByRole('button', { name: 'Go to Login Page' }).click();
  };
  await auth.signInAs(sender);
  await page.goto('/new-package');
  await page.getByLabel('Pickup Address').fill('12 Kofar Mata Road, Kano');
  await expire();
  await auth.signInAs(sender);
  await page.goto('/new-package');
  await expect(page.getByLabel('Pickup Address')).toHaveValue('12 Kofar Mata Road, Kano');
  await expire();
  await auth.signInAs(other);
  await page.goto('/new-package');
  await expect(page.getByLabel('Pickup Address')).toHaveValue('');
  const kept = await page.evaluate(() => JSON.stringify({ ...localStorage }));
  expect(kept).not.toContain('Kofar Mata');
});

test('a late acceptance is refused and waits in Changes', async ({ phone, backstage }) => {
  const [sender, first, second] = await Promise.all([
    backstage.sender(),
    backstage.courier('Bala'),
    backstage.courier(),
  ]);
  const description = `A crate of kola nuts for ${sender.email}`;
  const created = await backstage.package(sender, { description });

  const { page, context } = await phone();
  const shell = await (await AuthPage.open(page)).signInAs(second);
  const deliveries = await shell.openDeliveries();
  await expect(deliveries.card(description)).toBeVisible();
  await context.setOffline(true);
  await deliveries.accept(description);
  await expect(deliveries.card(description)).toContainText('Accept requested');
  await backstage.accept(first, created);
  await context.setOffline(false);

  await expect(page.getByText('This package has already been assigned')).toBeVisible();
  await expect(deliveries.card(description)).toBeHidden();
  await page.goto('/account');
  await page.getByRole('button', { name: 'Log Out' }).click();
  // Log Out asks about refused work too.
  await page.getByRole('button', { name: 'Stay signed in' }).click();
  await page.goto('/outbox');
  const change = page.getByRole('region', { name: 'Accept delivery' });
  await expect(change).toContainText('Needs attention');
  // Scrolled out of view and possibly unmounted.
  await expect(change).toContainText(`${created.packageId} · ${description}`);
  await change.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
  await expect(page.getByText('No pending changes.')).toBeVisible();
});

const refresh = /^\/api\/auth\/refresh$/;
const expired = 'Your login has expired. Please log in again.';

for (const { status, code, said } of [
  { status: 401, code: 'session_expired', said: expired },
  { status: 403, code: 'forbidden', said: expired },
  // Signing in again would not help.
  { status: 403, code: 'account_inactive', said: errorCatalogue.account_inactive.message },
] as const) {
  test(
    `a refresh refused with ${status} ${code} ends the session in use, with the specified message`,
    longUnless(code === 'session_expired'),
    async ({ signedIn, backstage, network }) => {
      const sender = await backstage.sender();
      const { page } = await signedIn(sender, '/security');
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
