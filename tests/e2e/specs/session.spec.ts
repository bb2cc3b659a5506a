/** The session on a phone: DESIGN.md section 2 'On load', section 5 guarantees 6 and 7. */
import type { Page } from '@playwright/test';
import { expect, test } from '#tests/e2e/kaya.ts';
import { AuthPage } from '#tests/e2e/pages/auth-page.ts';

const loginRequired = 'Please log in to access this page.';

/** Rows in the mirror's table of users, read from the browser's database itself. */
function usersInMirror(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const all = await indexedDB.databases();
    const name = all.find((each) => each.name?.startsWith('kaya-user-'))?.name ?? '';
    return new Promise<number>((resolve, reject) => {
      const opening = indexedDB.open(name);
      opening.onerror = () => reject(opening.error);
      opening.onsuccess = () => {
        const db = opening.result;
        const count = db.transaction('users').objectStore('users').count();
        count.onsuccess = () => {
          db.close();
          resolve(count.result);
        };
      };
    });
  });
}

test('a visitor is sent to sign in, told why, and brought back to where they were going', async ({
  phone,
  backstage,
}) => {
  const sender = await backstage.account('Customer', 'Amina');
  const { page } = await phone();
  await page.goto('/tracking/in-transit');
  await expect(page.getByText(loginRequired)).toBeVisible();
  await page.getByText('Your ride to faster deliveries').click();
  await new AuthPage(page).signInAs(sender);
  await expect(page).toHaveURL(/\/tracking\/in-transit$/);
});

test('a phone that is not trusted does not open without network, and opens once it is back', async ({
  phone,
  backstage,
}) => {
  const sender = await backstage.account('Customer', 'Amina');
  const { page, context } = await phone();
  const shell = await (await AuthPage.open(page)).signInAs(sender, { trust: false });
  await shell.untilInstalled();
  await context.setOffline(true);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'You are offline' })).toBeVisible();
  await expect(page.getByText('Session Expired')).toBeHidden();
  await context.setOffline(false);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('Where to?')).toBeVisible();
});

test('a session that the server has ended shows Session Expired, and leads to the sign-in form', async ({
  phone,
  backstage,
}) => {
  const sender = await backstage.account('Customer', 'Amina');
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

test('logging out empties the mirror and ends the other tab; a failure is said and changes nothing', async ({
  phone,
  backstage,
}) => {
  const sender = await backstage.account('Customer', 'Amina');
  const { page, context } = await phone();
  await (await AuthPage.open(page)).signInAs(sender);
  await page.goto('/account');
  const logOut = page.getByRole('button', { name: 'Log Out' });

  await page.route('**/api/auth/logout', (route) => route.abort());
  await logOut.click();
  await expect(page.getByText('Logout failed. Please try again.')).toBeVisible();
  await expect(logOut).toBeEnabled();
  await page.unroute('**/api/auth/logout');

  const otherTab = await context.newPage();
  await otherTab.goto('/account');
  await expect(otherTab.getByRole('button', { name: 'Log Out' })).toBeVisible();
  await expect.poll(() => usersInMirror(page)).toBe(1);
  await logOut.click();
  await expect(page.getByText('Logged out successfully!')).toBeVisible();
  await expect(page).toHaveURL(/\/auth$/);
  await expect(otherTab).toHaveURL(/\/auth$/);
  expect(await usersInMirror(page)).toBe(0);
});

test('logging out empties the mirror even while the app is asking for more', async ({
  phone,
  backstage,
  network,
}) => {
  const sender = await backstage.account('Customer', 'Amina');
  const { page } = await phone();
  await (await AuthPage.open(page)).signInAs(sender);
  await expect.poll(() => usersInMirror(page)).toBe(1);
  await page.goto('/account');

  // The server has ended the session; its answer is still on the way when the person comes back.
  const logout = network.holdNextReply((_, path) => path === '/api/auth/logout');
  await page.getByRole('button', { name: 'Log Out' }).click();
  await logout.answered;
  const refused = page.waitForResponse(
    (answer) => answer.url().endsWith('/api/auth/refresh') && answer.status() === 401,
  );
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await refused;
  logout.release();

  await expect(page.getByText('Logged out successfully!')).toBeVisible();
  await expect(page).toHaveURL(/\/auth$/);
  expect(await usersInMirror(page)).toBe(0);
});

test('logging out with unsent work says how much, keeps it, and it goes out at the next sign-in', async ({
  phone,
  backstage,
}) => {
  const sender = await backstage.account('Customer', 'Amina');
  const { page } = await phone();
  const auth = await AuthPage.open(page);
  await auth.signInAs(sender);

  // The server answers everything but the edit, which therefore stays unsent.
  await page.route('**/api/users', (route) =>
    route.request().method() === 'PATCH' ? route.abort() : route.fallback(),
  );
  await page.goto('/personal-info');
  await page.getByRole('link', { name: 'Edit Profile' }).click();
  await page.getByLabel('Address').fill('7 Zaria Road, Kano');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Waiting to send')).toBeVisible();

  await page.goto('/account');
  await page.getByRole('button', { name: 'Log Out' }).click();
  const question = page.getByRole('dialog');
  await expect(question).toContainText('1 change has not been sent yet.');
  await question.getByRole('button', { name: 'Log Out' }).click();
  await expect(page.getByText('Logged out successfully!')).toBeVisible();

  await page.unroute('**/api/users');
  await auth.signInAs(sender);
  await expect
    .poll(async () => JSON.stringify(await backstage.call(sender, 'GET', '/api/users')))
    .toContain('7 Zaria Road, Kano');
});

test('an acceptance that came second is refused in the words of the specification and waits in Changes', async ({
  phone,
  backstage,
}) => {
  const [sender, first, second] = await Promise.all([
    backstage.account('Customer', 'Amina'),
    backstage.account('Employee', 'Bala'),
    backstage.account('Employee', 'Sani'),
  ]);
  const description = `A crate of kola nuts for ${sender.email}`;
  const created = (await backstage.call(sender, 'POST', '/api/packages', {
    pickupAddress: '12 Kofar Mata Road, Kano',
    deliveryAddress: '4 Zoo Road, Kano',
    recipientName: 'Musa Ibrahim',
    recipientPhone: '0805 765 4321',
    description,
    pickupDate: '2027-01-15T09:00',
    priceOffer: 900,
    paymentMethod: 'cash',
  })) as { _id: string };
  const [winner] = (await backstage.call(first, 'GET', '/api/users')) as { _id: string }[];

  const { page, context } = await phone();
  const shell = await (await AuthPage.open(page)).signInAs(second);
  const deliveries = await shell.openDeliveries();
  await expect(deliveries.card(description)).toBeVisible();
  await context.setOffline(true);
  await deliveries.accept(description);
  await expect(deliveries.card(description)).toContainText('Accept requested');
  await backstage.call(first, 'PATCH', `/api/packages/${created._id}`, {
    deliveryPersonId: winner?._id,
    deliveryStatus: 'In Transit',
  });
  await context.setOffline(false);

  await expect(page.getByText('This package has already been assigned')).toBeVisible();
  await expect(deliveries.card(description)).toBeHidden();
  await page.goto('/outbox');
  const change = page.getByRole('region', { name: 'Accept delivery' });
  await expect(change).toContainText('Needs attention');
  await change.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
  await expect(page.getByText('Everything has been sent.')).toBeVisible();
});
