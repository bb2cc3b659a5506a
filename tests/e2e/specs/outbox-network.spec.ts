/** Outbox failures on a bad network, by the numbers of tests/sync/one-effect.test.ts. */
import { comeBack, enter } from '#tests/e2e/inside.ts';
import { expect, test } from '#tests/e2e/kaya.ts';
import {
  acceptEach,
  isPatch,
  openTab,
  packagesOf,
  patchesOf,
  untilSent,
} from '#tests/e2e/outbox-stage.ts';
import { AuthPage } from '#tests/e2e/pages/auth-page.ts';
import { PackageListPage } from '#tests/e2e/pages/package-list-page.ts';
import { ShellPage } from '#tests/e2e/pages/shell-page.ts';
import { WizardPage } from '#tests/e2e/pages/wizard-page.ts';
import type { Fault } from '#tests/fakes/fault-proxy.ts';

/** Applies `fault` to the first matching request only. */
function once(fits: (method: string, path: string) => boolean, fault: Fault) {
  let isOver = false;
  return (method: string, path: string) => {
    if (isOver || !fits(method, path)) return null;
    isOver = true;
    return fault;
  };
}

test('13: a token that expires is refreshed @long', async ({ installed, backstage, network }) => {
  const { courier, packages } = await backstage.offers(3);
  const { page, context } = await installed(courier);
  await context.setOffline(true);
  await acceptEach(page, packages);
  const refreshes = () => network.received.filter((line) => line === 'GET /api/auth/refresh');
  const before = refreshes().length;
  let refused = 0;
  network.setFaults((method, path) => {
    if (!isPatch(method, path) || refreshes().length > before) return null;
    refused += 1;
    return { kind: 'status', status: 401, code: 'unauthenticated' };
  });
  await context.setOffline(false);
  await untilSent(page);
  await expect(page.getByText('Waiting to send')).toHaveCount(0);
  expect(refused).toBeGreaterThan(0);
  expect(packages.map((each) => patchesOf(network, each))).toEqual([1, 1, 1]);
});

test('14: two tabs refresh at once @long', async ({ signedIn, backstage, network }) => {
  const courier = await backstage.courier();
  const { page, context } = await signedIn(courier);
  const other = await openTab(context, '/delivery/pending');
  const cut = network.cutNextReply((_, path) => path === '/api/auth/refresh');
  // Both start without a token and share one refresh cookie.
  await Promise.all([page.reload(), other.reload()]);
  await cut;
  const refreshes = () =>
    network.forwarded.filter((line) => line === 'GET /api/auth/refresh').length;
  await expect.poll(refreshes).toBeGreaterThanOrEqual(3);
  for (const tab of [page, other]) {
    await expect(tab.getByRole('navigation', { name: 'Main' })).toBeVisible();
    await expect(tab.getByText(/^Offline/)).toBeHidden();
    await expect(tab.getByText('Session Expired')).toBeHidden();
  }
  await page.reload();
  await expect(new ShellPage(page).account).toBeVisible();
  const answer = page.waitForResponse((one) => one.url().endsWith('/api/auth/refresh'));
  await page.reload();
  expect((await answer).status()).toBe(200);
});

test('15: unsent work waits for its own user', async ({ phone, backstage, network }) => {
  const sender = await backstage.sender();
  const first = await backstage.courier();
  const second = await backstage.courier('Bala');
  const packages = await backstage.packages(sender, 2);
  const { page } = await phone();
  const auth = await AuthPage.open(page);
  await auth.signInAs(first);
  network.setFaults((method, path) => (isPatch(method, path) ? { kind: 'dropped before' } : null));
  await acceptEach(page, packages);
  await page.goto('/account');
  await page.getByRole('button', { name: 'Log Out' }).click();
  const question = page.getByRole('dialog');
  await expect(question).toContainText('2 changes have not been sent yet.');
  await question.getByRole('button', { name: 'Log Out' }).click();
  await expect(page.getByText('Logged out successfully!')).toBeVisible();

  network.setFaults(null);
  await auth.signInAs(second);
  await page.goto('/outbox');
  await expect(page.getByText('No pending changes.')).toBeVisible();
  await page.goto('/delivery/pending');
  const list = new PackageListPage(page);
  for (const { description } of packages) await expect(list.card(description)).toBeVisible();
  expect(packages.map((each) => patchesOf(network, each))).toEqual([0, 0]);
  await page.goto('/account');
  await page.getByRole('button', { name: 'Log Out' }).click();
  await expect(page.getByText('Logged out successfully!')).toBeVisible();

  await auth.signInAs(first);
  await untilSent(page);
  const onServer = await packagesOf(backstage, sender);
  expect(onServer.map((row) => row.deliveryPersonId?.firstName)).toEqual(['Sani', 'Sani']);
});

test('15: a tab yields to the next user @long', async ({ phone, backstage, network }) => {
  const sender = await backstage.sender();
  const first = await backstage.courier();
  const second = await backstage.courier('Bala');
  const packages = await backstage.packages(sender, 1);
  const { page, context } = await phone();
  // Both tabs open the form before anyone has signed in.
  const auth = await AuthPage.open(page);
  const besides = await AuthPage.open(await context.newPage());
  await auth.signInAs(first);
  network.setFaults((method, path) => (isPatch(method, path) ? { kind: 'dropped before' } : null));
  await acceptEach(page, packages);
  await expect(page.getByText('Waiting to send')).toBeVisible();

  await besides.signInAs(second);
  await expect(page).toHaveURL(/\/auth$/);
  await expect(page.getByText('Waiting to send')).toBeHidden();
  network.setFaults(null);
  await comeBack(page);
  await besides.page.goto('/delivery/pending');
  const [unsent] = packages;
  await expect(new PackageListPage(besides.page).card(unsent?.description ?? '')).toBeVisible();
  await besides.page.goto('/account');
  await besides.page.getByRole('button', { name: 'Log Out' }).click();
  await expect(besides.page.getByText('Logged out successfully!')).toBeVisible();
  expect(packages.map((each) => patchesOf(network, each))).toEqual([0]);

  await besides.signInAs(first);
  await untilSent(besides.page);
  const [accepted] = await packagesOf(backstage, sender);
  expect(accepted?.deliveryPersonId?.firstName).toBe('Sani');
});

test('20: an offline package has one id @long', async ({ installed, backstage, network }) => {
  const sender = await backstage.sender();
  const { page, context } = await installed(sender);
  await context.setOffline(true);
  const wizard = await WizardPage.open(page);
  await wizard.fill();
  await wizard.submit();
  await page.reload();
  const list = new PackageListPage(page);
  await list.open('Two bolts of indigo cloth');
  const id = new URL(page.url()).pathname.split('/').at(-1);
  await page.getByRole('link', { name: 'Edit shipment' }).click();
  await page.getByRole('textbox', { name: 'Delivery Address' }).fill('9 Airport Road, Kano');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  // The form closes once the edit is stored.
  await expect(page).not.toHaveURL(/edit/);
  await page.goto('/outbox');
  await expect(page.getByRole('region')).toHaveCount(2);
  await page.reload();

  // The reply of the create is lost as well.
  const cut = network.cutNextReply((method, path) => method === 'POST' && path === '/api/packages');
  await context.setOffline(false);
  await cut;
  await untilSent(page);
  expect(await packagesOf(backstage, sender)).toMatchObject([
    { _id: id, deliveryAddress: '9 Airport Road, Kano', version: 2 },
  ]);
});

test('27: a captive portal is no server @long', async ({ installed, backstage, network }) => {
  const { courier, packages } = await backstage.offers(1);
  const { page, shell } = await installed(courier);
  await shell.openDeliveries();
  network.setFaults(() => ({ kind: 'portal' }));
  await acceptEach(page, packages);
  const card = page.getByRole('article').filter({ hasText: packages[0]?.description ?? '' });
  await expect(card).toContainText('Waiting to send');
  await expect(page.getByText(/^Server unreachable/)).toBeVisible();
  expect(await page.evaluate(() => navigator.onLine)).toBe(true);
  // A reload behind the portal: the worker serves the shell, and the session is kept.
  await page.reload();
  await expect(card).toContainText('Waiting to send');
  await expect(page.getByText('Session Expired')).toBeHidden();

  network.setFaults(null);
  await comeBack(page);
  await untilSent(page);
  await expect(page.getByText(/^Server unreachable/)).toBeHidden();
  expect(packages.map((each) => patchesOf(network, each))).toEqual([1]);
});

test('27: a wrong offline flag is not believed @long', async ({ phone, backstage, network }) => {
  const { courier, packages } = await backstage.offers(1);
  const { page } = await phone();
  await page.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, 'onLine', { get: () => false });
  });
  await enter(page, courier);
  await acceptEach(page, packages);
  await untilSent(page);
  expect(packages.map((each) => patchesOf(network, each))).toEqual([1]);
});

test('28: half a reply is no success @long', async ({ signedIn, backstage, network }) => {
  const { sender, courier, packages } = await backstage.offers(1);
  const { page } = await signedIn(courier);
  network.setFaults(once(isPatch, { kind: 'truncated' }));
  await acceptEach(page, packages);
  await untilSent(page);
  await expect(page.getByText('Waiting to send')).toHaveCount(0);
  expect(network.faults.get('truncated')).toBe(1);
  expect(packages.map((each) => patchesOf(network, each))).toEqual([2]);
  expect(await packagesOf(backstage, sender)).toMatchObject([
    { deliveryStatus: 'In Transit', version: 2 },
  ]);
});
