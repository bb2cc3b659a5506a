/** Updates of the app: found in time, by consent, without interrupting work. */
import { comeBack } from '#tests/e2e/inside.ts';
import { test as base, expect } from '#tests/e2e/kaya.ts';
import {
  fireSync,
  openTab,
  saveForm,
  typeAddress,
  untilAddressSent,
} from '#tests/e2e/outbox-stage.ts';
import { ShellPage } from '#tests/e2e/pages/shell-page.ts';
import { WizardPage } from '#tests/e2e/pages/wizard-page.ts';
import { isMarked, lookForUpdate, updateQuestion } from '#tests/e2e/update-stage.ts';
import { type ReleaseProxy, startReleaseProxy } from '#tests/fakes/release-proxy.ts';

/** As in app/pwa/service-worker.ts, which a test runner without a page cannot load. */
const checkPauseMs = 5 * 60_000;
const checkEveryMs = 60 * 60_000;
const restLimitMs = 5_000;

/** Chromium replaces a worker only after 30 s if an event arrives just as it stops it. */
const takeOverLimitMs = 40_000;

/** Phones get the app from a server that publishes releases. */
const test = base.extend<{ site: ReleaseProxy }>({
  site: async ({ network }, use) => {
    const site = await startReleaseProxy(network.url);
    await use(site);
    await site.close();
  },
  origin: async ({ site }, use) => use(site.url),
});

const isProfileEdit = (method: string, path: string) => method === 'PATCH' && path === '/api/users';

test('updates are checked on return and hourly @long', async ({ site, page }) => {
  await page.clock.install();
  await page.goto('/auth');
  await new ShellPage(page).untilInstalled();
  await page.waitForLoadState('load');
  const before = site.checks();

  await comeBack(page);
  await page.clock.fastForward(checkPauseMs - 60_000);
  await comeBack(page);
  expect(site.checks()).toBe(before);

  await page.clock.fastForward(60_000);
  await comeBack(page);
  await comeBack(page);
  await expect.poll(site.checks).toBe(before + 1);

  // Until that one is over: the browser merges overlapping checks.
  await lookForUpdate(page);
  const between = site.checks();
  site.publish();
  await page.clock.fastForward(checkEveryMs);
  await expect.poll(site.checks).toBe(between + 1);
  await expect(updateQuestion(page)).toBeVisible();
});

test('an update in the first load is offered, put off and taken @long', async ({ site, page }) => {
  const question = updateQuestion(page);
  await page.goto('/auth');
  await new ShellPage(page).untilInstalled();
  site.publish();
  await lookForUpdate(page);
  await question.getByRole('button', { name: 'Later' }).click();
  await expect(question).toBeHidden();

  // A later one on the same page: no reload is needed to detect it.
  site.publish();
  await lookForUpdate(page, 'isSamePage');
  await expect(question).toBeVisible();
  await question.getByRole('button', { name: 'Later' }).click();

  await page.reload();
  await expect(question).toBeVisible();
  await page.evaluate(() => Object.assign(window, { isFirst: true }));
  await question.getByRole('button', { name: 'Update' }).click();
  await expect.poll(() => isMarked(page, 'isFirst')).toBe(false);
  await page.waitForLoadState();
  const state = () =>
    page.evaluate(async () => {
      const registration = await navigator.serviceWorker.getRegistration();
      return [registration?.active !== null, registration?.waiting === null];
    });
  await expect.poll(state).toEqual([true, true]);
  await expect(question).toBeHidden();
});

test('an old page keeps its queue @long', async ({
  installed,
  backstage,
  network,
  sender,
  site,
}) => {
  const { page } = await installed(sender, '/personal-info');
  network.setFaults((_, path) =>
    path.startsWith('/api/') && !path.startsWith('/api/events')
      ? { kind: 'status', status: 410, code: 'app_outdated', message: 'Too old.' }
      : null,
  );
  site.publish();
  await typeAddress(page);
  await saveForm(page);
  await expect(page.getByText('Update to send changes')).toBeVisible();
  await expect(updateQuestion(page)).toBeVisible();
  await page.goto('/outbox');
  await expect(page.getByText('Needs attention')).toHaveCount(0);

  // The new version speaks the server's contract.
  network.setFaults(null);
  await updateQuestion(page).getByRole('button', { name: 'Update' }).click();
  await untilAddressSent(backstage, sender);
  await page.waitForLoadState();
});

test('29: an update keeps all work', async ({ installed, backstage, network, sender, site }) => {
  const { page, context } = await installed(sender, '/new-package');
  const wizard = new WizardPage(page);
  await wizard.fillAddresses();
  await wizard.next.click();
  const recipient = page.getByLabel('Recipient Name');
  await recipient.fill('Musa Ibr');
  const otherTab = await openTab(context, '/personal-info');
  await typeAddress(otherTab);

  await page.bringToFront();
  site.publish();
  await lookForUpdate(page, 'isSamePage');
  const question = updateQuestion(page);
  await expect(question).toBeVisible();
  await expect(recipient).toHaveValue('Musa Ibr');
  await expect(recipient).toBeFocused();
  await expect(updateQuestion(otherTab)).toBeVisible();

  // The other tab's edit is in flight when the user agrees here.
  const reply = network.holdNextReply(isProfileEdit);
  await saveForm(otherTab);
  await reply.answered;
  await question.getByRole('button', { name: 'Update' }).click();
  // Controlled by the new worker, the other tab asks too, and continues its work.
  const asked = otherTab.getByRole('alertdialog', { name: /Kaya was updated in another tab/ });
  // It first waits for the edit, as long as it may.
  await expect(asked).toBeVisible({ timeout: restLimitMs + takeOverLimitMs });
  await expect(otherTab.getByRole('alertdialog')).toHaveCount(1);
  await expect.poll(() => isMarked(page, 'isSamePage')).toBe(false);
  await expect(recipient).toHaveValue('Musa Ibr');
  reply.release();
  await expect(otherTab.getByText('User updated successfully!')).toBeVisible();
  const reloaded = otherTab.waitForEvent('load');
  await asked.getByRole('button', { name: 'Reload' }).click();
  await reloaded;
  await expect(asked).toBeHidden();
  await untilAddressSent(backstage, sender);
});

test('an update takes over from a worker that sleeps at once', async ({ site, page }) => {
  await page.goto('/auth');
  await new ShellPage(page).untilInstalled();
  site.publish();
  await lookForUpdate(page);
  const question = updateQuestion(page);
  await expect(question).toBeVisible();

  const devtools = await page.context().newCDPSession(page);
  await devtools.send('ServiceWorker.enable');
  await devtools.send('ServiceWorker.stopAllWorkers');
  // A worker that was woken in vain stays for 30 s.
  const reloaded = page.waitForEvent('load', { timeout: 15_000 });
  await question.getByRole('button', { name: 'Update' }).click();
  await reloaded;
  await expect(question).toBeHidden();
});

test('an update takes over although a sync starts meanwhile @long', async ({
  installed,
  network,
  sender,
  site,
}) => {
  const { page, context } = await installed(sender, '/personal-info');
  const otherTab = await openTab(context, '/home');
  await typeAddress(page);
  site.publish();
  await lookForUpdate(otherTab, 'isSamePage');
  const question = updateQuestion(otherTab);
  await expect(question).toBeVisible();

  // The worker's drains wait for this tab's turn to end.
  const reply = network.holdNextReply(isProfileEdit);
  await saveForm(page);
  await reply.answered;
  const reloaded = otherTab.waitForEvent('load', { timeout: takeOverLimitMs });
  // At every moment of the take-over: one would rarely meet the right one.
  const syncs = Array.from({ length: 40 }).reduce<Promise<void>>(
    (before) => before.then(() => fireSync(otherTab).catch(() => undefined)),
    Promise.resolve(),
  );
  await question.getByRole('button', { name: 'Update' }).click();
  await reloaded;
  await syncs;
  reply.release();
  await expect(page.getByText('User updated successfully!')).toBeVisible();
});

test('29: an update sends first @long', async ({ installed, network, sender, site }) => {
  const { page } = await installed(sender, '/personal-info');
  await typeAddress(page);
  site.publish();
  await lookForUpdate(page);
  const question = updateQuestion(page);
  await expect(question).toBeVisible();

  const reply = network.holdNextReply(isProfileEdit);
  await saveForm(page);
  await reply.answered;
  const order: string[] = [];
  page.on('requestfinished', (asked) => {
    if (asked.method() === 'PATCH') order.push('answered');
  });
  const reloaded = page.waitForEvent('load').then(() => order.push('reloaded'));
  await question.getByRole('button', { name: 'Update' }).click();
  reply.release();
  await reloaded;
  expect(order).toEqual(['answered', 'reloaded']);
  expect(network.forwarded.filter((line) => line === 'PATCH /api/users')).toHaveLength(1);
});

test('29: no wait for the worker @long', async ({ installed, network, sender, site }) => {
  const { page } = await installed(sender);
  site.publish();
  await lookForUpdate(page);
  const question = updateQuestion(page);
  await expect(question).toBeVisible();

  // The worker has no token: its first request is a refresh.
  const reply = network.holdNextReply((_, path) => path === '/api/auth/refresh');
  await fireSync(page);
  await reply.answered;
  // Before the worker times out after 15 s.
  const reloaded = page.waitForEvent('load', { timeout: 10_000 });
  await question.getByRole('button', { name: 'Update' }).click();
  await reloaded;
  await expect(question).toHaveCount(0);
  reply.release();
});
