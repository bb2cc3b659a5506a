/** Depositing money via the sandbox provider's page. */
import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import type { Payments } from '#contract/payment.ts';
import { stopTime } from '#tests/e2e/inside.ts';
import { expect, test } from '#tests/e2e/kaya.ts';
import { CheckoutPage, DepositPage, verifyPath } from '#tests/e2e/pages/payment-page.ts';

/** axe's violations, light and dark. */
async function complaintsOf(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    // Otherwise every check would open and close a page of its own.
    const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze();
    found.push(...violations.map(({ id, help }) => `${colorScheme}: ${id}, ${help}`));
  }
  return found;
}

test('a deposit is verified and confirmed after delays', async ({ phone, backstage, network }) => {
  const sender = await backstage.sender();
  const { page } = await phone();
  const deposit = await DepositPage.enter(page, sender);
  await expect(page.getByRole('heading', { name: 'Add Funds' })).toBeVisible();
  await expect(deposit.email).toHaveValue(sender.email);
  await expect(deposit.email).not.toBeEditable();
  await expect(deposit.amount).toHaveAttribute('min', '100');
  await expect(deposit.amount).toHaveAttribute('step', '100');

  const initiated = network.holdNextReply((_, path) => path === '/api/payments/initiate');
  await deposit.amount.fill('5000');
  await deposit.proceed.click();
  await expect(deposit.busy).toBeVisible();
  await initiated.answered;
  expect(await deposit.pendingReference()).toBeNull();
  initiated.release();
  await page.waitForURL(/\/sandbox\/checkout\//);
  const reference = await deposit.pendingReference();
  expect(reference).toMatch(/^kaya_/);

  // The clock is stopped from the return on, and the first poll is still pending.
  await page.clock.install();
  let isKnown = false;
  await page.route(`**${verifyPath}**`, (route) =>
    isKnown
      ? route.fallback()
      : route.fulfill({ json: { depositedAmount: 0, status: 'pending', reference } }),
  );
  const first = page.waitForResponse((answer) => answer.url().includes(verifyPath));
  await new CheckoutPage(page).pay.click();
  await page.waitForURL(new RegExp(`/deposit\\?reference=${reference}&trxref=${reference}$`));
  await first;
  await page.clock.pauseAt(Date.now() + 60_000);
  await expect(deposit.verifying).toBeVisible();

  isKnown = true;
  let isVerified = false;
  page.on('response', async (answer) => {
    if (!answer.url().includes(verifyPath)) return;
    const { depositedAmount } = await answer.json();
    isVerified ||= depositedAmount === 5000;
  });
  // A poll that began before may still be under way, so the clock advances step by step.
  const pass = () => page.clock.runFor(50);
  await expect.poll(() => pass().then(() => isVerified), { intervals: [50] }).toBe(true);
  const success = page.getByText('Deposit of ₦5,000 successful!');
  const kept = () => page.evaluate(() => localStorage.getItem('pendingReference'));
  await page.clock.runFor(1200);
  await expect(success).toBeHidden();
  expect(await kept()).toBe(reference);
  await expect(deposit.verifying).toBeVisible();
  await expect.poll(() => pass().then(() => success.isVisible())).toBe(true);
  await expect(page).toHaveURL(/\/deposit$/);
  expect(await kept()).toBeNull();
  await expect(deposit.verifying).toBeHidden();
  await expect(deposit.amount).toHaveValue('');
  await page.clock.runFor(6000);
  await expect(success).toBeHidden();

  const { available } = (await backstage.call(sender, 'GET', '/api/payments')) as Payments;
  expect(available).toBe(5000);
  await page.clock.resume();
  await page.getByRole('link', { name: 'See your balance' }).click();
  await expect(page.getByText('Payment successful!')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Available balance' })).toContainText('₦5,000');
});

test('a bad amount is refused at the field', async ({ signedIn, backstage, network }) => {
  const { page } = await signedIn(await backstage.sender(), '/deposit?amount=700');
  const deposit = new DepositPage(page);
  await expect(deposit.amount).toHaveValue('700');
  for (const typed of ['', '99.99']) {
    await deposit.amount.fill(typed);
    await deposit.proceed.click();
    await expect(page.getByRole('alert')).toHaveText('Minimum deposit is ₦100');
    await expect(deposit.amount).toBeFocused();
    await expect(deposit.amount).toHaveAttribute('aria-invalid', 'true');
    await expect(deposit.amount).toHaveValue(typed);
  }
  // Text a number field rejects cannot be read from it.
  await deposit.amount.pressSequentially('5-5');
  await deposit.proceed.click();
  await expect(page.getByRole('alert')).toHaveText(
    'Enter the amount in figures, for example 1500.',
  );
  expect(network.received.filter((line) => line.includes('/initiate'))).toEqual([]);
});

test('a failing provider starts one top-up only', async ({ phone, backstage, network }) => {
  const sender = await backstage.sender();
  const { page, context } = await phone();
  const deposit = await DepositPage.enter(page, sender);
  const alert = page.getByRole('alert');
  const failure = 'Payment failed. Try again.';
  await deposit.amount.fill('2500');

  network.setFaults((_, path) =>
    path === '/api/payments/initiate'
      ? { kind: 'status', status: 503, code: 'provider_unavailable' }
      : null,
  );
  await deposit.proceed.click();
  await expect(alert).toHaveText(failure);
  await expect(deposit.amount).toHaveValue('2500');
  network.setFaults(null);

  await context.setOffline(true);
  await deposit.proceed.click();
  await expect(page.getByText(/^You need an internet connection/)).toBeVisible();
  await expect(alert).toHaveText(failure);
  await context.setOffline(false);
  expect(await deposit.pendingReference()).toBeNull();

  // The answer is lost: the second press returns the same payment.
  const cut = network.cutNextReply((_, path) => path === '/api/payments/initiate');
  await deposit.proceed.click();
  await cut;
  await expect(alert).toHaveText(failure);
  await deposit.begin(2500);
  const begun = network.answers.filter(({ path }) => path === '/api/payments/initiate');
  expect(begun.map(({ isReplayed }) => isReplayed)).toEqual([false, true]);
});

test('a declined deposit can be tried again @long', async ({ phone, backstage }) => {
  const sender = await backstage.sender();
  const { page } = await phone();
  const deposit = await DepositPage.enter(page, sender);
  await (await deposit.begin(1500)).decline.click();
  await expect(page.getByRole('heading', { name: 'The payment was declined' })).toBeVisible();
  // Final: no other page needs to poll it.
  expect(await page.evaluate(() => localStorage.getItem('pendingReference'))).toBeNull();
  expect(await complaintsOf(page)).toEqual([]);
  await deposit.button('Try again').click();
  await expect(deposit.amount).toHaveValue('1500');
  await expect(deposit.amount).toBeFocused();
  await expect(page).toHaveURL(/\/deposit$/);
  expect(await deposit.pendingReference()).toBeNull();

  await deposit.proceed.click();
  await page.waitForURL(/\/sandbox\/checkout\//);
  await new CheckoutPage(page).decline.click();
  await deposit.button('Back to Payment').click();
  await expect(page.getByText('Payment failed. Please try again.')).toBeVisible();
  await expect(page).toHaveURL(/\/payment$/);
});

test('an abandoned deposit can still be paid @long', async ({ phone, backstage }) => {
  const sender = await backstage.sender();
  const { page } = await phone();
  const deposit = await DepositPage.enter(page, sender);
  const checkout = await deposit.begin(800);
  await checkout.abandon.click();
  await expect(page.getByRole('heading', { name: 'The payment was not finished' })).toBeVisible();
  const reference = await deposit.pendingReference();

  await page.route(`**${verifyPath}**`, (route) =>
    route.fulfill({ json: { depositedAmount: 0, status: 'review', reference } }),
  );
  await deposit.button('Check again').click();
  await expect(page.getByRole('heading', { name: 'This payment needs review' })).toBeVisible();
  await page.unroute(`**${verifyPath}**`);
  await deposit.button('Check again').click();
  await expect(page.getByRole('heading', { name: 'The payment was not finished' })).toBeVisible();
  // Another button replaces the focused one; the focus is not lost.
  await expect(page.locator('body')).not.toBeFocused();

  await deposit.check.getByRole('link', { name: 'Go to the payment page' }).click();
  await checkout.pay.click();
  await expect(page.getByText('Deposit of ₦800 successful!')).toBeVisible();
});

test('a deposit is not followed after leaving', async ({ phone, backstage, network }) => {
  const sender = await backstage.sender();
  const { page } = await phone();
  const deposit = await DepositPage.enter(page, sender);
  const initiate = '/api/payments/initiate';
  const reply = network.holdNextReply((_, path) => path === initiate);
  await deposit.amount.fill('800');
  // The app's time-out must not expire before the answer, however slow the machine.
  await stopTime(page);
  await deposit.proceed.click();
  await reply.answered;
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page.getByRole('heading', { name: 'Payment', exact: true })).toBeVisible();
  const heard = page.waitForResponse((answer) => answer.url().endsWith(initiate));
  reply.release();
  await (await heard).finished();
  await expect(page).toHaveURL(/\/payment$/);
  expect(await deposit.pendingReference()).toBeNull();
  await page.clock.resume();

  await page.goto('/deposit');
  await page.route(`**${initiate}`, (route) =>
    route.fulfill({
      json: { authorization_url: 'javascript:document.title="gone"', reference: 'kaya_none' },
    }),
  );
  await deposit.amount.fill('800');
  await deposit.proceed.click();
  await expect(page.getByText('Payment failed. Try again.')).toBeVisible();
  await expect(page).not.toHaveTitle('gone');
  expect(await deposit.pendingReference()).toBeNull();
});
