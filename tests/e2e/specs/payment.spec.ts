/** The balance and its history; paying for a package. */
import type { Page } from '@playwright/test';
import { admin, type Backstage, type PackageOnServer } from '#tests/e2e/backstage.ts';
import { comeBack } from '#tests/e2e/inside.ts';
import { type Account, expect, test } from '#tests/e2e/kaya.ts';
import { linesOf } from '#tests/e2e/layout.ts';
import { HomePage } from '#tests/e2e/pages/home-page.ts';
import { CheckoutPage, PaymentPage } from '#tests/e2e/pages/payment-page.ts';
import { listenToPhone } from '#tests/e2e/phone-announcements.ts';

test.use({ hasServiceWorker: false });

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

const send = (backstage: Backstage, sender: Account, change: object = {}) =>
  backstage.package(sender, { priceOffer: 1550, paymentMethod: 'app', ...change });

const paymentOf = async ({ call }: Backstage, sender: Account, { _id }: PackageOnServer) =>
  (await call<PackageOnServer>(sender, 'GET', `/api/packages/${_id}`)).paymentStatus;

const barOf = (page: Page) => page.locator('[data-actions]');
const cardOf = (page: Page) => page.getByRole('region', { name: 'Payment', exact: true });

test('the balance lists each movement with its sign', async ({ signedIn, backstage, sender }) => {
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
  await expect(payment.entries.nth(0)).toContainText('Held for delivery−₦1,500');
  await expect(payment.entries.nth(0)).toContainText('Balance ₦3,249.50');
  await expect(payment.entries.nth(1)).toContainText('Correction−₦250.50');
  await expect(payment.entries.nth(1)).toContainText('Correction of -250.5');
  await expect(payment.entries.nth(2)).toContainText('Correction+₦5,000');
  await payment.entries
    .nth(0)
    .getByRole('link', { name: /^Package KY-/ })
    .click();
  await expect(page.getByText('₦1,500 is held and goes to the courier')).toBeVisible();
});

test('a long history comes page by page @long', async ({ signedIn, backstage, sender }) => {
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

test.describe('with a service worker', () => {
  test.use({ hasServiceWorker: true });

  test('a balance shows its age offline @long', async ({
    installed,
    backstage,
    network,
    sender,
  }) => {
    await correct(backstage, sender, [700]);
    const { page, context } = await installed(sender);
    const payment = await PaymentPage.open(page);
    await expect(payment.entries).toHaveCount(1);

    await context.setOffline(true);
    await page.reload();
    await expect(page.getByText(/^You need an internet connection/)).toBeVisible();
    await expect(payment.wallet).toContainText('₦700');
    await expect(payment.wallet).toContainText(/As of \d/);
    await expect(payment.addFunds).toBeHidden();
    await expect(page.getByRole('button', { name: 'Connect to add funds' })).toBeDisabled();
    await context.setOffline(false);
    await expect(payment.entries).toHaveCount(1);
    await expect(payment.wallet).not.toContainText('As of');
    await expect(payment.addFunds).toBeVisible();

    // A server error is reported as such, and the button retries.
    network.setFaults((_, path) =>
      path.startsWith('/api/payments')
        ? { kind: 'status', status: 503, code: 'unavailable' }
        : null,
    );
    await page.reload();
    await expect(page.getByText('No.', { exact: true })).toBeVisible();
    network.setFaults(null);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(payment.entries).toHaveCount(1);
  });
});

test('the outcome of a payment is said once @long', async ({ signedIn, sender }) => {
  const { page, context } = await signedIn(sender);
  const announcements = await listenToPhone(context);
  const payment = await PaymentPage.open(page);
  for (const [status, sentence] of [
    ['success', 'Payment successful!'],
    ['failed', 'Payment failed. Please try again.'],
  ] as const) {
    await expect(payment.history).toBeVisible();
    await arriveWith(page, status);
    await announcements.untilSaid(sentence);
    await expect(page.getByText(sentence)).toBeHidden();
    await page.reload();
    await expect(payment.history).toBeVisible();
    await payment.addFunds.click();
    await expect(page).toHaveURL(/\/deposit$/);
    await page.goBack();
    await expect(payment.history).toBeVisible();
    expect(announcements.hasSaid(sentence)).toBe(false);
  }
});

test('a courier sees earnings, and each change @long', async ({ signedIn, backstage, courier }) => {
  const { page } = await signedIn(courier);
  const payment = await PaymentPage.open(page);
  await expect(payment.wallet).toContainText('Earned in the app₦0');
  await expect(payment.history).toContainText('No payments yet.');
  await expect(payment.more).toBeHidden();
  await page.setViewportSize({ width: 360, height: 740 });
  await correct(backstage, courier, [9_999_999.99]);
  const entry = payment.entries.nth(0);
  await expect(entry).toContainText('Balance ₦9,999,999.99');
  await expect(payment.wallet).toContainText('₦9,999,999.99');
  expect(await linesOf(entry.getByText(/^\d\d:\d\d$/))).toBe(1);
});

test('what the balance lacks is added and paid in one, never offline or twice', async ({
  signedIn,
  backstage,
  network,
  sender,
}) => {
  const pkg = await send(backstage, sender);
  const { page, context } = await signedIn(sender, '/tracking');
  await page.getByRole('link', { name: 'View Details' }).click();
  const card = cardOf(page);
  const payNow = barOf(page).getByRole('button', { name: 'Pay now' });
  await expect(card).toContainText('Paying holds ₦1,550 of your balance');

  await payNow.click();
  const question = page.getByRole('dialog');
  await expect(question).toContainText('Your balance is ₦1,550 short.');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(question).toBeHidden();

  // Whatever the phone knows of the balance, the server is asked first.
  const pay = async () => {
    await payNow.click();
    await question.getByRole('button', { name: /^Pay now$| and pay$/ }).click();
  };
  await expect(card).toContainText('Not paid yet.');
  await context.setOffline(true);
  await pay();
  await expect(card.getByRole('alert')).toContainText('You need an internet connection for this.');
  await context.setOffline(false);
  expect(await paymentOf(backstage, sender, pkg)).toBe('unpaid');

  await payNow.click();
  await question.getByRole('button', { name: 'Add ₦1,600 and pay' }).click();
  await page.waitForURL(/\/sandbox\/checkout\//);
  await new CheckoutPage(page).pay.click();
  await expect(page.getByText('Deposit of ₦1,600 successful!')).toBeVisible();
  await expect(page).toHaveURL(`/package-detail/${pkg._id}`);
  await expect(page.getByText('₦1,550 is held for this package.')).toBeVisible();
  await expect(card).toContainText('₦1,550 is held and goes to the courier on delivery.');
  await expect(payNow).toBeHidden();
  const patches = network.received.filter((line) => line.startsWith('PATCH /api/packages/'));
  // Refused without the money, then paid.
  expect(patches).toHaveLength(2);
  await page.goBack();
  await expect(page).toHaveURL(/\/tracking/);

  await test.step('an answer that is lost', async () => {
    const next = await send(backstage, sender);
    await correct(backstage, sender, [4000]);
    const path = `/api/packages/${next._id}`;
    await page.goto(path.replace('/api/packages', '/package-detail'));
    const cut = network.cutNextReply((method, asked) => method === 'PATCH' && asked === path);
    await pay();
    await cut;
    // The pull shows the server's state, even though the answer was lost.
    await expect(card).toContainText('₦1,550 is held and goes to the courier');
    const { available, held } = (await backstage.call(sender, 'GET', '/api/payments')) as {
      available: number;
      held: number;
    };
    expect([available, held]).toEqual([2500, 3100]);
  });
});

test('a package with unsent changes is not paid @long', async ({
  signedIn,
  backstage,
  network,
  sender,
}) => {
  const pkg = await send(backstage, sender);
  const { page } = await signedIn(sender);
  network.setFaults((method) => (method === 'PATCH' ? { kind: 'dropped before' } : null));
  await page.goto(`/edit-package/${pkg._id}`);
  await page.getByLabel('Price Offer').fill('900');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  const card = cardOf(page);
  await expect(card).toContainText('Paying holds ₦900 of your balance');
  await expect(card).toContainText('You can pay once your changes have been sent.');
  await expect(page.getByRole('button', { name: 'Pay now' })).toHaveCount(0);

  network.setFaults(null);
  await comeBack(page);
  const payNow = barOf(page).getByRole('button', { name: 'Pay now' });
  await expect(payNow).toBeVisible({ timeout: 30_000 });
});

test('a courier is paid on delivery or later @long', async ({ signedIn, backstage, sender }) => {
  const courier = await backstage.courier();
  await correct(backstage, sender, [1550]);
  const held = await send(backstage, sender);
  await backstage.call(sender, 'PATCH', `/api/packages/${held._id}`, { paymentStatus: 'paid' });
  await backstage.accept(courier, held);
  const { page } = await signedIn(courier, `/package-detail/${held._id}`);
  const delivered = page.getByRole('button', { name: 'Package Delivered' });
  const question = page.getByRole('alertdialog');
  await delivered.click();
  await expect(question).toContainText('₦1,550 will be paid to you.');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(question).toBeHidden();
  await delivered.click();
  await question.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('Package marked as delivered!')).toBeVisible();

  const late = await send(backstage, sender, { paymentMethod: 'cash' });
  await backstage.accept(courier, late);
  const path = `/api/packages/${late._id}`;
  await backstage.call(courier, 'PATCH', path, { deliveryStatus: 'delivered' });
  await backstage.call(admin, 'PATCH', path, { paymentMethod: 'app' });
  await correct(backstage, sender, [1550]);
  const amina = await signedIn(sender, `/package-detail/${late._id}`);
  const card = cardOf(amina.page);
  await expect(card).toContainText('Paying sends ₦1,550 from your balance to the courier');
  await barOf(amina.page).getByRole('button', { name: 'Pay now' }).click();
  const dialog = amina.page.getByRole('dialog');
  await expect(dialog).toContainText('₦1,550 of your balance goes to the courier');
  await dialog.getByRole('button', { name: 'Pay now' }).click();
  await expect(card).toContainText('₦1,550 has been paid to the courier.');
});

test('a sender who pays by confirming can undo it @long', async ({
  signedIn,
  backstage,
  sender,
}) => {
  const courier = await backstage.courier();
  await correct(backstage, sender, [1550]);
  const held = await send(backstage, sender);
  await backstage.accept(courier, held);
  const { page } = await signedIn(sender, `/package-detail/${held._id}`);
  await page.getByRole('button', { name: 'Package Delivered' }).click();
  const question = page.getByRole('alertdialog');
  await expect(question).toContainText(
    '₦1,550 will be paid to the courier immediately. You can undo this for 10 minutes, if the courier still has the money.',
  );
  await question.getByRole('button', { name: 'Confirm' }).click();
  await expect(cardOf(page)).toContainText('₦1,550 has been paid to the courier.');
  await page.locator('[data-timeline]').getByRole('button', { name: 'Undo' }).click();
  await expect(cardOf(page)).toContainText('₦1,550 is held');
});

test('a dispatcher pays from a sender’s funds @long', async ({ signedIn, backstage }) => {
  const [sender, courier] = await Promise.all([backstage.sender(), backstage.courier()]);
  const pkg = await send(backstage, sender);
  await backstage.accept(courier, pkg);
  const sani = await signedIn(courier, `/package-detail/${pkg._id}`);
  await expect(cardOf(sani.page)).toContainText('The sender has not paid for this package yet.');
  await expect(cardOf(sani.page).getByRole('button')).toHaveCount(0);

  const { page } = await signedIn(admin, `/package-detail/${pkg._id}`);
  await cardOf(page).getByRole('button', { name: 'Pay now' }).click();
  await expect(page.getByRole('dialog')).toContainText('of Amina Bello’s balance is held');
  await page.getByRole('dialog').getByRole('button', { name: 'Pay now' }).click();
  await expect(cardOf(page).getByRole('alert')).toHaveText(
    'Amina Bello’s balance is ₦1,550 short.',
  );
  await expect(cardOf(page).getByRole('link', { name: 'Add funds' })).toHaveCount(0);
});

test('a package that was paid out and is opened again is paid again @long', async ({
  signedIn,
  backstage,
  sender,
}) => {
  const courier = await backstage.courier();
  const paid = { deliveryStatus: 'Delivered' };
  await correct(backstage, sender, [1550]);
  const again = await send(backstage, sender);
  const path = `/api/packages/${again._id}`;
  await backstage.accept(courier, again);
  await backstage.call(sender, 'PATCH', path, paid);
  await backstage.call(admin, 'PATCH', path, { deliveryStatus: 'In Transit' });
  const { page } = await signedIn(courier, `/package-detail/${again._id}`);
  // The courier has already been paid, so the app promises nothing.
  await page.getByRole('button', { name: 'Package Delivered' }).click();
  await expect(page.getByText('Package marked as delivered!')).toBeVisible();
  await expect(cardOf(page)).toContainText('₦1,550 has been paid to you.');

  const boss = await signedIn(admin, `/package-detail/${again._id}`);
  await boss.page.getByRole('button', { name: 'Back to Pending' }).click();
  const question = boss.page.getByRole('dialog');
  await expect(question).toContainText('the sender has to pay again.');
  await question.getByRole('button', { name: 'Back to Pending' }).click();
  const amina = await signedIn(sender, `/package-detail/${again._id}`);
  await expect(cardOf(amina.page)).toContainText('Not paid yet.');
  await expect(barOf(amina.page).getByRole('button', { name: 'Pay now' })).toBeVisible();
});
