/**
 * A day in the field: three senders, three couriers and a dispatcher, each with their own phone and
 * network, through most of what goes wrong on such a day. In the end every phone, the server and
 * the ledger agree, and no error console has an unexpected line.
 */

import {
  accept,
  callsMeet,
  create,
  createOffline,
  declineThenPay,
  discardRefusedAcceptance,
  onServer,
  openOffers,
  parcel,
  payIn,
  payInAfterDecline,
  paymentCard,
  pressDeliveredOfPaid,
  settle,
  slow,
  takeUpdate,
  untilAllSent,
  untilDone,
  untilSeen,
  waiting,
} from '#tests/e2e/field-day-actions.ts';
import { type Day, expect, type Person, test } from '#tests/e2e/field-day-stage.ts';
import { effectsOf, expectAgreement, type Wallet } from '#tests/e2e/field-day-truth.ts';
import { comeBack } from '#tests/e2e/inside.ts';
import { DispatchCard } from '#tests/e2e/pages/dispatch-card.ts';
import { PackageDetailPage } from '#tests/e2e/pages/package-detail-page.ts';
import { PackageListPage } from '#tests/e2e/pages/package-list-page.ts';
import { CheckoutPage, DepositPage } from '#tests/e2e/pages/payment-page.ts';
import type { PackageToSend } from '#tests/e2e/pages/wizard-page.ts';

/** Longer than an access token lives. */
const quarterOfAnHourMs = 16 * 60_000;

const alreadyAssigned = 'This package has already been assigned';

const kola = parcel('A crate of kola nuts', 1_500, 'app');
const indigo = parcel('Two bolts of indigo cloth', 1_250.5, 'app');
const lace = parcel('Four lengths of Zaria lace', 1_800, 'app');
const eggs = parcel('Ten trays of eggs', 2_200, 'app');
const millet = parcel('A sack of millet', 900, 'cash');
const door = parcel('A carved door', 650, 'cash');

/** The final balances, in kobo. */
const purse = (available: number, held = 0, earned = 0): Wallet => ({ available, held, earned });

/** Both queue it before either is sent: the network decides who is first. */
async function acceptAtOnce(couriers: readonly Person[], pkg: PackageToSend) {
  await Promise.all(
    couriers.map(async (courier) => {
      const offers = await openOffers(courier, pkg);
      courier.console.provoke('no network', 'status 409');
      await courier.context.setOffline(true);
      await offers.accept(pkg.description);
      await expect(offers.card(pkg.description)).toContainText('Accept requested');
      await expect(offers.card(pkg.description)).toContainText(waiting);
    }),
  );
  await Promise.all(couriers.map(({ context }) => context.setOffline(false)));
  const told = () => couriers.filter(({ announcements }) => announcements.hasSaid(alreadyAssigned));
  await expect.poll(() => told().length).toBe(1);
  const [second] = told();
  const first = couriers.find((courier) => courier !== second);
  if (!first || !second) throw new Error('Two couriers are needed.');
  return { first, second };
}

/** The token expires between an acceptance and the delivery queued behind it. */
async function deliverWhileTokenExpires(day: Day, courier: Person, pkg: PackageToSend) {
  const { page, context, network } = courier;
  const offers = await openOffers(courier, pkg);
  courier.console.provoke('no network');
  await context.setOffline(true);
  await offers.accept(pkg.description);
  await pressDeliveredOfPaid(await offers.open(pkg.description), pkg);
  await expect(page.getByText(waiting).first()).toBeVisible();
  const { _id: id } = await onServer(day, pkg);
  const path = `/api/packages/${id}`;
  const reply = network.holdNextReply(
    (method, asked, status) => method === 'PATCH' && asked === path && status === 200,
  );
  const refreshes = () =>
    network.forwarded.filter((line) => line === 'GET /api/auth/refresh').length;
  const before = { refreshes: refreshes(), denials: courier.denials() };
  await context.setOffline(false);
  await reply.answered;
  // All tokens expire with it, as after a quarter of an hour.
  for (const person of day.people) person.console.provoke('status 401');
  await day.moveClockOn(quarterOfAnHourMs);
  reply.release();
  await untilAllSent(courier);
  expect(courier.denials()).toBeGreaterThan(before.denials);
  expect(refreshes()).toBeGreaterThan(before.refreshes);
  // Each of the two once.
  for (const each of [path, `${path}/events`]) expect(effectsOf([courier], each)).toHaveLength(1);
  await expect(page.getByText('Session Expired')).toBeHidden();
}

test('seven people end a day in the field in accord @long', async ({ day }) => {
  const { backstage } = day;
  // In sequence, here and at the end: seven pages at once would each get a seventh of the machine.
  const [amina, musa, zainab, sani, hauwa, rabiu, ladi] =
    await test.step('all users sign in on their own phones', async () =>
      [
        await day.join('Amina', 'Customer'),
        await day.join('Musa', 'Customer'),
        await day.join('Zainab', 'Customer'),
        await day.join('Sani', 'Employee'),
        await day.join('Hauwa', 'Employee'),
        await day.join('Rabiu', 'Employee'),
        await day.join('Ladi', 'Admin'),
      ] as const);
  const people = [amina, musa, zainab, sani, hauwa, rabiu, ladi];

  await test.step('two senders deposit: on a slow network, and with a card that is declined first', () =>
    Promise.all([
      (async () => {
        amina.network.setFaults(slow);
        await payIn(amina, 5_000);
        amina.network.setFaults(null);
      })(),
      (async () => {
        await DepositPage.open(musa.page);
        await payInAfterDecline(musa, 3_000);
      })(),
    ]));

  await test.step('packages are created online', () =>
    Promise.all([create(amina, kola), create(musa, millet)]));

  await test.step('packages are created offline, and sent once though a reply is lost', async () => {
    await createOffline(amina, indigo);
    await createOffline(musa, lace);
    await create(musa, door);
    amina.console.provoke('lost reply');
    const cut = amina.network.cutNextReply(
      (method, path) => method === 'POST' && path === '/api/packages',
    );
    await amina.context.setOffline(false);
    await cut;
    await musa.context.setOffline(false);
    await Promise.all([untilAllSent(amina), untilAllSent(musa)]);
    const paid = [kola, indigo, lace].map(async (pkg) => (await onServer(day, pkg)).paymentStatus);
    expect(await Promise.all(paid)).toEqual(['paid', 'paid', 'paid']);
    expect((await onServer(day, door)).deliveryStatus).toBe('Pending');
  });

  const { first, second } =
    await test.step('two couriers accept the same package offline: one wins, the other is told', async () => {
      const both = await acceptAtOnce([sani, hauwa], kola);
      await discardRefusedAcceptance(both.second);
      await untilAllSent(both.first);
      const list = new PackageListPage(both.first.page);
      await expect(list.card(kola.description)).toContainText('In Transit');
      const { deliveryPersonId, version } = await onServer(day, kola);
      expect([deliveryPersonId?.firstName, version]).toEqual([both.first.name, 2]);
      return both;
    });

  await test.step('the winner delivers on a slow network, which releases the held money', async () => {
    first.network.setFaults(slow);
    const detail = await new PackageListPage(first.page).open(kola.description);
    await pressDeliveredOfPaid(detail, kola);
    await untilDone(first, 'Package marked as delivered!');
    first.network.setFaults(null);
    await untilSeen(amina, kola, 'Delivered');
  });

  await test.step('a courier accepts behind a captive portal, and rejects after it', async () => {
    const { page, network } = rabiu;
    const list = await openOffers(rabiu, millet);
    network.setFaults(() => ({ kind: 'portal' }));
    // The line comes up where the button is, and would take the tap.
    await comeBack(page);
    await expect(page.getByText(/^Server unreachable/)).toBeVisible();
    await list.accept(millet.description);
    await expect(list.card(millet.description)).toContainText(waiting);
    await page.reload();
    await expect(list.card(millet.description)).toContainText(waiting);
    expect((await onServer(day, millet)).deliveryStatus).toBe('Pending');
    network.setFaults(null);
    await comeBack(page);
    await untilAllSent(rabiu);
    const detail = await list.open(millet.description);
    await detail.reject.click();
    await detail.question.getByRole('button', { name: 'Confirm' }).click();
    await untilDone(rabiu, 'Delivery rejected successfully');
  });

  await test.step('another courier takes the rejected package, marks the cash as paid and delivers it', async () => {
    const detail = await (await accept(second, millet)).open(millet.description);
    await settle(second, 'Mark as paid', 'Confirm');
    await expect(paymentCard(second.page)).toContainText('₦900 has been paid in cash.');
    await detail.delivered.click();
    await untilDone(second, 'Package marked as delivered!');
  });

  await test.step("a token expires while a courier's queue is sent", () =>
    deliverWhileTokenExpires(day, second, lace));

  await test.step('an update is taken while a package waits to be sent, and keeps it', async () => {
    zainab.console.provoke('status 503');
    zainab.network.setFaults(callsMeet({ kind: 'status', status: 503 }));
    const list = await create(zainab, eggs);
    await expect(list.card(eggs.description)).toContainText(waiting);
    day.release.publish();
    await takeUpdate(zainab);
    await expect(list.card(eggs.description)).toContainText(waiting);
    zainab.network.setFaults(null);
    await comeBack(zainab.page);
    await untilAllSent(zainab);
    expect(effectsOf([zainab], '/api/packages')).toHaveLength(1);
    expect((await onServer(day, eggs)).paymentStatus).toBe('unpaid');
    const others = people.filter((person) => person !== zainab);
    for (const person of others) await takeUpdate(person);
  });

  await test.step('a payment fails for lack of money, then at the provider, then succeeds', async () => {
    const { _id: id } = await onServer(day, eggs);
    await PackageDetailPage.open(zainab.page, id);
    zainab.console.provoke('status 402');
    const card = paymentCard(zainab.page);
    await settle(zainab, 'Pay now', 'Add ₦2,200 and pay');
    await zainab.page.waitForURL(/\/sandbox\/checkout\//);
    await declineThenPay(zainab, 2_200, new CheckoutPage(zainab.page));
    await expect(card).toContainText('₦2,200 is held');
    await accept(rabiu, eggs);
  });

  await test.step('the dispatcher cancels a package, and its sender is refunded', async () => {
    const card = await DispatchCard.open(ladi.page, (await onServer(day, indigo))._id);
    await card.cancel.click();
    const question = ladi.page.getByRole('dialog', { name: 'Cancel this package?' });
    await expect(question).toContainText('₦1,250.50 goes back to the sender’s balance.');
    await question.getByRole('button', { name: 'Cancel package' }).click();
    await ladi.announcements.untilSaid('Package cancelled.');
    await untilSeen(amina, indigo, 'Cancelled');
  });

  await test.step('every phone and the server agree, to the kobo', async () => {
    const due = new Map([
      // 5,000 deposited; 1,500 went to the courier; 1,250.50 was held and refunded.
      [amina, purse(350_000)],
      // 3,000 deposited; 1,800 went to the courier.
      [musa, purse(120_000)],
      // 2,200 deposited, all of it held for packages in transit.
      [zainab, purse(0, 220_000)],
      [first, purse(150_000, 0, 150_000)],
      [second, purse(180_000, 0, 180_000)],
      ...([rabiu, ladi].map((person) => [person, purse(0)]) as [Person, Wallet][]),
    ]);
    for (const [person, wallet] of due) await expectAgreement(backstage, person, wallet);
    const effects = effectsOf(people);
    expect(new Set(effects).size, 'nothing that was sent happened twice').toBe(effects.length);
  });

  await test.step('no error console has an unexpected line', () => {
    for (const { name, console } of people) expect(console.complaints(), name).toEqual([]);
  });

  await test.step('the ledger passes the audit and holds the deposits', async () => {
    const { code, says } = await day.closeAndAudit();
    // Three top-ups, four holds, two releases, one refund.
    expect(says).toMatch(/^The ledger is whole: 10 transfers, \d+ wallets, ₦10,200\.$/);
    expect(code).toBe(0);
  });
});
