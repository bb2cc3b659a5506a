/** Updates of the app, by consent and without interrupting work. */
import { expect } from '@playwright/test';
import { test } from '#tests/e2e/kaya.ts';
import { fireSync, userIdOf } from '#tests/e2e/outbox-stage.ts';
import { WizardPage } from '#tests/e2e/pages/wizard-page.ts';
import { enterSite, isMarked, lookForUpdate, updateQuestion } from '#tests/e2e/update-stage.ts';
import { startReleaseProxy } from '#tests/fakes/release-proxy.ts';

test('29: an update waits and keeps draft and queue', async ({ phone, backstage, network }) => {
  const site = await startReleaseProxy(network.url);
  const sender = await backstage.sender();
  const { page, context } = await phone();
  await enterSite(page, site.url, sender);

  await page.goto(`${site.url}/new-package`);
  const wizard = new WizardPage(page);
  await page.getByLabel('Pickup Address').fill('12 Kofar Mata Road, Kano');
  await page.getByLabel('Delivery Address').fill('4 Zoo Road, Kano');
  await wizard.next.click();
  await page.getByLabel('Recipient Name').fill('Musa Ibr');
  const otherTab = await context.newPage();
  await otherTab.goto(`${site.url}/edit-user/${await userIdOf(page)}`);
  await otherTab.getByLabel('Address').fill('7 Zaria Road, Kano');

  site.publish();
  await lookForUpdate(page, 'isSamePage');
  const question = updateQuestion(page);
  await expect(question).toBeVisible();
  await expect(page.getByLabel('Recipient Name')).toHaveValue('Musa Ibr');
  await expect(page.getByLabel('Recipient Name')).toBeFocused();
  await expect(updateQuestion(otherTab)).toBeVisible();

  // The other tab's edit is in flight when the user agrees here.
  const reply = network.holdNextReply(
    (method, path) => method === 'PATCH' && path === '/api/users',
  );
  await otherTab.getByRole('button', { name: 'Save Changes' }).click();
  await reply.answered;
  await question.getByRole('button', { name: 'Update' }).click();
  // Controlled by the new worker, the other tab asks too, and continues its work.
  const asked = otherTab.getByRole('alertdialog', { name: /Kaya was updated in another tab/ });
  await expect(asked).toBeVisible();
  await expect(otherTab.getByRole('alertdialog')).toHaveCount(1);
  await expect.poll(() => isMarked(page, 'isSamePage')).toBe(false);
  await expect(page.getByLabel('Recipient Name')).toHaveValue('Musa Ibr');
  reply.release();
  await expect(otherTab.getByText('User updated successfully!')).toBeVisible();
  const reloaded = otherTab.waitForEvent('load');
  await asked.getByRole('button', { name: 'Reload' }).click();
  await reloaded;
  await expect(asked).toBeHidden();
  const [user] = (await backstage.call(sender, 'GET', '/api/users')) as { address: string }[];
  expect(user?.address).toBe('7 Zaria Road, Kano');
  await page.close();
  await otherTab.close();
  await site.close();
});

test('29: an update sends first @long', async ({ phone, backstage, network }) => {
  const site = await startReleaseProxy(network.url);
  const sender = await backstage.sender();
  const { page } = await phone();
  await enterSite(page, site.url, sender);
  await page.goto(`${site.url}/edit-user/${await userIdOf(page)}`);
  await page.getByLabel('Address').fill('7 Zaria Road, Kano');
  site.publish();
  await lookForUpdate(page);
  const question = updateQuestion(page);
  await expect(question).toBeVisible();

  const reply = network.holdNextReply(
    (method, path) => method === 'PATCH' && path === '/api/users',
  );
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await reply.answered;
  const patches = () => network.forwarded.filter((line) => line === 'PATCH /api/users').length;
  expect(patches()).toBe(1);
  const order: string[] = [];
  page.on('framenavigated', () => order.push('reloaded'));
  page.on('requestfinished', (asked) => {
    if (asked.method() === 'PATCH') order.push('answered');
  });
  await question.getByRole('button', { name: 'Update' }).click();
  reply.release();
  await expect.poll(() => order).toContain('reloaded');
  expect(order[0]).toBe('answered');
  expect(patches()).toBe(1);
  // A page closed while loading may never report it.
  await page.waitForLoadState();
  await page.close();
  await site.close();
});

test('29: an update does not wait for the worker @long', async ({ phone, backstage, network }) => {
  const site = await startReleaseProxy(network.url);
  const sender = await backstage.sender();
  const { page } = await phone();
  await enterSite(page, site.url, sender);
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
  await page.close();
  await site.close();
});
