import type { Page } from '@playwright/test';
import type { Payments } from '#contract/payment.ts';
import { admin, type Backstage } from '#tests/e2e/backstage.ts';
import { enter } from '#tests/e2e/inside.ts';
import { type Account, expect, test } from '#tests/e2e/kaya.ts';
import { linesOf } from '#tests/e2e/layout.ts';
import { HomePage } from '#tests/e2e/pages/home-page.ts';
import { PaymentPage } from '#tests/e2e/pages/payment-page.ts';

/** Adjustments by a dispatcher, oldest first; naira. */
async function correct({ call }: Backstage, account: Account, amounts: readonly number[]) {
  for (const amount of amounts) {
    const reason = `Correction of ${amount}`;
    await call(admin, 'PATCH', '/api/users/balance', { id: account.id, amount, reason });
  }
}

/** History state the router keeps, as a navigation of the app leaves it. */
async function arriveWith(page: Page, paymentStatus: string) {
  await page.evaluate((status) => {
    const { idx } = history.state;
    history.replaceState({ idx, key: 'arrived', usr: { paymentStatus: status } }, '', '/payment');
  }, paymentStatus);
  await page.reload();
}

test('the balance lists each movement with its sign', async ({ signedIn, backstage }) => {
  const sender = await backstage.sender();
  await correct(backstage, sender, [5000, -250.5]);
  await backstage.package(sender, { paymentMethod: 'app' });
  const { page } = await signedIn(sender);
  const home = new HomePage(page);
  await page.goto('/');
  await home.openSidebar();
  await home.sidebar.getByRole('link', { name: 'Payment' }).click();
  await expect(page).toHaveURL(/\/payment$/);
  const payment = new PaymentPage(page);
  await expect(page.getByRole('heading', { name: 'Payment', level: 1 })).toBeVisible();
  await expect(payment.wallet).toContainText('₦3,249.50');
  await expect(payment.wallet).toContainText('On hold₦1,500');
  await expect(payment.wallet).not.toContainText('Earned');

  await expect(payment.entries).toHaveCount(3);
  await expect(payment.entries.nth(0)).toContainText('Held for delivery-₦1,500');
  await expect(payment.entries.nth(0)).toContainText('Balance ₦3,249.50');
  await expect(payment.entries.nth(1)).toContainText('Correction-₦250.50');
  await expect(payment.entries.nth(1)).toContainText('Correction of -250.5');
  await expect(payment.entries.nth(2)).toContainText('Correction+₦5,000');
  await payment.entries
    .nth(0)
    .getByRole('link', { name: /^Package KY-/ })
    .click();
  await expect(page.getByText('₦1,500 is held and goes to the courier')).toBeVisible();
});

test('a date stays on one line beside a long balance @long', async ({ phone, backstage }) => {
  const sender = await backstage.sender();
  await correct(backstage, sender, [9_999_999.99]);
  const { page } = await phone();
  await page.setViewportSize({ width: 360, height: 740 });
  await enter(page, sender, '/payment');
  const entry = new PaymentPage(page).entries.nth(0);
  await expect(entry).toContainText('Balance ₦9,999,999.99');
  const date = entry.getByText(/^\d+ \w+ 20\d\d, \d\d:\d\d$/);
  expect(await linesOf(date)).toBe(1);
});

test('a courier sees their earnings @long', async ({ signedIn, backstage }) => {
  const courier = await backstage.courier();
  const { page } = await signedIn(courier);
  const payment = await PaymentPage.open(page);
  await expect(payment.wallet).toContainText('₦0');
  await expect(payment.wallet).toContainText('Earned₦0');
  await expect(payment.history).toContainText('No payments yet.');
  await expect(payment.more).toBeHidden();
  await payment.addFunds.click();
  await expect(page).toHaveURL(/\/deposit$/);
});

test('a long history comes page by page', async ({ signedIn, backstage }) => {
  const sender = await backstage.sender();
  await correct(
    backstage,
    sender,
    Array.from({ length: 22 }, (_, place) => 100 + place),
  );
  const { page, context } = await signedIn(sender);
  const payment = await PaymentPage.open(page);
  await expect(payment.entries).toHaveCount(20);

  await context.setOffline(true);
  await payment.more.click();
  await expect(page.getByText(/You need an internet connection/)).toBeVisible();
  await expect(payment.entries).toHaveCount(20);
  await context.setOffline(false);

  await payment.more.click();
  await expect(payment.entries).toHaveCount(22);
  await expect(payment.entries.nth(20)).toBeFocused();
  await expect(payment.entries.nth(20)).toContainText('Correction of 101');
  await expect(payment.entries.nth(21)).toContainText('Correction of 100');
  await expect(payment.more).toBeHidden();
});

test('the balance says its age offline @long', async ({ installed, backstage, network }) => {
  const sender = await backstage.sender();
  await correct(backstage, sender, [700]);
  const { page, context } = await installed(sender);
  const payment = await PaymentPage.open(page);
  await expect(payment.entries).toHaveCount(1);

  await context.setOffline(true);
  await page.reload();
  await expect(
    page.getByText(/Couldn’t load your payments. You need an internet connection/),
  ).toBeVisible();
  await expect(payment.wallet).toContainText('₦700');
  await expect(payment.wallet).toContainText(/As of \d/);
  await context.setOffline(false);
  await expect(payment.entries).toHaveCount(1);
  await expect(payment.wallet).not.toContainText('As of');

  // A server error is reported as such, and the button retries.
  network.setFaults((_, path) =>
    path.startsWith('/api/payments') ? { kind: 'status', status: 503, code: 'unavailable' } : null,
  );
  await page.reload();
  await expect(page.getByText('Couldn’t load your payments. No.')).toBeVisible();
  network.setFaults(null);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(payment.entries).toHaveCount(1);
});

/** Records every text shown since the page loaded, however briefly. */
async function listen(page: Page) {
  await page.addInitScript(() => {
    const heard: string[] = [];
    Object.assign(window, { heard });
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes) {
        for (const node of addedNodes) heard.push(node.textContent ?? '');
      }
    }).observe(document, { childList: true, subtree: true });
  });
}

const hasHeard = (page: Page, sentence: string) =>
  page.evaluate(
    (wanted) => (Reflect.get(window, 'heard') as string[]).some((text) => text.includes(wanted)),
    sentence,
  );

test('the outcome of a payment is said once @long', async ({ signedIn, backstage }) => {
  const sender = await backstage.sender();
  const { page } = await signedIn(sender);
  await listen(page);
  const payment = await PaymentPage.open(page);
  for (const [status, sentence] of [
    ['success', 'Payment successful!'],
    ['failed', 'Payment failed. Please try again.'],
  ] as const) {
    await expect(payment.history).toBeVisible();
    await arriveWith(page, status);
    await expect(page.getByText(sentence)).toBeVisible();
    await expect(page.getByText(sentence)).toBeHidden();
    await page.reload();
    await expect(payment.history).toBeVisible();
    await payment.addFunds.click();
    await expect(page).toHaveURL(/\/deposit$/);
    await page.goBack();
    await expect(payment.history).toBeVisible();
    expect(await hasHeard(page, sentence)).toBe(false);
    // Guard: the recorder sees what is shown.
    expect(await hasHeard(page, 'No payments yet.')).toBe(true);
  }
});

test('a visible balance is updated @long', async ({ signedIn, backstage }) => {
  const sender = await backstage.sender();
  const { page } = await signedIn(sender);
  const payment = await PaymentPage.open(page);
  await expect(payment.history).toContainText('No payments yet.');
  await correct(backstage, sender, [450]);
  await expect(payment.entries).toHaveCount(1);
  await expect(payment.wallet).toContainText('₦450');
  const { available } = (await backstage.call(sender, 'GET', '/api/payments')) as Payments;
  expect(available).toBe(450);
});
