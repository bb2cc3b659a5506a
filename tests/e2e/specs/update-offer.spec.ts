import { expect } from '@playwright/test';
import { comeBack } from '#tests/e2e/inside.ts';
import { test } from '#tests/e2e/kaya.ts';
import { ShellPage } from '#tests/e2e/pages/shell-page.ts';
import { enterSite, isMarked, lookForUpdate, updateQuestion } from '#tests/e2e/update-stage.ts';
import { startReleaseProxy } from '#tests/fakes/release-proxy.ts';

/** As in app/pwa/service-worker.ts, which a test runner without a page cannot load. */
const checkPauseMs = 5 * 60_000;
const checkEveryMs = 60 * 60_000;

test('updates are checked on return and hourly @long', async ({ phone, network }) => {
  const site = await startReleaseProxy(network.url);
  const { page } = await phone();
  await page.clock.install();
  await page.goto(`${site.url}/auth`);
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
  await page.close();
  await site.close();
});

test('an update in the first load is offered, put off and taken', async ({ phone, network }) => {
  const site = await startReleaseProxy(network.url);
  const { page } = await phone();
  await page.goto(`${site.url}/auth`);
  await new ShellPage(page).untilInstalled();
  site.publish();
  await lookForUpdate(page);
  await updateQuestion(page).getByRole('button', { name: 'Later' }).click();
  await expect(updateQuestion(page)).toBeHidden();

  // A later one on the same page: no reload is needed to detect it.
  site.publish();
  await lookForUpdate(page, 'isSamePage');
  await expect(updateQuestion(page)).toBeVisible();
  await updateQuestion(page).getByRole('button', { name: 'Later' }).click();

  await page.reload();
  await expect(updateQuestion(page)).toBeVisible();
  await page.evaluate(() => Object.assign(window, { isFirst: true }));
  await updateQuestion(page).getByRole('button', { name: 'Update' }).click();
  await expect.poll(() => isMarked(page, 'isFirst')).toBe(false);
  await page.waitForLoadState();
  const state = () =>
    page.evaluate(async () => {
      const registration = await navigator.serviceWorker.getRegistration();
      return [registration?.active !== null, registration?.waiting === null];
    });
  await expect.poll(state).toEqual([true, true]);
  await expect(updateQuestion(page)).toBeHidden();
  await page.close();
  await site.close();
});

test('an update in the first load reloads the page @long', async ({ phone, network }) => {
  const site = await startReleaseProxy(network.url);
  const { page } = await phone();
  await page.goto(`${site.url}/auth`);
  await new ShellPage(page).untilInstalled();
  site.publish();
  await lookForUpdate(page, 'isFirst');
  await updateQuestion(page).getByRole('button', { name: 'Update' }).click();
  await expect.poll(() => isMarked(page, 'isFirst')).toBe(false);
  await page.waitForLoadState();
  await expect(updateQuestion(page)).toBeHidden();
  await page.close();
  await site.close();
});

test('an outdated page keeps its queue', async ({ phone, backstage, network }) => {
  const site = await startReleaseProxy(network.url);
  const sender = await backstage.sender();
  const { page } = await phone();
  await enterSite(page, site.url, sender);
  network.setFaults((_, path) =>
    path.startsWith('/api/') && !path.startsWith('/api/events')
      ? { kind: 'status', status: 410, code: 'app_outdated', message: 'Too old.' }
      : null,
  );
  site.publish();
  await page.goto(`${site.url}/personal-info`);
  await page.getByRole('link', { name: 'Edit Profile' }).click();
  await page.getByLabel('Address').fill('7 Zaria Road, Kano');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Update to send changes')).toBeVisible();
  await expect(updateQuestion(page)).toBeVisible();
  await page.goto(`${site.url}/outbox`);
  await expect(page.getByText('Needs attention')).toHaveCount(0);

  // The new version speaks the server's contract.
  network.setFaults(null);
  await updateQuestion(page).getByRole('button', { name: 'Update' }).click();
  const address = async () => {
    const [user] = (await backstage.call(sender, 'GET', '/api/users')) as { address: string }[];
    return user?.address;
  };
  await expect.poll(address).toBe('7 Zaria Road, Kano');
  await page.waitForLoadState();
  await page.close();
  await site.close();
});
