/** Depositing money via the sandbox provider's page. */
import type { InitiatedPayment, Payments } from '#contract/payment.ts';
import type { Account, Backstage } from '#tests/e2e/backstage.ts';
import { stopTime } from '#tests/e2e/inside.ts';
import { expect, test } from '#tests/e2e/kaya.ts';
import { axeComplaints } from '#tests/e2e/layout.ts';
import { AuthPage } from '#tests/e2e/pages/auth-page.ts';
import { CheckoutPage, DepositPage, verifyPath } from '#tests/e2e/pages/payment-page.ts';

const initiate = '/api/payments/initiate';
const failure = 'Payment failed. Try again.';

/** Naira, by the server. */
const availableOf = async ({ call }: Backstage, sender: Account) =>
  (await call<Payments>(sender, 'GET', '/api/payments')).available;

test('a deposit is checked, begun once, verified and then confirmed', async ({
  backstage,
  network,
  sender,
  page,
  context,
}) => {
  const deposit = await DepositPage.enter(page, sender, '?amount=700');
  await expect(page.getByRole('heading', { name: 'Add Funds' })).toBeVisible();
  await expect(deposit.email).toHaveValue(sender.email);
  await expect(deposit.email).not.toBeEditable();
  await expect(deposit.amount).toHaveAttribute('min', '100');
  await expect(deposit.amount).toHaveAttribute('step', '100');
  await expect(deposit.amount).toHaveValue('700');
  const alert = page.getByRole('alert');

  await test.step('a bad amount is refused at the field', async () => {
    for (const typed of ['', '99.99']) {
      await deposit.amount.fill(typed);
      await deposit.proceed.click();
      await expect(alert).toHaveText('Minimum deposit is ₦100');
      await expect(deposit.amount).toBeFocused();
      await expect(deposit.amount).toHaveAttribute('aria-invalid', 'true');
      await expect(deposit.amount).toHaveValue(typed);
    }
    // Text a number field rejects cannot be read from it.
    await deposit.amount.pressSequentially('5-5');
    await deposit.proceed.click();
    await expect(alert).toHaveText('Enter the amount in figures, for example 1500.');
    expect(network.received.filter((line) => line.includes('/initiate'))).toEqual([]);
  });

  await test.step('a failing provider, no network and a lost answer begin one top-up', async () => {
    await deposit.amount.fill('5000');
    network.setFaults((_, path) =>
      path === initiate ? { kind: 'status', status: 503, code: 'provider_unavailable' } : null,
    );
    await deposit.proceed.click();
    await expect(alert).toHaveText(failure);
    await expect(deposit.amount).toHaveValue('5000');
    network.setFaults(null);

    await context.setOffline(true);
    await deposit.proceed.click();
    await expect(page.getByText(/^You need an internet connection/)).toBeVisible();
    await expect(alert).toHaveText(failure);
    await context.setOffline(false);

    // The second press returns the same payment.
    const cut = network.cutNextReply((_, path) => path === initiate);
    await deposit.proceed.click();
    await cut;
    await expect(alert).toHaveText(failure);
  });

  const initiated = network.holdNextReply((_, path) => path === initiate);
  await deposit.proceed.click();
  await expect(deposit.busy).toBeVisible();
  await initiated.answered;
  expect(await deposit.pendingReference()).toBeNull();
  initiated.release();
  await page.waitForURL(/\/sandbox\/checkout\//);
  const reference = await deposit.pendingReference();
  expect(reference).toMatch(/^kaya_/);
  const begun = network.answers.filter(({ path }) => path === initiate);
  expect(begun.map(({ isReplayed }) => isReplayed)).toEqual([false, true]);

  // The clock is stopped from the return on, and the first poll is still pending.
  await page.clock.install();
  let isKnown = false;
  const pending = { depositedAmount: 0, status: 'pending', reference };
  network.setFaults((_, path) =>
    path.startsWith(verifyPath) && !isKnown ? { kind: 'status', status: 200, json: pending } : null,
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

  expect(await availableOf(backstage, sender)).toBe(5000);
  await page.clock.resume();
  await page.getByRole('link', { name: 'See your balance' }).click();
  await expect(page.getByText('Payment successful!')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Available balance' })).toContainText('₦5,000');
});

test('a deposit is abandoned, then declined @long', async ({ network, sender, page }) => {
  const deposit = await DepositPage.enter(page, sender);
  const checkout = await deposit.begin(800);
  await checkout.abandon.click();
  const unfinished = page.getByRole('heading', { name: 'The payment was not finished' });
  await expect(unfinished).toBeVisible();
  const reference = await deposit.pendingReference();
  const inReview = { depositedAmount: 0, status: 'review', reference };
  network.setFaults((_, path) =>
    path.startsWith(verifyPath) ? { kind: 'status', status: 200, json: inReview } : null,
  );
  await deposit.button('Check again').click();
  await expect(page.getByRole('heading', { name: 'This payment needs review' })).toBeVisible();
  network.setFaults(null);
  await deposit.button('Check again').click();
  await expect(unfinished).toBeVisible();
  // Another button replaces the focused one; the focus is not lost.
  await expect(page.locator('body')).not.toBeFocused();

  const declined = page.getByRole('heading', { name: 'The payment was declined' });
  await deposit.check.getByRole('link', { name: 'Go to the payment page' }).click();
  await checkout.decline.click();
  await expect(declined).toBeVisible();
  // Final: no other page needs to poll it.
  expect(await deposit.pendingReference()).toBeNull();
  expect(await axeComplaints(page)).toEqual([]);
  await deposit.button('Try again').click();
  await expect(deposit.amount).toHaveValue('800');
  await expect(deposit.amount).toBeFocused();
  await expect(page).toHaveURL(/\/deposit$/);
  await (await deposit.begin(800)).decline.click();
  await deposit.button('Back to Payment').click();
  await expect(page.getByText('Payment failed. Please try again.')).toBeVisible();
  await expect(page).toHaveURL(/\/payment$/);
});

test('a deposit is not followed after leaving @long', async ({ network, sender, page }) => {
  const deposit = await DepositPage.enter(page, sender);
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
  const json = { authorization_url: 'javascript:document.title="gone"', reference: 'kaya_none' };
  network.setFaults((_, path) =>
    path === initiate ? { kind: 'status', status: 200, json } : null,
  );
  await deposit.amount.fill('800');
  await deposit.proceed.click();
  await expect(page.getByText(failure)).toBeVisible();
  await expect(page).not.toHaveTitle('gone');
  expect(await deposit.pendingReference()).toBeNull();
});

test('a reload keeps the check; it succeeds once @long', async ({
  backstage,
  network,
  sender,
  page,
}) => {
  const deposit = await DepositPage.enter(page, sender);
  const checkout = await deposit.begin(1200);
  const held = network.holdNextReply((_, path) => path.startsWith(verifyPath));
  await checkout.pay.click();
  await held.answered;
  await expect(deposit.verifying).toBeVisible();
  const reference = await deposit.pendingReference();
  await page.reload();
  held.release();
  await expect(page.getByText('Deposit of ₦1,200 successful!')).toBeVisible();
  await expect(page).toHaveURL(/\/deposit$/);

  // The address that the provider led back to.
  await page.goto(`/deposit?reference=${reference}`);
  await expect(
    page.getByText('₦1,200 from this payment was already added to your balance.'),
  ).toBeVisible();
  // Immediately: a wrong toast would disappear.
  expect(await page.getByText('Deposit of ₦1,200 successful!').count()).toBe(0);
  await expect(page).toHaveURL(/\/deposit$/);
  expect(await availableOf(backstage, sender)).toBe(1200);
});

test('Back to a page in progress shows the payment @long', async ({ network, sender, page }) => {
  const deposit = await DepositPage.enter(page, sender);
  // The provider has nothing to show: the form stays, busy.
  network.setFaults((_, path) =>
    path.startsWith('/sandbox/checkout/') ? { kind: 'status', status: 204, message: '' } : null,
  );
  await deposit.amount.fill('300');
  await deposit.proceed.click();
  await expect.poll(() => deposit.pendingReference()).toMatch(/^kaya_/);
  const wake = () =>
    page.evaluate(() => {
      window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    });
  await wake();
  await expect(deposit.verifying).toBeVisible();
  await expect(deposit.check).toContainText('₦300');

  // Settled in another tab: the form is idle again.
  await page.evaluate(() => localStorage.removeItem('pendingReference'));
  await wake();
  await expect(deposit.proceed).toBeVisible();
  await expect(deposit.busy).toBeHidden();
});

test('offline, a payment is kept and checked @long', async ({ network, sender, page, context }) => {
  const deposit = await DepositPage.enter(page, sender);
  const checkout = await deposit.begin(600);
  network.setFaults((_, path) => (path.startsWith('/api/') ? { kind: 'dropped before' } : null));
  await checkout.pay.click();
  const unreachable = page.getByRole('heading', { name: 'Can’t check this payment right now' });
  await expect(unreachable).toBeVisible();
  expect(await deposit.pendingReference()).toMatch(/^kaya_/);

  // Reopened offline: the payment is known without the address.
  await context.setOffline(true);
  await page.goto('/deposit');
  await expect(unreachable).toBeVisible();
  network.setFaults(null);
  await context.setOffline(false);
  await expect(page.getByText('Deposit of ₦600 successful!')).toBeVisible();
});

test('a reference of another user is dropped @long', async ({ backstage, sender, page }) => {
  const other = await backstage.sender('Musa');
  const { data } = await backstage.call<InitiatedPayment>(other, 'POST', initiate, {
    email: other.email,
    amount: 500,
  });
  const dropped = page.getByText('This payment was started from another account');
  const deposit = await DepositPage.enter(page, sender, `?reference=${data.reference}`);
  await expect(dropped).toBeVisible();
  await expect(page).toHaveURL(/\/deposit$/);
  await expect(deposit.proceed).toBeVisible();
  await expect(dropped).toBeHidden();

  await page.evaluate(
    (reference) => localStorage.setItem('pendingReference', reference),
    data.reference,
  );
  await page.goto('/deposit');
  await expect(dropped).toBeVisible();
  expect(await deposit.pendingReference()).toBeNull();
  await page.goto(`/deposit?reference=${encodeURIComponent('<script>alert(1)</script>')}`);
  await expect(deposit.proceed).toBeVisible();
  await expect(page).toHaveURL(/\/deposit$/);
});

test('after an expired session the payment is checked @long', async ({ sender, page, context }) => {
  const deposit = await DepositPage.enter(page, sender);
  const checkout = await deposit.begin(2000);
  await context.clearCookies();
  await checkout.pay.click();
  await expect(page.getByRole('heading', { name: 'Session Expired' })).toBeVisible();
  await page.getByRole('button', { name: 'Go to Login Page' }).click();
  await new AuthPage(page).submit(sender);
  await expect(page.getByText('Deposit of ₦2,000 successful!')).toBeVisible();
});
