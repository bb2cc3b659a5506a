import { expect } from '@playwright/test';
import { test } from '#tests/e2e/kaya.ts';
import { userIdOf } from '#tests/e2e/outbox-stage.ts';
import { PackageListPage } from '#tests/e2e/pages/package-list-page.ts';

test('after one load all opens offline', async ({ installed, backstage, network }) => {
  const sender = await backstage.sender();
  const pkg = await backstage.package(sender);
  if (!pkg) throw new Error('No package was made.');
  const { page, shell } = await installed(sender);
  await shell.openTracking();
  await expect(new PackageListPage(page).card(pkg.description)).toBeVisible();
  const userId = await userIdOf(page);

  network.setFaults(() => ({ kind: 'dropped before' }));
  const from = network.received.length;
  const headings: Record<string, string | RegExp> = {
    '/': 'Home',
    '/home': 'Home',
    '/tracking': 'Tracking',
    '/tracking/pending': 'Tracking',
    '/tracking/in-transit': 'Tracking',
    '/delivery': 'Deliveries',
    '/delivery/pending': 'Deliveries',
    '/delivery/in-transit': 'Deliveries',
    '/delivery/all': 'Deliveries',
    '/account': 'Account',
    '/personal-info': 'Personal Info',
    '/security': 'Login & Security',
    [`/edit-user/${userId}`]: 'Edit User',
    [`/package-detail/${pkg._id}`]: 'Package Details',
    [`/edit-package/${pkg._id}`]: 'Edit Package',
    '/new-package': 'New Package',
    '/outbox': 'Changes',
    '/payment': 'Payment',
    '/deposit': 'Add Funds',
    '/support': 'Support',
    '/promotion': 'Promotion',
    '/about': 'About',
    '/delivery-request': 'About',
    '/no-such-place': '404 Not Found',
    // A signed-in user is redirected.
    '/auth': 'Home',
  };
  for (const [address, name] of Object.entries(headings)) {
    await page.goto(address);
    await expect(
      page.getByRole('heading', { level: 1, name, exact: true }),
      address,
    ).toBeAttached();
  }
  await page.goto('/tracking/pending');
  await expect(new PackageListPage(page).card(pkg.description)).toBeVisible();
  await expect(page.getByText(/^(Server unreachable|Offline) · updated/)).toBeVisible();
  await page.goto(`/package-detail/${pkg._id}`);
  await expect(page.getByText(pkg.description)).toBeVisible();

  // Calls to the server, update checks and the map may fail; the app's files are not requested.
  const asked = network.received.slice(from).map((line) => line.split(' ')[1] ?? '');
  expect(
    asked.filter((path) => !path.startsWith('/api/') && !['/sw.js', '/config.json'].includes(path)),
  ).toEqual([]);
});
