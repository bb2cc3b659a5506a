import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { admin, type Backstage, type PackageOnServer } from '#tests/e2e/backstage.ts';
import { comeBack } from '#tests/e2e/inside.ts';
import { type Account, expect, test } from '#tests/e2e/kaya.ts';
import { CheckoutPage, DepositPage } from '#tests/e2e/pages/payment-page.ts';

const send = (backstage: Backstage, sender: Account, change: object = {}) =>
  backstage.package(sender, { priceOffer: 1550, paymentMethod: 'app', ...change });

const paymentOf = async ({ call }: Backstage, sender: Account, { _id }: PackageOnServer) =>
  (await call<PackageOnServer>(sender, 'GET', `/api/packages/${_id}`)).paymentStatus;

const cardOf = (page: Page) => page.getByRole('region', { name: 'Payment', exact: true });

test('what the balance lacks is added, then paid', async ({ signedIn, backstage }) => {
  const sender = await backstage.sender();
  const pkg = await send(backstage, sender);
  const { page } = await signedIn(sender, `/package-detail/${pkg._id}`);
  const card = cardOf(page);
  const payNow = card.getByRole('button', { name: 'Pay now' });
  await expect(card).toContainText('Paying holds ₦1,550 of your balance');

  await payNow.click();
  const question = page.getByRole('dialog');
  await expect(question).toContainText('₦1,550 of your balance is held');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(question).toBeHidden();
  expect(await paymentOf(backstage, sender, pkg)).toBe('unpaid');

  await payNow.click();
  await question.getByRole('button', { name: 'Pay now' }).click();
  await expect(card.getByRole('alert')).toHaveText('Your balance is ₦1,550 short.');
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze();
  expect(violations.map(({ id }) => id)).toEqual([]);
  await card.getByRole('link', { name: 'Add funds' }).click();
  const deposit = new DepositPage(page);
  await expect(deposit.amount).toHaveValue('1600');
  await deposit.proceed.click();
  await page.waitForURL(/\/sandbox\/checkout\//);
  await new CheckoutPage(page).pay.click();
  await expect(page.getByText('Deposit of ₦1,600 successful!')).toBeVisible();
  await page.getByRole('link', { name: 'Back to the package' }).click();

  await payNow.click();
  await question.getByRole('button', { name: 'Pay now' }).click();
  await expect(page.getByText('₦1,550 is held for this package.')).toBeVisible();
  await expect(card).toContainText('₦1,550 is held and goes to the courier on delivery.');
  await expect(payNow).toBeHidden();
  expect(await paymentOf(backstage, sender, pkg)).toBe('paid');
});

test('offline pays nothing, a lost reply pays once', async ({ signedIn, backstage, network }) => {
  const sender = await backstage.sender();
  const pkg = await send(backstage, sender);
  await backstage.call(admin, 'PATCH', '/api/users/balance', {
    ...{ id: sender.id, amount: 4000, reason: 'A start' },
  });
  const { page, context } = await signedIn(sender, `/package-detail/${pkg._id}`);
  const card = cardOf(page);
  const pay = async () => {
    await card.getByRole('button', { name: 'Pay now' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Pay now' }).click();
  };
  await expect(card).toContainText('Not paid yet.');
  await context.setOffline(true);
  await pay();
  await expect(card.getByRole('alert')).toContainText('You need an internet connection for this.');
  await context.setOffline(false);
  expect(await paymentOf(backstage, sender, pkg)).toBe('unpaid');

  const path = `/api/packages/${pkg._id}`;
  const cut = network.cutNextReply((method, asked) => method === 'PATCH' && asked === path);
  await pay();
  await cut;
  // The pull shows the server's state, even though the answer was lost.
  await expect(card).toContainText('₦1,550 is held and goes to the courier');
  const { available, held } = (await backstage.call(sender, 'GET', '/api/payments')) as {
    available: number;
    held: number;
  };
  expect([available, held]).toEqual([2450, 1550]);
});

test('a package with unsent changes is not paid @long', async ({ signedIn, backstage }) => {
  const sender = await backstage.sender();
  const pkg = await send(backstage, sender);
  const { page } = await signedIn(sender);
  await page.route(`**/api/packages/${pkg._id}`, (route) =>
    route.request().method() === 'PATCH' ? route.abort() : route.fallback(),
  );
  await page.goto(`/edit-package/${pkg._id}`);
  await page.getByLabel('Price Offer').fill('900');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  const card = cardOf(page);
  await expect(card).toContainText('Paying holds ₦900 of your balance');
  await expect(card).toContainText('You can pay once your changes have been sent.');
  await expect(card.getByRole('button')).toHaveCount(0);

  await page.unroute(`**/api/packages/${pkg._id}`);
  await comeBack(page);
  await expect(card.getByRole('button', { name: 'Pay now' })).toBeVisible({ timeout: 30_000 });
});

test('a courier confirms cash after a question', async ({ signedIn, backstage }) => {
  const [sender, courier] = [await backstage.sender(), await backstage.courier()];
  const pkg = await send(backstage, sender, { paymentMethod: 'cash' });
  await backstage.accept(courier, pkg);
  const { page } = await signedIn(courier, `/package-detail/${pkg._id}`);
  const card = cardOf(page);
  await card.getByRole('button', { name: 'Mark as paid' }).click();
  const question = page.getByRole('dialog');
  await expect(question).toContainText('Confirm that ₦1,550 has been paid in cash.');
  await question.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('Marked as paid.')).toBeVisible();
  await expect(card).toContainText('₦1,550 has been paid in cash.');
  await expect(card.getByRole('button')).toHaveCount(0);
  expect(await paymentOf(backstage, sender, pkg)).toBe('paid');
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

test('delivering a paid package asks first @long', async ({ signedIn, backstage }) => {
  const [sender, courier] = await Promise.all([backstage.sender(), backstage.courier()]);
  const fund = () => {
    const body = { id: sender.id, amount: 1550, reason: 'Cash at the office' };
    return backstage.call(admin, 'PATCH', '/api/users/balance', body);
  };
  await fund();
  const pkg = await send(backstage, sender);
  await backstage.call(sender, 'PATCH', `/api/packages/${pkg._id}`, { paymentStatus: 'paid' });
  await backstage.accept(courier, pkg);
  const { page } = await signedIn(courier, `/package-detail/${pkg._id}`);
  const delivered = page.getByRole('button', { name: 'Package Delivered' });
  const question = page.getByRole('alertdialog');
  await delivered.click();
  await expect(question).toContainText('₦1,550 will be paid to you immediately.');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(question).toBeHidden();
  await delivered.click();
  await question.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('Package marked as delivered!')).toBeVisible();

  const late = await send(backstage, sender, { paymentMethod: 'cash' });
  await backstage.accept(courier, late);
  await backstage.call(courier, 'PATCH', `/api/packages/${late._id}`, {
    deliveryStatus: 'delivered',
  });
  await backstage.call(admin, 'PATCH', `/api/packages/${late._id}`, { paymentMethod: 'app' });
  await fund();
  const amina = await signedIn(sender, `/package-detail/${late._id}`);
  const card = cardOf(amina.page);
  await expect(card).toContainText('Paying sends ₦1,550 from your balance to the courier');
  await card.getByRole('button', { name: 'Pay now' }).click();
  const dialog = amina.page.getByRole('dialog');
  await expect(dialog).toContainText('₦1,550 of your balance goes to the courier');
  await dialog.getByRole('button', { name: 'Pay now' }).click();
  await expect(card).toContainText('₦1,550 has been paid to the courier.');
});
