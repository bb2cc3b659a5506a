/** Failures of the outbox in real tabs, by the numbers of tests/sync/one-effect.test.ts. */
import { soak } from '#scripts/soak/browser/run.ts';
import { comeBack, enter } from '#tests/e2e/inside.ts';
import { expect, test } from '#tests/e2e/kaya.ts';
import {
  acceptEach,
  fireSync,
  freeze,
  isPatch,
  openTab,
  packagesOf,
  patchesOf,
  pressLogOut,
  rowsOf,
  untilSent,
} from '#tests/e2e/outbox-stage.ts';
import { AuthPage } from '#tests/e2e/pages/auth-page.ts';
import { PackageListPage } from '#tests/e2e/pages/package-list-page.ts';
import { ShellPage } from '#tests/e2e/pages/shell-page.ts';
import { WizardPage } from '#tests/e2e/pages/wizard-page.ts';

const noneAssigned = 'No packages are currently assigned to you';
const waiting = 'Waiting to send';

const isRefresh = (method: string, path: string) =>
  method === 'GET' && path.startsWith('/api/auth/refresh');

/** Accepted once, by the default courier. */
const acceptedOnce = {
  deliveryStatus: 'In Transit',
  version: 2,
  deliveryPersonId: { firstName: 'Sani' },
};

test('2, 5, 9: tabs, timers and worker send once, also of a killed tab and with none open', async ({
  installed,
  backstage,
  network,
}) => {
  const { sender, courier, packages: offered } = await backstage.offers(6);
  // As the list has them: further down, a row is drawn only once one scrolls.
  const all = offered.toReversed();
  const [packages, [killed], unseen] = [all.slice(0, 3), all.slice(3, 4), all.slice(4)];
  const { page, context } = await installed(courier);
  const other = await openTab(context, '/delivery/in-transit');
  await expect(other.getByText(noneAssigned)).toBeVisible();
  await context.setOffline(true);
  await acceptEach(page, packages);
  await expect(other.getByRole('article')).toHaveCount(3);
  await expect(other.getByText(waiting)).toHaveCount(3);

  await context.setOffline(false);
  await Promise.all([
    fireSync(page),
    ...[page, other].map((tab) =>
      tab.evaluate(() => {
        window.dispatchEvent(new Event('online'));
        for (let times = 0; times < 5; times += 1) window.dispatchEvent(new Event('focus'));
      }),
    ),
  ]);
  await untilSent(page);
  for (const tab of [page, other]) {
    await expect(tab.getByRole('article')).toHaveCount(3);
    await expect(tab.getByText(waiting)).toHaveCount(0);
  }
  expect(packages.map((each) => patchesOf(network, each))).toEqual([1, 1, 1]);
  await page.close();

  const next = await test.step('a tab that is killed in mid-request', async () => {
    if (!killed) throw new Error('Six were asked for.');
    const reply = network.holdNextReply(isPatch);
    await acceptEach(other, [killed]);
    await reply.answered;
    await other.close();
    const opened = await openTab(context, '/delivery/in-transit');
    await untilSent(opened);
    await expect(opened.getByText(waiting)).toHaveCount(0);
    reply.release();
    expect(patchesOf(network, killed)).toBe(2);
    return opened;
  });

  await test.step('no tab', async () => {
    await context.grantPermissions(['background-sync']);
    await context.setOffline(true);
    await acceptEach(next, unseen);
    // A page of the same origin without the app, to reach its worker.
    const elsewhere = await context.newPage();
    await next.close();
    await context.setOffline(false);
    await elsewhere.goto('/config.json');
    await fireSync(elsewhere);
    const accepted = all.map(() => acceptedOnce) as object[];
    await expect.poll(() => packagesOf(backstage, sender)).toMatchObject(accepted);
    expect(unseen.map((each) => patchesOf(network, each))).toEqual([1, 1]);
    const last = await openTab(context, '/outbox');
    await expect(last.getByText('No pending changes.')).toBeVisible();
  });
});

test('6: three tabs starting send once @long', async ({ installed, backstage, network }) => {
  const { courier, packages } = await backstage.offers(3);
  const { page, context } = await installed(courier);
  await context.setOffline(true);
  await acceptEach(page, packages);
  await page.close();
  // No answer until all three have started, so that each has reason to send.
  const replies = packages.map(() => network.holdNextReply(isPatch));
  await context.setOffline(false);

  const tabs = await Promise.all([1, 2, 3].map(() => openTab(context, '/delivery/in-transit')));
  for (const tab of tabs) await expect(tab.getByRole('article')).toHaveCount(3);
  await Promise.all(replies.map(({ answered }) => answered));
  for (const { release } of replies) release();
  for (const tab of tabs) {
    await untilSent(tab);
    await expect(tab.getByText(waiting)).toHaveCount(0);
  }
  expect(packages.map((each) => patchesOf(network, each))).toEqual([1, 1, 1]);
});

test('8: a frozen tab is taken over in 45 s @long', async ({ signedIn, backstage, network }) => {
  test.setTimeout(150_000);
  const { sender, courier, packages } = await backstage.offers(2);
  const [first, second] = packages;
  const { page, context } = await signedIn(courier);
  const other = await openTab(context, '/delivery/in-transit');
  await expect(other.getByText(noneAssigned)).toBeVisible();

  const reply = network.holdNextReply(isPatch);
  await acceptEach(page, [first]);
  await reply.answered;
  const thaw = await freeze(page);
  const frozenAt = Date.now();
  await acceptEach(other, [second]);
  // The other one has taken over once it sends what the frozen one got no answer to.
  await expect.poll(() => patchesOf(network, first), { timeout: 60_000, intervals: [50] }).toBe(2);
  expect(Date.now() - frozenAt).toBeLessThanOrEqual(45_000);
  await untilSent(other, 60_000);

  reply.release();
  await thaw();
  await comeBack(page);
  for (const tab of [page, other]) {
    await expect(tab.getByRole('article')).toHaveCount(2);
    await expect(tab.getByText(waiting)).toHaveCount(0);
  }
  expect(await packagesOf(backstage, sender)).toMatchObject([acceptedOnce, acceptedOnce]);
});

test('a frozen refresh blocks less than 45 s @long', async ({ installed, backstage, network }) => {
  test.setTimeout(120_000);
  const { sender, courier, packages } = await backstage.offers(1);
  const { page, context } = await installed(courier);
  const reply = network.holdNextReply(isRefresh);
  await page.reload();
  await reply.answered;
  const thaw = await freeze(page);
  reply.release();

  const other = await openTab(context, '/delivery');
  await acceptEach(other, packages);
  await untilSent(other, 45_000);
  expect(patchesOf(network, packages[0])).toBe(1);
  await thaw();
  expect(await packagesOf(backstage, sender)).toMatchObject([acceptedOnce]);
});

test('14: two tabs refresh at once @long', async ({ signedIn, courier, network }) => {
  const { page, context } = await signedIn(courier);
  const other = await openTab(context, '/delivery/pending');
  const cut = network.cutNextReply(isRefresh);
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

test('15: unsent work waits for its own user', async ({ signedIn, backstage, network }) => {
  const { sender, courier: first, packages } = await backstage.offers(2);
  const second = await backstage.courier('Bala');
  const { page, context } = await signedIn(first);
  network.setFaults((method, path) => (isPatch(method, path) ? { kind: 'dropped before' } : null));
  await acceptEach(page, packages);
  await pressLogOut(page);
  const question = page.getByRole('dialog');
  await expect(question).toContainText('2 changes have not been sent yet.');
  await question.getByRole('button', { name: 'Log Out' }).click();
  await expect(page.getByText('Logged out successfully!')).toBeVisible();

  // Both tabs open the form before anyone has signed in: one yields to the other's user.
  network.setFaults(null);
  const auth = new AuthPage(page);
  const besides = await AuthPage.open(await context.newPage());
  await besides.signInAs(second);
  const list = await PackageListPage.open(besides.page, '/delivery/pending');
  for (const { description } of packages) await expect(list.card(description)).toBeVisible();
  await auth.signInAs(first);
  await expect(besides.page).toHaveURL(/\/auth$/);
  await untilSent(page);
  expect(packages.map((each) => patchesOf(network, each))).toEqual([1, 1]);
  expect(await packagesOf(backstage, sender)).toMatchObject([acceptedOnce, acceptedOnce]);
});

test('20: one id for a package @long', async ({ installed, backstage, network, sender }) => {
  const { page, context } = await installed(sender);
  await context.setOffline(true);
  const wizard = await WizardPage.open(page);
  await wizard.fill();
  await wizard.submit();
  await page.reload();
  const detail = await new PackageListPage(page).open('Two bolts of indigo cloth');
  const id = new URL(page.url()).pathname.split('/').at(-1);
  const edit = await detail.editShipment();
  await page.getByRole('textbox', { name: 'Delivery Address' }).fill('9 Airport Road, Kano');
  await edit.save.click();
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

test('27, 28: a wrong offline flag, half a reply @long', async ({ backstage, network, page }) => {
  const { sender, courier, packages } = await backstage.offers(1);
  await page.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, 'onLine', { get: () => false });
  });
  await enter(page, courier);
  network.setFaults((method, path) =>
    isPatch(method, path) && !network.faults.get('truncated') ? { kind: 'truncated' } : null,
  );
  await acceptEach(page, packages);
  await untilSent(page);
  await expect(page.getByText(waiting)).toHaveCount(0);
  expect(network.faults.get('truncated')).toBe(1);
  expect(patchesOf(network, packages[0])).toBe(2);
  expect(await packagesOf(backstage, sender)).toMatchObject([acceptedOnce]);
});

test('a signed-out worker does nothing @long', async ({ installed, backstage, network }) => {
  const { sender, courier, packages } = await backstage.offers(1);
  const { page, context } = await installed(courier);
  network.setFaults((method) => (method === 'PATCH' ? { kind: 'dropped before' } : null));
  await acceptEach(page, packages);

  // Without its cookie the session is over; the worker notices first and keeps the verdict.
  await context.clearCookies();
  await page.goto('/config.json');
  await fireSync(page);
  const verdict = async () => JSON.stringify(await rowsOf(page, 'session', 'kaya-device'));
  await expect.poll(verdict).toContain('unauthenticated');
  await context.setOffline(true);
  await page.goto('/outbox');
  await expect(page.getByRole('heading', { name: 'Session Expired' })).toBeVisible();
  await context.setOffline(false);
  await page.getByRole('button', { name: 'Go to Login Page' }).click();
  await expect(page).toHaveURL(/\/auth$/);

  await page.goto('/config.json');
  const soFar = network.received.length;
  await fireSync(page);
  const auth = await AuthPage.open(page);
  expect(network.received.slice(soFar).filter((line) => line.includes('/api/'))).toEqual([]);
  network.setFaults(null);
  await auth.signInAs(courier);
  await expect.poll(() => packagesOf(backstage, sender)).toMatchObject([acceptedOnce]);
});

test('one event stream updates every tab @long', async ({
  signedIn,
  backstage,
  network,
  courier,
}) => {
  const { page, context } = await signedIn(courier);
  const streams = () =>
    network.forwarded.filter((line) => line.startsWith('GET /api/events')).length;
  await expect.poll(streams).toBeGreaterThan(0);
  const tabs = [page];
  for (const address of ['/delivery/pending', '/delivery/pending']) {
    tabs.push(await openTab(context, address));
  }
  await page.goto('/delivery/pending');
  for (const tab of tabs) await expect(new PackageListPage(tab).pending).toBeVisible();
  const { description } = await backstage.package(await backstage.sender(), {
    description: `A drum for ${courier.email}`,
  });
  for (const tab of tabs) {
    await expect(tab.getByText(description)).toBeVisible({ timeout: 5_000 });
  }
  // The first page's, another after its first full list, and the reloaded page's: tabs add none.
  expect(streams()).toBeLessThanOrEqual(3);
});

test('the icon’s badge counts unsent changes @long', async ({ backstage, page, context }) => {
  const { courier, packages } = await backstage.offers(2);
  await page.addInitScript(() => {
    Navigator.prototype.setAppBadge = async (count) => {
      document.documentElement.dataset.badge = String(count);
    };
  });
  await (await enter(page, courier)).untilInstalled();
  await context.setOffline(true);
  await acceptEach(page, packages);
  const html = page.locator('html');
  await expect(html).toHaveAttribute('data-badge', '2');
  await context.setOffline(false);
  await expect(html).toHaveAttribute('data-badge', '0');
});

test('a killed log-out is finished later @long', async ({ signedIn, backstage, sender }) => {
  await backstage.packages(sender, 2);
  const { page, context } = await signedIn(sender);
  await expect.poll(() => rowsOf(page, 'packages')).toHaveLength(2);
  await page.goto('/account');
  await page.evaluate(() => {
    // As after a kill: the emptying of the mirror never completes.
    IDBObjectStore.prototype.clear = function clear() {
      this.transaction.abort();
      Object.assign(window, { isKilled: true });
      throw new Error('killed here');
    };
  });
  await page.getByRole('button', { name: 'Log Out' }).click();
  await page.waitForFunction(() => 'isKilled' in window);
  await page.close();
  const next = await openTab(context, '/auth');
  await expect.poll(() => rowsOf(next, 'packages')).toEqual([]);
});

test('four tabs on a bad network end up equal @long', async ({ backstage, network, browser }) => {
  test.setTimeout(240_000);
  const lines: string[] = [];
  const say = (line: string) => lines.push(line);
  const needs = { browser, backstage, network, seed: 20_261_121, forMs: 20_000, say };
  const { operations, complaints } = await soak(needs);
  test.info().annotations.push({ type: 'soak', description: lines.join(' ') });
  expect(complaints).toEqual([]);
  expect(operations).toBeGreaterThan(5);
});
