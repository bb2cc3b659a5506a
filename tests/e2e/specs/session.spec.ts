import { untilAtWork } from '#tests/e2e/answers.ts';
import { admin } from '#tests/e2e/backstage.ts';
import { answerInstead, expectPassing } from '#tests/e2e/inside.ts';
import { expect, test } from '#tests/e2e/kaya.ts';
import {
  changeAddressOffline,
  createPackages,
  readOutboxes,
  userIdOf,
  usersInMirror,
} from '#tests/e2e/outbox-stage.ts';
import { AuthPage } from '#tests/e2e/pages/auth-page.ts';

const loginRequired = 'Please log in to access this page.';

test('a visitor is sent to sign in, told why, and brought back to where they were going', async ({
  phone,
  backstage,
}) => {
  const sender = await backstage.account('Customer', 'Amina');
  const { page } = await phone();
  await page.goto('/tracking/in-transit');
  await page.getByText('Your ride to faster deliveries').click();
  await expect(page.getByText(loginRequired)).toBeVisible();
  await new AuthPage(page).signInAs(sender);
  await expect(page).toHaveURL(/\/tracking\/in-transit$/);
});

test('a visitor is told why for three seconds from when the form is there, and not again after a reload', {
  tag: '@long',
}, async ({ phone }) => {
  const { page } = await phone();
  await page.clock.install();
  await page.goto('/tracking/in-transit');
  await expect(page.getByRole('button', { name: /Tap to continue/ })).toBeVisible();
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 100);
  await expect(page.getByText(loginRequired)).toBeHidden();
  await page.clock.runFor(3000);
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
  await expectPassing(page, 'status', loginRequired, 3000);
  await page.clock.resume();
  await page.reload();
  await page.getByRole('button', { name: 'Join Us Today' }).click();
  // Toasts come in the order in which they are said.
  await expect(page.getByText('Switched to Sign Up form')).toBeVisible();
  await expect(page.getByText(loginRequired)).toBeHidden();
});

test('a visitor sees the splash for as long as the sign-in form is on its way', {
  tag: '@long',
}, async ({ phone }) => {
  const { page } = await phone();
  let bring = () => {};
  const isWanted = new Promise<void>((resolve) => {
    bring = resolve;
  });
  await page.route(/\/assets\/auth-screen-/, async (route) => {
    await isWanted;
    await route.continue();
  });
  await page.goto('/tracking/in-transit', { waitUntil: 'commit' });
  // Of the app, which knows by then that nobody is here.
  await expect(page.getByRole('status').getByText('Loading')).toBeAttached();
  await expect(page.getByText('Your ride to faster deliveries')).toBeVisible();
  bring();
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
});

test('a phone that is not trusted does not open without network, says what it keeps, and opens by itself once it is back', async ({
  phone,
  backstage,
}) => {
  const sender = await backstage.account('Customer', 'Amina');
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

test('a session that ends over unsent work says how much is kept, and what is sent then is said', {
  tag: '@long',
}, async ({ phone, backstage, network }) => {
  const sender = await backstage.account('Customer', 'Amina');
  const courier = await backstage.account('Employee', 'Sani');
  const [created] = await createPackages(backstage.call, sender, 1);
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

test('a session that the server has ended stays closed without a network, until the next sign-in', {
  tag: '@long',
}, async ({ phone, backstage }) => {
  const sender = await backstage.account('Customer', 'Amina');
  const { page, context } = await phone();
  const auth = await AuthPage.open(page);
  const shell = await auth.signInAs(sender);
  await shell.untilInstalled();
  const [self] = (await backstage.call(sender, 'GET', '/api/users')) as { _id: string }[];
  const password = 'a-better-password';
  // From another phone of the same person.
  await backstage.call(sender, 'PATCH', '/api/users', { id: self?._id, password });
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

test('a deactivated account’s data goes from a trusted phone, what is unsent stays, and nothing opens without a network', async ({
  phone,
  backstage,
}) => {
  const sender = await backstage.account('Customer', 'Amina');
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

test('what was typed on a trusted phone outlives the end of the session, and is nobody else’s', {
  tag: '@long',
}, async ({ phone, backstage }) => {
  const sender = await backstage.account('Customer', 'Amina');
  const other = await backstage.account('Customer', 'Bala');
  const { page, context } = await phone();
  const auth = await AuthPage.open(page);
  const expire = async () => {
    // Else the answer to what it asked on the way in would bring a fresh cookie after all.
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
  await expect(page.getByText('No pending changes.')).toBeVisible();
});
