/** What people do in the course of a day in the field, by hand: everything goes through the screens. */
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
import { CheckoutPage, DepositPage } from './pages/payment-page.ts';
import { type PackageToSend, WizardPage } from './pages/wizard-page.ts';
import { isMarked, lookForUpdate, updateQuestion } from './update-stage.ts';

/** A package of this day; nobody else has its words. Naira. */
export function parcel(
  description: string,
  naira: number,
  paymentMethod: PaymentMethod,
): PackageToSend {
  return { ...packageBody, description, priceOffer: String(naira), paymentMethod };
}

/** Each call of the product meets this; what makes up the app itself comes through. */
export const callsMeet =
  (fault: Fault): FaultRule =>
  (_, path) =>
    path.startsWith('/api/') ? fault : null;

/** A network on which every call takes its time. */
export const slow = callsMeet({ kind: 'delayed', ms: 1_200 });

export const waiting = 'Waiting to send';

/** Until nothing waits on this phone. Longer than the back-off that a network may leave behind. */
export const untilAllSent = ({ page }: Person) => untilSent(page, 60_000);

/** As the server has it. */
export async function onServer({ backstage }: Day, { description }: PackageToSend) {
  const rows = (await backstage.call(admin, 'GET', '/api/packages')) as WirePackage[];
  const found = rows.filter((row) => row.description === description);
  expect(found, `packages called '${description}'`).toHaveLength(1);
  return found[0] as WirePackage;
}

/** Over the provider's page, paid at the first try. */
export async function payIn(payer: Person, naira: number): Promise<void> {
  const checkout = await (await DepositPage.open(payer.page)).begin(naira);
  await checkout.pay.click();
  await untilPaidIn(payer, naira);
}

const untilPaidIn = ({ announcements }: Person, naira: number) =>
  announcements.untilSaid(`Deposit of ${formatNaira(nairaToKobo(naira))} successful!`);

/** Answers that come late and together are said as one. */
export const untilDone = ({ announcements }: Person, words: string) =>
  announcements.untilSaid(new RegExp(`${words}|\\d changes sent`));

/** From a filled form: the provider declines the card, and takes the next one. */
export async function payInAfterDecline(payer: Person, naira: number): Promise<void> {
  const { page } = payer;
  const deposit = new DepositPage(page);
  await (await deposit.begin(naira)).decline.click();
  await expect(page.getByRole('heading', { name: 'The payment was declined' })).toBeVisible();
  await deposit.button('Try again').click();
  await expect(deposit.amount).toHaveValue(String(naira));
  await deposit.proceed.click();
  await page.waitForURL(/\/sandbox\/checkout\//);
  await new CheckoutPage(page).pay.click();
  await untilPaidIn(payer, naira);
}

/** At the list of what one has sent, the package among it. */
export async function create({ page }: Person, pkg: PackageToSend) {
  const wizard = await WizardPage.open(page);
  await wizard.fill(pkg);
  await wizard.submit();
  const list = new PackageListPage(page);
  await expect(list.card(pkg.description)).toBeVisible();
  return list;
}

/** Kept on the phone, over a reload too. The phone stays without a network. */
export async function createOffline(sender: Person, pkg: PackageToSend): Promise<void> {
  sender.console.provoke('no network');
  await sender.context.setOffline(true);
  const list = await create(sender, pkg);
  await expect(list.card(pkg.description)).toContainText(waiting);
  await sender.page.reload();
  await expect(list.card(pkg.description)).toContainText(waiting);
  await expect(sender.page.getByText(/^Offline/)).toBeVisible();
}

/** At what the sender has sent and is no longer pending, where this comes to be shown. */
export async function untilSeen(
  { page }: Person,
  { description }: PackageToSend,
  status: 'Delivered' | 'Cancelled',
): Promise<void> {
  const list = await PackageListPage.open(page, '/tracking/in-transit');
  await expect(list.card(description)).toContainText(status);
}

/** At what is on offer, with this package among it. */
export async function openOffers(
  { page }: Person,
  { description }: PackageToSend,
): Promise<PackageListPage> {
  const list = await PackageListPage.open(page, '/delivery/pending');
  await expect(list.card(description)).toBeVisible();
  return list;
}

/** Until the server has said yes. Stays at what the courier carries. */
export async function accept(courier: Person, pkg: PackageToSend): Promise<PackageListPage> {
  const list = await openOffers(courier, pkg);
  await list.accept(pkg.description);
  await untilAllSent(courier);
  await expect(list.card(pkg.description)).toContainText('In Transit');
  return list;
}

/** Of a package that is paid: the question names what goes to the courier. */
export async function pressDeliveredOfPaid(
  detail: PackageDetailPage,
  { priceOffer }: PackageToSend,
): Promise<void> {
  await detail.delivered.click();
  const amount = formatNaira(nairaToKobo(Number(priceOffer)));
  await expect(detail.question).toContainText(`${amount} will be paid to you immediately.`);
  await detail.question.getByRole('button', { name: 'Confirm' }).click();
}

export const paymentCard = (page: Page) =>
  page.getByRole('region', { name: 'Payment', exact: true });

/** 'Pay now' or 'Mark as paid' at the card, and yes to its question. */
export async function settle(
  { page }: Person,
  button: 'Pay now' | 'Mark as paid',
  agree: 'Pay now' | 'Confirm',
): Promise<void> {
  await paymentCard(page).getByRole('button', { name: button }).click();
  await page.getByRole('dialog').getByRole('button', { name: agree }).click();
}

/** Another courier was faster: it is looked at and let go. */
export async function discardRefusedAcceptance({ page }: Person): Promise<void> {
  const changes = await ChangesPage.open(page);
  const card = changes.card('Accept delivery');
  await expect(card).toContainText('Another courier accepted it first.');
  await card.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
  await expect(changes.empty).toBeVisible();
}

/** The browser finds the new version, the person agrees, and the page is loaded anew. */
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
