/** Every route for every role, and the redirect of visitors (its timing: sign-in.spec.ts). */
import type { Page } from '@playwright/test';
import { admin, type Backstage, userOf } from '#tests/e2e/backstage.ts';
import { expect, test } from '#tests/e2e/kaya.ts';
import { AuthPage } from '#tests/e2e/pages/auth-page.ts';

test.use({ hasServiceWorker: false });

const loginRequired = 'Please log in to access this page.';

/** Each route's heading; ':self' and ':package' are placeholders for ids. */
const routes = [
  { path: '/', heading: 'Home' },
  { path: '/home', heading: 'Home' },
  { path: '/tracking', heading: 'Tracking', tab: 'Pending' },
  { path: '/tracking/pending', heading: 'Tracking', tab: 'Pending' },
  { path: '/tracking/in-transit', heading: 'Tracking', tab: 'In Transit' },
  { path: '/delivery', heading: 'Deliveries', tab: 'Pending' },
  { path: '/delivery/pending', heading: 'Deliveries', tab: 'Pending' },
  { path: '/delivery/in-transit', heading: 'Deliveries', tab: 'In Transit' },
  { path: '/account', heading: 'Account' },
  { path: '/payment', heading: 'Payment' },
  { path: '/deposit', heading: 'Add Funds' },
  { path: '/support', heading: 'Support', text: 'Coming Soon ...' },
  { path: '/promotion', heading: 'Promotion', text: 'Coming Soon ...' },
  { path: '/about', heading: 'About', text: 'Coming Soon ...' },
  { path: '/delivery-request', heading: 'About', text: 'Coming Soon ...' },
  { path: '/users-list', heading: 'Users' },
  { path: '/personal-info', heading: 'Personal Info' },
  { path: '/edit-user/:self', heading: 'Edit Profile' },
  { path: '/package-detail/:package', heading: 'Package Details' },
  { path: '/new-package', heading: 'New Package' },
  { path: '/edit-package/:package', heading: 'Edit Package' },
  { path: '/security', heading: 'Login & Security' },
];

/** Without a session, too. */
const open = [
  { path: '/forgot-password', heading: 'Forgot Password?' },
  { path: '/reset-password', heading: 'This link no longer works' },
  { path: '/confirm-email', heading: 'This link no longer works' },
];

const unknown = [
  '/no-such-place',
  '/tracking/nowhere',
  '/home/again',
  '/package-detail',
  '/api-docs',
];

/** `:self` and `:package` as on this server. */
async function placesOf(backstage: Backstage, who: 'Customer' | 'Admin') {
  const sender = await backstage.sender();
  const pkg = await backstage.package(sender);
  const self = who === 'Admin' ? admin : sender;
  const { _id: selfId } = await userOf(backstage, self);
  const placed = routes.map(({ path, ...rest }) => ({
    path: path.replace(':self', selfId).replace(':package', pkg._id),
    ...rest,
  }));
  return { self, pkg, placed };
}

const headingOf = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true });

type Place = Awaited<ReturnType<typeof placesOf>>['placed'][number];

async function expectScreen(page: Page, { path, heading, tab, text }: Place) {
  await expect(headingOf(page, heading), path).toBeAttached();
  await expect(page).toHaveURL(path);
  await expect(page).toHaveTitle(new RegExp(`^${heading} · `));
  if (tab) {
    const current = page.getByRole('main').getByRole('link', { name: tab, exact: true });
    await expect(current).toHaveAttribute('aria-current', 'page');
  }
  if (text) await expect(page.getByText(text)).toBeVisible();
}

test('every route shows a dispatcher its screen, and unknown ones a not-found page @long', async ({
  signedIn,
  backstage,
}) => {
  const { self, placed } = await placesOf(backstage, 'Admin');
  const { page } = await signedIn(self);
  for (const place of placed) {
    await test.step(place.path, async () => {
      await page.goto(place.path);
      await expectScreen(page, place);
    });
  }
  for (const path of unknown) {
    await page.goto(path);
    await expect(page.getByRole('heading', { name: '404 Not Found' })).toBeFocused();
  }
  await page.getByRole('link', { name: 'Go to Home' }).click();
  await expect(page.getByRole('button', { name: 'Open menu' })).toBeVisible();
  await page.goto('/auth');
  await expect(page).toHaveURL(/\/$/);
});

test.describe('with a service worker', () => {
  test.use({ hasServiceWorker: true });

  test('after one load every route shows its screen offline', async ({
    installed,
    backstage,
    network,
  }) => {
    const { self, pkg, placed } = await placesOf(backstage, 'Customer');
    const { page, shell } = await installed(self);
    const list = await shell.openTracking();
    await expect(list.card(pkg.description)).toBeVisible();

    network.setFaults(() => ({ kind: 'dropped before' }));
    const from = network.received.length;
    const more = [
      { path: '/delivery/all', heading: 'Deliveries' },
      { path: '/outbox', heading: 'Changes' },
      ...open,
      { path: '/no-such-place', heading: '404 Not Found' },
      // A signed-in user is redirected.
      { path: '/auth', heading: 'Home' },
    ];
    // The dispatcher's are stored only on their phones: lost-files.spec.ts.
    const stored = placed.filter(({ path }) => path !== '/users-list');
    for (const place of stored) {
      await page.goto(place.path);
      await expectScreen(page, place);
    }
    for (const { path, heading } of more) {
      await page.goto(path);
      await expect(headingOf(page, heading), path).toBeAttached();
    }
    await page.goto('/tracking/pending');
    await expect(list.card(pkg.description)).toBeVisible();
    await expect(page.getByText(/^(Server unreachable|Offline) · updated/)).toBeVisible();
    await page.goto(`/package-detail/${pkg._id}`);
    await expect(page.getByText(pkg.description)).toBeVisible();

    // Calls to the server, update checks and the map may fail; the app's files are not requested.
    const asked = network.received.slice(from).map((line) => line.split(' ')[1] ?? '');
    const mayFail = (path: string) =>
      path.startsWith('/api/') || ['/sw.js', '/config.json'].includes(path);
    expect(asked.filter((path) => !mayFail(path))).toEqual([]);
    // A phone never loads what only a desk shows.
    expect(network.received.filter((line) => line.includes('/assets/desk-'))).toEqual([]);
  });
});

test('a visitor is sent to sign in, which remembers the address', async ({ page }) => {
  await AuthPage.open(page);
  const from = () => page.evaluate(() => history.state?.usr?.from);
  await page.goto('/payment?from=a-link');
  await expect(page).toHaveURL(/\/auth$/);
  await expect(page.getByRole('status').filter({ hasText: loginRequired })).toBeVisible();
  expect(await from()).toBe('/payment?from=a-link');
  // The others without a load for each.
  for (const { path } of routes) {
    await test.step(path, async () => {
      await page.evaluate((address) => {
        history.pushState(null, '', address);
        window.dispatchEvent(new PopStateEvent('popstate'));
      }, `${path}?from=a-link`);
      await expect.poll(from).toBe(`${path}?from=a-link`);
      await expect(page).toHaveURL(/\/auth$/);
    });
  }
  for (const { path, heading } of open) {
    await page.goto(path);
    await expect(headingOf(page, heading), path).toBeVisible();
    await expect(page).toHaveURL(path);
  }
  await page.goto('/tracking/nowhere');
  await expect(page.getByRole('heading', { name: '404 Not Found' })).toBeFocused();
  await expect(page.getByText(loginRequired)).toBeHidden();
  await page.getByRole('link', { name: 'Go to Home' }).click();
  await expect(page).toHaveURL(/\/auth$/);
});

test('a session without a known role leads back to sign in @long', async ({ phone, sender }) => {
  const userInfo = {
    id: crypto.randomUUID(),
    email: sender.email,
    roles: ['Auditor'],
    firstName: '',
    lastName: '',
  };
  const accessToken = ['{}', JSON.stringify({ userInfo }), '']
    .map((part) => Buffer.from(part).toString('base64url'))
    .join('.');
  const expectForm = async (page: Page) => {
    await expect(page).toHaveURL(/\/auth$/);
    await expect(page.getByText(loginRequired)).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
  };

  await test.step('signed in with it', async () => {
    const { page } = await phone();
    await page.route('**/api/auth/{login,refresh}', (route) =>
      route.fulfill({ json: { accessToken } }),
    );
    await (await AuthPage.open(page)).submit(sender);
    await expect(page.getByText('Login successful!')).toBeVisible();
    await page.goto('/account');
    await expectForm(page);
  });
  await test.step('received since, on an untrusted device', async () => {
    const { page } = await phone();
    await (await AuthPage.open(page)).signInAs(sender, { trust: false });
    await page.route('**/api/auth/refresh', (route) => route.fulfill({ json: { accessToken } }));
    await page.goto('/account');
    await expectForm(page);
  });
});

test('an unknown address with a script does not run it @long', async ({ signedIn, sender }) => {
  const { page } = await signedIn(sender);
  const made = encodeURIComponent(`<img src=x onerror="window['taken']=1">`);
  for (const { at, says } of [
    { at: `/package-detail/${made}`, says: 'No package data found' },
    { at: `/edit-user/00000000-0000-4000-8000-000000000000`, says: 'User not found' },
    { at: `/outbox?about=${made}`, says: 'No pending changes.' },
    { at: `/new-package?from=${made}`, says: 'This change was already resolved' },
  ]) {
    await page.goto(at);
    await expect(page.getByText(says)).toBeVisible();
    expect(await page.evaluate(() => 'taken' in window), at).toBe(false);
  }
});
