/** A courier's earnings, and their way to a bank account. */
import { admin, type Backstage } from '#tests/e2e/backstage.ts';
import { type Account, expect, test } from '#tests/e2e/kaya.ts';
import { axeComplaints } from '#tests/e2e/layout.ts';
import { EarningsPage } from '#tests/e2e/pages/payment-page.ts';

test.use({
  hasServiceWorker: false,
  // The first payout to a new account does not wait.
  serverEnv: { TILE_URL: 'off', TRUST_PROXY: 'on', PAYOUT_WAIT_HOURS: '0' },
});

/** The sandbox's account that no transfer reaches. */
const failing = '0000000001';

const give = ({ call }: Backstage, { id }: Account, amount: number) =>
  call(admin, 'PATCH', '/api/users/balance', { id, amount, reason: 'For a test' });

const addAccount = ({ call }: Backstage, by: Account, accountNumber: string) =>
  call(by, 'PUT', '/api/payouts/account', {
    bankCode: '058',
    accountNumber,
    password: by.password,
  });

/** Naira that a delivery earned, now. */
async function earn(backstage: Backstage, courier: Account, priceOffer: number) {
  const sender = await backstage.sender();
  await give(backstage, sender, priceOffer);
  const pkg = await backstage.package(sender, { priceOffer, paymentMethod: 'app' });
  await backstage.accept(courier, pkg);
  const delivered = { deliveryStatus: 'Delivered' };
  await backstage.call(sender, 'PATCH', `/api/packages/${pkg._id}`, delivered);
}

const payoutsOf = async ({ call }: Backstage, courier: Account) =>
  (await call<{ payouts: { amount: number }[] }>(courier, 'GET', '/api/payouts')).payouts;

test('earnings reach a bank account that the courier adds', async ({
  signedIn,
  backstage,
  courier,
}) => {
  await earn(backstage, courier, 12_350);
  const { page } = await signedIn(courier, '/payment');
  const screen = new EarningsPage(page);
  await expect(screen.earnings).toContainText('Today₦12,350');
  await expect(screen.earnings).toContainText('This week₦12,350');
  await expect(screen.wallet).toContainText('₦12,350');

  await screen.action.filter({ hasText: 'Add bank account' }).click();
  await screen.sheet.getByLabel('Bank', { exact: true }).fill('no such bank');
  await expect(screen.sheet).toContainText('No bank with this name.');
  await screen.sheet.getByLabel('Bank', { exact: true }).fill('gtb');
  await screen.nameAccount('Guaranty Trust Bank', '9999999999');
  await expect(screen.sheet.getByRole('alert')).toContainText('The bank doesn’t know this number.');
  const number = screen.sheet.getByLabel('Account number');
  await number.fill('01234 56789');
  await expect(number).toHaveValue('0123456789');
  await expect(screen.sheet.getByText(/^Is this you\? [A-Z ]+$/)).toBeVisible();
  expect(await axeComplaints(page)).toEqual([]);
  const save = screen.sheet.getByRole('button', { name: 'Save bank account' });
  const password = screen.sheet.getByLabel('Your Kaya password');
  await password.fill('not-my-password');
  await save.click();
  await expect(screen.sheet).toContainText('Incorrect password.');
  await password.fill(courier.password);
  await save.click();
  await expect(screen.sheet).toBeHidden();
  await expect(screen.account).toContainText('Guaranty Trust Bank •••• 6789');

  await screen.action.filter({ hasText: 'Cash out' }).click();
  const amount = screen.sheet.getByLabel('Amount', { exact: true });
  // All of it, whose fee still fits.
  await expect(amount).toHaveValue('12325');
  await amount.fill('12350');
  await screen.sheet.getByRole('button', { name: 'Cash out' }).click();
  await expect(screen.sheet.getByRole('alert')).toContainText('you can cash out up to ₦12,325');
  await screen.sheet.getByRole('button', { name: '₦5,000', exact: true }).click();
  expect(await axeComplaints(page)).toEqual([]);
  await expect(screen.sheet).toContainText('Fee₦10');
  await expect(screen.sheet).toContainText('Taken from your balance₦5,010');
  await screen.sheet.getByRole('button', { name: 'Cash out ₦5,000' }).click();
  await expect(
    page.getByText(/^₦5,000 is on its way\. By \d\d:\d\d (today|tomorrow)\.$/),
  ).toBeVisible();
  await expect(screen.sheet).toBeHidden();
  await expect(screen.wallet).toContainText('₦7,340');
  await expect(screen.entries.nth(0)).toContainText('Cash out−₦5,010');

  await expect(screen.payouts).toHaveCount(1);
  await expect(async () => {
    await screen.lookAgain();
    await expect(screen.payouts.nth(0)).toContainText('₦5,000Paid', { timeout: 1000 });
  }).toPass();
  await expect(screen.wallet).toContainText('₦7,340');
  expect(await axeComplaints(page)).toEqual([]);
});

test('a payout that the bank does not take comes back', async ({
  signedIn,
  backstage,
  courier,
}) => {
  await give(backstage, courier, 6000);
  await addAccount(backstage, courier, failing);
  const { page } = await signedIn(courier, '/payment');
  const screen = new EarningsPage(page);
  await screen.action.click();
  await screen.sheet.getByLabel('Amount', { exact: true }).fill('5k');
  await screen.sheet.getByRole('button', { name: 'Cash out ₦5,000' }).click();
  await expect(screen.wallet).toContainText('₦990');
  await expect(screen.wallet).toContainText('On its way₦5,010');
  await expect(async () => {
    await screen.lookAgain();
    await expect(screen.payouts.nth(0)).toContainText('Came back', { timeout: 1000 });
  }).toPass();
  await expect(screen.payouts.nth(0)).toContainText('₦5,010 is back in your balance.');
  await expect(screen.wallet).toContainText('₦6,000');
  await expect(screen.wallet).not.toContainText('On its way');
  await expect(screen.entries.nth(0)).toContainText('Payout came back+₦5,010');
});

test('a payout whose answer is lost goes out once', async ({
  signedIn,
  backstage,
  network,
  courier,
}) => {
  await give(backstage, courier, 20_000);
  await addAccount(backstage, courier, '0123456789');
  const { page } = await signedIn(courier, '/payment');
  const screen = new EarningsPage(page);
  await screen.action.click();
  await screen.sheet.getByRole('button', { name: '₦5,000', exact: true }).click();
  const cut = network.cutNextReply((method, path) => method === 'POST' && path === '/api/payouts');
  const send = screen.sheet.getByRole('button', { name: 'Cash out ₦5,000' });
  await send.click();
  await cut;
  await expect(screen.sheet.getByRole('alert')).toContainText('never goes out twice');
  await send.click();
  await expect(screen.sheet).toBeHidden();
  await expect(screen.payouts).toHaveCount(1);
  expect(network.received.filter((line) => line.startsWith('POST /api/payouts'))).toHaveLength(2);
  expect((await payoutsOf(backstage, courier)).map(({ amount }) => amount)).toEqual([5000]);
});

test.describe('with a service worker', () => {
  test.use({ hasServiceWorker: true });

  test('earnings are there offline, as of when they were loaded', async ({
    installed,
    backstage,
    courier,
  }) => {
    await earn(backstage, courier, 1550);
    await addAccount(backstage, courier, '0123456789');
    const { page, context } = await installed(courier, '/payment');
    const screen = new EarningsPage(page);
    await expect(screen.earnings).toContainText('Today₦1,550');
    await context.setOffline(true);
    await page.reload();
    await expect(screen.earnings).toContainText('Today₦1,550');
    const amounts = (await screen.week.getByRole('cell').allTextContents()).filter(
      (text) => text === '₦1,550',
    );
    expect(amounts).toHaveLength(1);
    await expect(screen.wallet).toContainText(/As of \d\d:\d\d/);
    await expect(screen.account).toContainText('•••• 6789');
    // What needs the network says so before anything is filled in.
    await expect(screen.action).toHaveText('Connect to cash out');
    await expect(screen.action).toBeDisabled();
    await expect(screen.account.getByRole('button')).toBeDisabled();

    await context.setOffline(false);
    await expect(screen.action).toHaveText('Cash out');
    await expect(screen.action).toBeEnabled();
    await expect(screen.wallet).not.toContainText('As of');
  });
});
