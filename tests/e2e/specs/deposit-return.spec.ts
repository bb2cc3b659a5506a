/** A deposit whose user reloads, comes back, goes offline, or never pays. */
import type { InitiatedPayment, Payments } from '#contract/payment.ts';
import { expect, test } from '#tests/e2e/kaya.ts';
import { AuthPage } from '#tests/e2e/pages/auth-page.ts';
import { asksIn, DepositPage, verifyPath } from '#tests/e2e/pages/payment-page.ts';

test('a reload keeps the verification; it succeeds once', async ({ phone, backstage, network }) => {
  const sender = await backstage.sender();
  const { page } = await phone();
  const deposit = await DepositPage.enter(page, sender);
  const checkout = await deposit.begin(1200);
  const held = network.holdNextReply((_, path) => path.startsWith(verifyPath));
  await checkout.pay.click();
  await held.answered;
  await expect(deposit.verifying).toBeVisible();
  const back = page.url();
  await page.reload();
  held.release();
  await expect(page.getByText('Deposit of ₦1,200 successful!')).toBeVisible();
  await expect(page).toHaveURL(/\/deposit$/);

  await page.goto(back);
  await expect(
    page.getByText('₦1,200 from this payment was already added to your balance.'),
  ).toBeVisible();
  // Immediately: a wrong toast would disappear.
  expect(await page.getByText('Deposit of ₦1,200 successful!').count()).toBe(0);
  await expect(page).toHaveURL(/\/deposit$/);
  const { available } = (await backstage.call(sender, 'GET', '/api/payments')) as Payments;
  expect(available).toBe(1200);
});

test('two tabs see the same payment @long', async ({ phone, backstage, network }) => {
  const sender = await backstage.sender();
  const { page, context } = await phone();
  const deposit = await DepositPage.enter(page, sender);
  const checkout = await deposit.begin(900);

  const other = await context.newPage();
  const otherDeposit = await DepositPage.open(other);
  await expect(otherDeposit.verifying).toBeVisible();
  await expect.poll(() => asksIn(network.forwarded)).toBeGreaterThanOrEqual(1);
  await checkout.pay.click();
  await expect(page.getByText('Deposit of ₦900 successful!')).toBeVisible();
  await other.bringToFront();
  await expect(
    other.getByText(/₦900 (has been|from this payment was already) added/),
  ).toBeVisible();
  expect(await deposit.pendingReference()).toBeNull();
});

test('Back to a page in progress shows the payment @long', async ({ phone, backstage }) => {
  const sender = await backstage.sender();
  const { page } = await phone();
  const deposit = await DepositPage.enter(page, sender);
  // The provider has nothing to show: the form stays, busy.
  await page.route('**/sandbox/checkout/**', (route) => route.fulfill({ status: 204 }));
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

test('offline, the payment is remembered and checked', async ({ phone, backstage, network }) => {
  const sender = await backstage.sender();
  const { page, context } = await phone();
  const deposit = await DepositPage.enter(page, sender);
  const checkout = await deposit.begin(600);
  network.setFaults((_, path) => (path.startsWith('/api/') ? { kind: 'dropped before' } : null));
  await checkout.pay.click();
  const unreachable = page.getByRole('heading', {
    name: 'Can’t check this payment right now',
  });
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

test('a reference of another user is dropped @long', async ({ phone, backstage }) => {
  const sender = await backstage.sender();
  const other = await backstage.sender('Musa');
  const { data } = (await backstage.call(other, 'POST', '/api/payments/initiate', {
    ...{ email: other.email, amount: 500 },
  })) as InitiatedPayment;
  const { page } = await phone();
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

test('after an expired session the payment is checked @long', async ({ phone, backstage }) => {
  const sender = await backstage.sender();
  const { page, context } = await phone();
  const deposit = await DepositPage.enter(page, sender);
  const checkout = await deposit.begin(2000);
  await context.clearCookies();
  await checkout.pay.click();
  await expect(page.getByRole('heading', { name: 'Session Expired' })).toBeVisible();
  await page.getByRole('button', { name: 'Go to Login Page' }).click();
  const auth = new AuthPage(page);
  await auth.email.fill(sender.email);
  await auth.password.fill(sender.password);
  await auth.signIn.click();
  await expect(page.getByText('Deposit of ₦2,000 successful!')).toBeVisible();
});
