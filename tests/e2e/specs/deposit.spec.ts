/** Paying money in, over the sandbox provider's page and back: SPEC.md sections 2, 4, 5, 8 and 9. */
import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import type { InitiatedPayment, Payments } from '#contract/payment.ts';
import { type Account, expect, test } from '#tests/e2e/kaya.ts';
import { AuthPage } from '#tests/e2e/pages/auth-page.ts';
import { CheckoutPage, DepositPage } from '#tests/e2e/pages/payment-page.ts';

const verifyPath = '/api/payments/verify/';
const minimum = 'Minimum deposit is ₦100';

async function signedIn(page: Page, account: Account) {
  const shell = await (await AuthPage.open(page)).signInAs(account);
  await shell.untilInstalled();
  return shell;
}

/** What axe finds wrong, light and dark. */
async function complaintsOf(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    // Without it every look would open a page of its own to end in.
    const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze();
    found.push(...violations.map(({ id, help }) => `${colorScheme}: ${id}, ${help}`));
  }
  return found;
}

/** How often the app has asked what became of a payment. */
const asksIn = (lines: readonly string[]) =>
  lines.filter((line) => line.startsWith(`GET ${verifyPath}`)).length;

test('a deposit goes to the provider and back, is verified, and said to be there after its delays', async ({
  phone,
  backstage,
  network,
}) => {
  const sender = await backstage.account('Customer', 'Amina');
  const { page } = await phone();
  await signedIn(page, sender);
  const deposit = await DepositPage.open(page);
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

  // The clock stands from the return on, and the first question is answered 'not yet'.
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
  const known = page.waitForResponse((answer) => answer.url().includes(verifyPath));
  await page.clock.runFor(2000);
  expect(await (await known).json()).toMatchObject({ depositedAmount: 5000 });
  const success = page.getByText('Deposit of ₦5,000 successful!');
  const kept = () => page.evaluate(() => localStorage.getItem('pendingReference'));
  await page.clock.runFor(1400);
  await expect(success).toBeHidden();
  expect(await kept()).toBe(reference);
  await expect(deposit.verifying).toBeVisible();
  await expect
    .poll(async () => {
      await page.clock.runFor(50);
      return success.isVisible();
    })
    .toBe(true);
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

test('what cannot be an amount is refused at the field, said as an alert, and nothing is sent', async ({
  phone,
  backstage,
  network,
}) => {
  const sender = await backstage.account('Customer', 'Amina');
  const { page } = await phone();
  await signedIn(page, sender);
  const deposit = await DepositPage.open(page);
  const alert = deposit.page.getByRole('alert');
  for (const [typed, message] of [
    ['', minimum],
    ['99', minimum],
    ['99.99', minimum],
    ['-500', minimum],
    ['100.005', 'Must have at most two decimals.'],
    ['10000001', 'Must be at most ₦10,000,000.'],
    ['9'.repeat(300), 'Must be at most ₦10,000,000.'],
    ['1e4', 'Enter the amount in figures, for example 1500.'],
  ] as const) {
    await deposit.amount.fill(typed);
    await deposit.proceed.click();
    await expect(alert).toHaveText(message);
    await expect(deposit.amount).toBeFocused();
    await expect(deposit.amount).toHaveAttribute('aria-invalid', 'true');
    await expect(deposit.amount).toHaveValue(typed);
  }
  // What no number field takes: typed, it leaves nothing behind, and nothing runs.
  await deposit.amount.fill('');
  await deposit.amount.pressSequentially('<b>💸 مرحبا</b>');
  await deposit.proceed.click();
  await expect(alert).toHaveText(minimum);
  await deposit.amount.pressSequentially('5-5');
  await deposit.proceed.click();
  await expect(alert).toHaveText('Enter the amount in figures, for example 1500.');
  expect(network.received.filter((line) => line.includes('/initiate'))).toEqual([]);

  await page.goto(`/deposit?amount=${encodeURIComponent('<img src=x onerror=alert(1)>')}`);
  await expect(deposit.amount).toHaveValue('');
  await page.goto('/deposit?amount=700');
  await expect(deposit.amount).toHaveValue('700');
});

test('a provider that fails is an alert, keeps what was typed, and the next press begins one top-up only', async ({
  phone,
  backstage,
  network,
}) => {
  const sender = await backstage.account('Customer', 'Amina');
  const { page, context } = await phone();
  await signedIn(page, sender);
  const deposit = await DepositPage.open(page);
  const alert = page.getByRole('alert');
  const failure = 'Payment failed. Try again.';
  await deposit.amount.fill('2500');

  network.setWeather((_, path) =>
    path === '/api/payments/initiate'
      ? { kind: 'status', status: 503, code: 'provider_unavailable' }
      : null,
  );
  await deposit.proceed.click();
  await expect(alert).toHaveText(failure);
  await expect(deposit.amount).toHaveValue('2500');
  network.setWeather(null);

  await context.setOffline(true);
  await deposit.proceed.click();
  await expect(page.getByText(/^This needs the network/)).toBeVisible();
  await expect(alert).toHaveText(failure);
  await context.setOffline(false);
  expect(await deposit.pendingReference()).toBeNull();

  // The answer gets lost: the second press is answered with the same payment.
  const cut = network.cutNextReply((_, path) => path === '/api/payments/initiate');
  await deposit.proceed.click();
  await cut;
  await expect(alert).toHaveText(failure);
  await deposit.begin(2500);
  const begun = network.answers.filter(({ path }) => path === '/api/payments/initiate');
  expect(begun.map(({ isReplayed }) => isReplayed)).toEqual([false, true]);
});

test('declined is said as such; it can be tried again, and leaving says that it failed', async ({
  phone,
  backstage,
}) => {
  const sender = await backstage.account('Customer', 'Amina');
  const { page } = await phone();
  await signedIn(page, sender);
  const deposit = await DepositPage.open(page);
  await (await deposit.begin(1500)).decline.click();
  await expect(page.getByRole('heading', { name: 'The payment was declined' })).toBeVisible();
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

test('abandoned, it can still be paid, from the page that is remembered; a dispatcher settles the rest', async ({
  phone,
  backstage,
}) => {
  const sender = await backstage.account('Customer', 'Amina');
  const { page } = await phone();
  await signedIn(page, sender);
  const deposit = await DepositPage.open(page);
  const checkout = await deposit.begin(800);
  await checkout.abandon.click();
  await expect(page.getByRole('heading', { name: 'The payment was not finished' })).toBeVisible();
  const reference = await deposit.pendingReference();

  await page.route(`**${verifyPath}**`, (route) =>
    route.fulfill({ json: { depositedAmount: 0, status: 'review', reference } }),
  );
  await deposit.button('Check again').click();
  await expect(
    page.getByRole('heading', { name: 'This payment has to be looked at' }),
  ).toBeVisible();
  await page.unroute(`**${verifyPath}**`);
  await deposit.button('Check again').click();
  await expect(page.getByRole('heading', { name: 'The payment was not finished' })).toBeVisible();
  // The button that had the focus is another one's place now; the focus is not lost.
  await expect(page.locator('body')).not.toBeFocused();

  await deposit.check.getByRole('link', { name: 'Go to the payment page' }).click();
  await checkout.pay.click();
  await expect(page.getByText('Deposit of ₦800 successful!')).toBeVisible();
});

test('a reload while it is verified loses nothing, and coming back twice says it was there before', async ({
  phone,
  backstage,
  network,
}) => {
  const sender = await backstage.account('Customer', 'Amina');
  const { page } = await phone();
  await signedIn(page, sender);
  const deposit = await DepositPage.open(page);
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
    page.getByText('The ₦1,200 of this payment were added to your balance before.'),
  ).toBeVisible();
  // At once: a toast that was wrong would be gone by itself.
  expect(await page.getByText('Deposit of ₦1,200 successful!').count()).toBe(0);
  await expect(page).toHaveURL(/\/deposit$/);
  const { available } = (await backstage.call(sender, 'GET', '/api/payments')) as Payments;
  expect(available).toBe(1200);
});

test('two tabs learn of the same payment, the one that only remembers it too', async ({
  phone,
  backstage,
  network,
}) => {
  const sender = await backstage.account('Customer', 'Amina');
  const { page, context } = await phone();
  await signedIn(page, sender);
  const deposit = await DepositPage.open(page);
  const checkout = await deposit.begin(900);

  const other = await context.newPage();
  const otherDeposit = await DepositPage.open(other);
  await expect(otherDeposit.verifying).toBeVisible();
  await expect.poll(() => asksIn(network.forwarded)).toBeGreaterThanOrEqual(1);
  await checkout.pay.click();
  await expect(page.getByText('Deposit of ₦900 successful!')).toBeVisible();
  await other.bringToFront();
  await expect(other.getByText(/₦900 (has been|of this payment were) added/)).toBeVisible();
  expect(await deposit.pendingReference()).toBeNull();
});

test('shown again by Back as it was left, under way, the page asks what became of the payment', async ({
  phone,
  backstage,
}) => {
  const sender = await backstage.account('Customer', 'Amina');
  const { page } = await phone();
  await signedIn(page, sender);
  const deposit = await DepositPage.open(page);
  // The provider has nothing to show: the form stays where it is, busy.
  await page.route('**/sandbox/checkout/**', (route) => route.fulfill({ status: 204 }));
  await deposit.amount.fill('350');
  await deposit.proceed.click();
  await expect.poll(() => deposit.pendingReference()).toMatch(/^kaya_/);
  const wake = () =>
    page.evaluate(() => {
      window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    });
  await wake();
  await expect(deposit.verifying).toBeVisible();
  await expect(deposit.check).toContainText('₦350');

  // Settled in another tab meanwhile: the form is there, and not busy with what is over.
  await page.evaluate(() => localStorage.removeItem('pendingReference'));
  await wake();
  await expect(deposit.proceed).toBeVisible();
  await expect(deposit.busy).toBeHidden();
});

test('without network the payment is remembered and checked as soon as there is one', async ({
  phone,
  backstage,
  network,
}) => {
  const sender = await backstage.account('Customer', 'Amina');
  const { page, context } = await phone();
  await signedIn(page, sender);
  const deposit = await DepositPage.open(page);
  const checkout = await deposit.begin(600);
  network.setWeather((_, path) => (path.startsWith('/api/') ? { kind: 'dropped before' } : null));
  await checkout.pay.click();
  const unreachable = page.getByRole('heading', {
    name: 'This payment cannot be checked just now',
  });
  await expect(unreachable).toBeVisible();
  expect(await deposit.pendingReference()).toMatch(/^kaya_/);

  // Closed and opened again without network: it is still known, though the address says nothing.
  await context.setOffline(true);
  await page.goto('/deposit');
  await expect(unreachable).toBeVisible();
  network.setWeather(null);
  await context.setOffline(false);
  await expect(page.getByText('Deposit of ₦600 successful!')).toBeVisible();
});

test('what nobody pays is asked about for a minute, and not at all while the page is hidden', async ({
  phone,
  backstage,
  network,
}) => {
  const sender = await backstage.account('Customer', 'Amina');
  const { page } = await phone();
  await signedIn(page, sender);
  const deposit = await DepositPage.open(page);
  await deposit.begin(400);
  await page.clock.install();
  await page.goto('/deposit');
  await expect(deposit.verifying).toBeVisible();
  await expect.poll(() => asksIn(network.forwarded)).toBe(1);

  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await page.clock.runFor(120_000);
  expect(asksIn(network.forwarded)).toBe(1);
  await page.evaluate(() => {
    Reflect.deleteProperty(document, 'visibilityState');
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await expect.poll(() => asksIn(network.forwarded)).toBe(2);

  const slow = page.getByRole('heading', { name: 'This payment is not confirmed yet' });
  await expect
    .poll(
      async () => {
        await page.clock.runFor(2000);
        return slow.isVisible();
      },
      { timeout: 60_000, intervals: [20] },
    )
    .toBe(true);
  const asked = asksIn(network.forwarded);
  await page.clock.runFor(600_000);
  expect(asksIn(network.forwarded)).toBe(asked);

  await deposit.button('Stop checking').click();
  await expect(page.getByText(/^No longer checked here/)).toBeVisible();
  await expect(deposit.amount).toHaveValue('400');
  expect(await deposit.pendingReference()).toBeNull();
});

test("another user's reference is dropped with a word, wherever it comes from", async ({
  phone,
  backstage,
}) => {
  const sender = await backstage.account('Customer', 'Amina');
  const other = await backstage.account('Customer', 'Musa');
  const { data } = (await backstage.call(other, 'POST', '/api/payments/initiate', {
    ...{ email: other.email, amount: 500 },
  })) as InitiatedPayment;
  const { page } = await phone();
  await signedIn(page, sender);
  const dropped = page.getByText('This payment was not begun by this account');
  const deposit = await DepositPage.open(page, `?reference=${data.reference}`);
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

test('a session that ended at the provider costs nothing: after sign-in the payment is checked', async ({
  phone,
  backstage,
}) => {
  const sender = await backstage.account('Customer', 'Amina');
  const { page, context } = await phone();
  await signedIn(page, sender);
  const deposit = await DepositPage.open(page);
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
