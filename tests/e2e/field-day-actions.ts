/** The actions of a day in the field, all through the screens. */
import { expect, type Page } from '@playwright/test';
import type { PaymentMethod, WirePackage } from '#contract/package.ts';
import { formatNaira, nairaToKobo } from '#domain/money.ts';
import type { Fault, FaultRule } from '#tests/fakes/fault-proxy.ts';
import { admin, packageBody } from './backstage.ts';
import type { Day, Person } from './field-day-stage.ts';
import { untilSent } from './outbox-stage.ts';
import { ChangesPage } from './pages/changes-page.ts';
import type { PackageDetailPage } from './pages/package-detail-page.ts';
import { PackageListPage } from './pages/package-list-page.ts';
import { type CheckoutPage, DepositPage } from './pages/payment-page.ts';
import { type PackageToSend, WizardPage } from './pages/wizard-page.ts';
import { isMarked, lookForUpdate, updateQuestion } from './update-stage.ts';

/** A package of this day with a unique text. Naira. */
export const parcel = (description: string, naira: number, paymentMethod: PaymentMethod) => ({
  ...packageBody,
  description,
  priceOffer: String(naira),
  paymentMethod,
});

/** Applies to API calls only; the app's files pass. */
export const callsMeet =
  (fault: Fault): FaultRule =>
  (_, path) =>
    path.startsWith('/api/') ? fault : null;

/** A network with slow calls. */
export const slow = callsMeet({ kind: 'delayed', ms: 1_200 });

export const waiting = 'Waiting to send';

/** Until nothing waits on this phone. Exceeds any remaining back-off. */
export const untilAllSent = ({ page }: Person) => untilSent(page, 60_000);

/** The server's row. */
export async function onServer({ backstage }: Day, { description }: PackageToSend) {
  const rows = await backstage.call<WirePackage[]>(admin, 'GET', '/api/packages');
  const found = rows.filter((row) => row.description === description);
  expect(found, `packages called '${description}'`).toHaveLength(1);
  return found[0] as WirePackage;
}

/** Via the provider's page, paid at the first attempt. */
export async function payIn(payer: Person, naira: number): Promise<void> {
  const checkout = await (await DepositPage.open(payer.page)).begin(naira);
  await checkout.pay.click();
  await untilPaidIn(payer, naira);
}

const untilPaidIn = ({ announcements }: Person, naira: number) =>
  announcements.untilSaid(`Deposit of ${formatNaira(nairaToKobo(naira))} successful!`);

/** Late answers that arrive together share one toast. */
export const untilDone = ({ announcements }: Person, words: string) =>
  announcements.untilSaid(new RegExp(`${words}|\\d changes sent`));

/** From a filled form: the provider declines the card, then accepts another. */
export async function payInAfterDecline(payer: Person, naira: number): Promise<void> {
  const { page } = payer;
  await declineThenPay(payer, naira, await new DepositPage(page).begin(naira));
}

export async function declineThenPay(payer: Person, naira: number, checkout: CheckoutPage) {
  const { page } = payer;
  const deposit = new DepositPage(page);
  await checkout.decline.click();
  await expect(page.getByRole('heading', { name: 'The payment was declined' })).toBeVisible();
  await deposit.button('Try again').click();
  await expect(deposit.amount).toHaveValue(String(naira));
  await (await deposit.begin(naira)).pay.click();
  await untilPaidIn(payer, naira);
}

/** Opens the sender's list containing the package. */
export async function create({ page }: Person, pkg: PackageToSend) {
  const wizard = await WizardPage.open(page);
  await wizard.fill(pkg);
  await wizard.submit();
  const list = new PackageListPage(page);
  await expect(list.card(pkg.description)).toBeVisible();
  return list;
}

/** Stored on the phone, across a reload. The phone stays offline. */
export async function createOffline(sender: Person, pkg: PackageToSend): Promise<void> {
  sender.console.provoke('no network');
  await sender.context.setOffline(true);
  const list = await create(sender, pkg);
  await expect(list.card(pkg.description)).toContainText(waiting);
  await sender.page.reload();
  await expect(list.card(pkg.description)).toContainText(waiting);
  await expect(sender.page.getByText(/^Offline/)).toBeVisible();
}

/** Opens the sender's list of non-pending packages, where this one appears. */
export async function untilSeen({ page }: Person, pkg: PackageToSend, status: string) {
  const list = await PackageListPage.open(page, '/tracking/in-transit');
  await expect(list.card(pkg.description)).toContainText(status);
}

/** Opens the offers, with this package among them. */
export async function openOffers({ page }: Person, { description }: PackageToSend) {
  const list = await PackageListPage.open(page, '/delivery/pending');
  await expect(list.card(description)).toBeVisible();
  return list;
}

/** Until the server has confirmed. Stays in the courier's packages. */
export async function accept(courier: Person, pkg: PackageToSend): Promise<PackageListPage> {
  const list = await openOffers(courier, pkg);
  await list.accept(pkg.description);
  await untilAllSent(courier);
  await expect(list.card(pkg.description)).toContainText('In Transit');
  return list;
}

/** Delivers a paid package: the question states the courier's earnings. */
export async function pressDeliveredOfPaid(detail: PackageDetailPage, pkg: PackageToSend) {
  await detail.delivered.click();
  const amount = formatNaira(nairaToKobo(Number(pkg.priceOffer)));
  await expect(detail.question).toContainText(`${amount} will be paid to you.`);
  await detail.question.getByRole('button', { name: 'Confirm' }).click();
}

export const paymentCard = (page: Page) =>
  page.getByRole('region', { name: 'Payment', exact: true });

/** Presses 'Pay now' in the bar or 'Mark as paid' on the card, and confirms. */
export async function settle({ page }: Person, button: string, agree: string) {
  await page.getByRole('button', { name: button }).click();
  await page.getByRole('dialog').getByRole('button', { name: agree }).click();
}

/** Another courier was faster: opens the refusal and discards it. */
export async function discardRefusedAcceptance({ page }: Person): Promise<void> {
  const changes = await ChangesPage.open(page);
  const card = changes.card('Accept delivery');
  await expect(card).toContainText('Another courier accepted it first.');
  await changes.discard(card);
  await expect(changes.empty).toBeVisible();
}

/** The browser finds the new version, the user agrees, and the page reloads. */
export async function takeUpdate({ page }: Person): Promise<void> {
  await lookForUpdate(page, 'isOldVersion');
  const question = updateQuestion(page);
  await expect(question).toBeVisible();
  await question.getByRole('button', { name: 'Update' }).click();
  await expect.poll(() => isMarked(page, 'isOldVersion')).toBe(false);
  await page.waitForLoadState();
  const isWaiting = () =>
    page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.waiting !== null);
  await expect.poll(isWaiting).toBe(false);
  await expect(question).toBeHidden();
}
