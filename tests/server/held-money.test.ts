/** What is held for a delivery until it is verified or due; returns, disputes and corrections. */
import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { WireEvent } from '#contract/event.ts';
import type { WirePackage } from '#contract/package.ts';
import type { Payments } from '#contract/payment.ts';
import { transfers } from '#server/database/money-schema.ts';
import { audit } from '#server/modules/ledger/audit.ts';
import { walletOf } from '#server/modules/ledger/repository.ts';
import { adjust } from '#server/modules/ledger/service.ts';
import { releaseDue } from '#server/modules/packages/due-releases.ts';
import {
  type AnyBody,
  createdPackage,
  fileStage,
  type Person,
  patchPackage,
  type Stage,
} from './stage.ts';

const stage = fileStage();
const terms = { releaseAfterMs: 24 * 3_600_000, returnFeePercent: 50 };
const hourMs = 3_600_000;
let sender: Person;
let courier: Person;
let admin: Person;

beforeEach(async () => {
  [sender, courier] = [await stage().person('Customer'), await stage().person('Employee')];
  admin = await stage().admin();
});
afterAll(async () => {
  expect(await audit(stage().database.db)).toEqual([]);
});

const give = (person: Person, naira: number) =>
  stage().database.db.transaction((tx) =>
    adjust(tx, {
      userId: person.id,
      amountKobo: naira * 100,
      reason: 'A gift',
      actorId: admin.id,
      now: stage().now(),
    }),
  );

/** Logins expire in the meantime. */
async function later(ms: number): Promise<void> {
  stage().pass(ms);
  [sender, courier] = [await stage().signIn(sender.email), await stage().signIn(courier.email)];
  admin = await stage().admin();
}

type Answered = WirePackage & AnyBody;
const record = (who: Person, { _id }: WirePackage, type: string, more: object = {}) => {
  const occurredAt = stage().now().toISOString();
  const body = { _id: randomUUID(), type, occurredAt, ...more };
  return stage().send<Answered>(who, 'POST', `/api/packages/${_id}/events`, { body });
};
const delivered = { deliveryStatus: 'Delivered' };

/** Paid by the app, held, and with the courier. */
async function carried(priceOffer = 1500): Promise<WirePackage> {
  await give(sender, priceOffer);
  const pkg = await createdPackage(stage(), sender, { paymentMethod: 'app', priceOffer });
  expect((await patchPackage(stage(), courier, pkg, { deliveryPersonId: courier.id })).status).toBe(
    200,
  );
  return pkg;
}

async function onItsWay(): Promise<WirePackage> {
  const pkg = await carried();
  return (await patchPackage(stage(), courier, pkg, delivered)).body;
}

const release = ({ database, now }: Stage = stage()) =>
  releaseDue({ db: database.db, now, terms }, (error) => {
    throw error;
  });

/** Naira: the sender's available and held, the courier's available and on its way. */
async function purses(): Promise<number[]> {
  const [mine, theirs] = await Promise.all(
    [sender, courier].map((who) => stage().send<Payments>(who, 'GET', '/api/payments')),
  );
  const { onItsWay: way = 0, available = 0 } = theirs?.body ?? {};
  return [mine?.body.available ?? 0, mine?.body.held ?? 0, available, way];
}
const seen = async ({ _id }: WirePackage, who = admin) =>
  (await stage().send<WirePackage>(who, 'GET', `/api/packages/${_id}`)).body;
const kindsOf = async ({ _id }: WirePackage) => {
  const { db } = stage().database;
  const rows = await db.select().from(transfers).where(eq(transfers.packageId, _id));
  return rows.sort((a, b) => a.number - b.number).map(({ kind }) => kind);
};

describe('a delivery that nobody has verified', () => {
  it('pays the courier when it is due, once, though two processes look', async () => {
    const pkg = await onItsWay();
    expect(pkg).toMatchObject({ releaseAt: '2026-11-22T09:00:00.000Z', paidOut: null });
    expect(await purses()).toEqual([0, 1500, 0, 1500]);
    await later(24 * hourMs - 1);
    await release();
    expect(await purses()).toEqual([0, 1500, 0, 1500]);
    stage().pass(1);
    const other = await stage().another();
    await Promise.all([release(), release(other), release(), release(other)]);
    expect(await purses()).toEqual([0, 0, 1500, 0]);
    expect(await seen(pkg)).toMatchObject({
      releaseAt: null,
      paidOut: 1500,
      paymentStatus: 'paid',
      version: pkg.version + 1,
    });
    expect(await kindsOf(pkg)).toEqual(['hold', 'release']);
  });

  it('pays at once when its sender confirms', async () => {
    const pkg = await onItsWay();
    expect((await record(sender, pkg, 'confirmed')).body).toMatchObject({
      releaseAt: null,
      paidOut: 1500,
    });
    expect(await purses()).toEqual([0, 0, 1500, 0]);
  });

  it('keeps its time when an admin edits it, and gives back what a lower price frees', async () => {
    const pkg = await onItsWay();
    await later(hourMs);
    const { body } = await patchPackage(stage(), admin, pkg, { priceOffer: 1000 });
    expect(body.releaseAt).toBe(pkg.releaseAt);
    expect(await purses()).toEqual([500, 1000, 0, 1000]);
    await patchPackage(stage(), admin, pkg, { deliveryStatus: 'Cancelled' });
    expect(await purses()).toEqual([1500, 0, 0, 0]);
  });
});

it('a delivery proven by the code pays at once, one by photo waits', async () => {
  await give(sender, 3000);
  const ways = [
    (pkg: WirePackage) => ({ code: pkg.dropoffCode }),
    () => ({ photoIds: [randomUUID()], recipientName: 'Musa', relation: 'recipient' }),
  ];
  for (const proofOf of ways) {
    const pkg = await createdPackage(stage(), sender, { paymentMethod: 'app', handover: 'code' });
    await patchPackage(stage(), courier, pkg, { deliveryPersonId: courier.id });
    const answer = await record(courier, pkg, 'delivered', { proof: proofOf(pkg) });
    expect(answer.status, answer.text).toBe(201);
  }
  expect(await purses()).toEqual([0, 1500, 1500, 1500]);
});

describe('a return', () => {
  const reasons = { courier: 'lost', recipient: 'refused', sender: 'wrong_address', none: 'other' };

  /** Fault, price, and what sender and courier have of it afterwards. */
  it.each([
    ['courier', 1500, 1500, 0],
    ['recipient', 1500, 750, 750],
    ['sender', 1500, 750, 750],
    ['none', 1500, 1500, 0],
    ['recipient', 0.01, 0, 0.01],
    ['sender', 100.15, 50.07, 50.08],
  ] as const)('by the fault of %s divides ₦%d into %d and %d', async (fault, price, back, fee) => {
    const pkg = await carried(price);
    await record(courier, pkg, 'picked_up');
    const reason = reasons[fault];
    await record(courier, pkg, 'attempt_failed', { reason, note: 'As it was' });
    await record(courier, pkg, 'return_started');
    const { body, text } = await record(sender, pkg, 'returned');
    expect(body, text).toMatchObject({
      outcome: 'returned',
      paidOut: fee,
      paymentStatus: fee ? 'paid' : 'unpaid',
    });
    expect(await purses()).toEqual([back, 0, fee, 0]);
    const { body: money } = await stage().send<Payments>(courier, 'GET', '/api/payments');
    const lines = money.entries.map(({ kind, amount, cause }) => [kind, amount, cause]);
    expect(lines).toEqual(fee ? [['release', fee, 'return']] : []);
  });

  it.each([
    ['sender', 750],
    ['admin', 0],
  ] as const)('that the %s started without an attempt pays ₦%d', async (who, fee) => {
    const pkg = await carried();
    await record(courier, pkg, 'picked_up');
    await record({ sender, admin }[who], pkg, 'return_started');
    await record(admin, pkg, 'returned');
    expect(await purses()).toEqual([1500 - fee, 0, fee, 0]);
  });

  it('of what is not paid yet moves nothing', async () => {
    const pkg = await createdPackage(stage(), sender, { paymentMethod: 'app' });
    await patchPackage(stage(), courier, pkg, { deliveryPersonId: courier.id });
    await record(courier, pkg, 'picked_up');
    await record(sender, pkg, 'return_started');
    expect((await record(sender, pkg, 'returned')).body).toMatchObject({
      outcome: 'returned',
      paymentStatus: 'unpaid',
    });
    expect(await kindsOf(pkg)).toEqual([]);
  });
});

describe('a dispute', () => {
  const open = (who: Person, { _id }: WirePackage, more: object = {}) => {
    const body = { _id: randomUUID(), kind: 'not_received', text: 'Nobody came', ...more };
    return stage().send<Answered>(who, 'POST', `/api/packages/${_id}/disputes`, { body });
  };
  const resolve = (who: Person, { _id, dispute }: WirePackage, decision: object) => {
    const path = `/api/packages/${_id}/disputes/${dispute?._id ?? randomUUID()}/resolve`;
    const body = { reason: 'The photo shows it', ...decision };
    return stage().send<Answered>(who, 'POST', path, { body });
  };

  it('freezes what is held, beyond its time and against other changes', async () => {
    const pkg = await onItsWay();
    const { body, status } = await open(sender, pkg);
    expect([status, body.releaseAt, body.dispute]).toMatchObject([
      ...[201, null, { kind: 'not_received', text: 'Nobody came', by: 'sender' }],
    ]);
    await later(30 * hourMs);
    await release();
    expect((await record(sender, pkg, 'confirmed')).body.code).toBe('disputed');
    for (const change of [
      { deliveryStatus: 'Cancelled' },
      { deliveryStatus: 'In Transit' },
      { priceOffer: 10 },
      { paymentMethod: 'cash' },
      { paymentStatus: 'unpaid' },
    ]) {
      const { body: said } = await patchPackage(stage(), admin, pkg, change);
      expect([change, said.code]).toEqual([change, 'disputed']);
    }
    expect((await patchPackage(stage(), admin, pkg, { notes: 'Called both' })).status).toBe(200);
    expect((await open(courier, pkg)).body.code).toBe('disputed');
    expect(await purses()).toEqual([0, 1500, 0, 1500]);
    expect((await resolve(admin, await seen(pkg), { decision: 'refund' })).status).toBe(200);
  });

  it.each([
    [{ decision: 'release' }, 0, 1500],
    [{ decision: 'refund' }, 1500, 0],
    [{ decision: 'split', courierPercent: 33 }, 1005, 495],
  ])('that ends in %j leaves sender and courier ₦%d and ₦%d', async (decision, back, paid) => {
    const { body: pkg } = await open(sender, await onItsWay(), { kind: 'damaged' });
    expect((await resolve(sender, pkg, decision)).body.code).toBe('forbidden');
    const { body, status } = await resolve(admin, pkg, decision);
    expect([status, body.dispute, body.paidOut]).toEqual([200, null, paid]);
    expect(await purses()).toEqual([back, 0, paid, 0]);
    expect((await resolve(admin, pkg, decision)).body.code).toBe('invalid_state');
    const path = `/api/packages/${pkg._id}/events`;
    const { body: events } = await stage().send<WireEvent[]>(courier, 'GET', path);
    expect(events.slice(-2).map(({ type, reason, note }) => [type, reason, note])).toEqual([
      ['disputed', 'damaged', 'Nobody came'],
      ['resolved', decision.decision, 'The photo shows it'],
    ]);
  });

  it('that ends in a refund leaves nothing to pay', async () => {
    const { body: pkg } = await open(sender, await onItsWay());
    await resolve(admin, pkg, { decision: 'refund' });
    for (const who of [sender, admin]) {
      const { body } = await patchPackage(stage(), who, pkg, { paymentStatus: 'paid' });
      expect(body.code).toBe('paid_out');
    }
    expect(await seen(pkg)).toMatchObject({ paidOut: 0, paymentStatus: 'unpaid' });
    expect((await record(sender, pkg, 'confirmed')).body.code).toBe('invalid_state');
    expect((await open(sender, pkg)).body.code).toBe('too_late');
    expect(await purses()).toEqual([1500, 0, 0, 0]);
  });

  it('needs the share of the courier only to split', async () => {
    const { body: pkg } = await open(sender, await onItsWay());
    const { body } = await resolve(admin, pkg, { decision: 'split' });
    expect([body.code, Object.keys(body.fields)]).toEqual(['invalid_fields', ['courierPercent']]);
  });

  it('after the payout is recorded and moves nothing', async () => {
    const pkg = await carried();
    await patchPackage(stage(), sender, pkg, delivered);
    const { body } = await open(sender, pkg);
    expect(body.dispute?.by).toBe('sender');
    expect((await resolve(admin, body, { decision: 'refund' })).body).toMatchObject({
      dispute: null,
      paidOut: 1500,
    });
    expect(await purses()).toEqual([0, 0, 1500, 0]);
  });

  it('is possible for 24 hours, by the parties, for what has ended', async () => {
    const pkg = await carried();
    expect((await open(sender, pkg)).body.code).toBe('invalid_state');
    await patchPackage(stage(), courier, pkg, delivered);
    expect((await open(admin, pkg)).body.code).toBe('forbidden');
    expect((await open(await stage().person('Employee'), pkg)).body.code).toBe('not_found');
    await later(24 * hourMs + 1);
    expect((await open(courier, pkg)).body.code).toBe('too_late');
  });

  it('is told once: its id is taken', async () => {
    const pkg = await onItsWay();
    const _id = randomUUID();
    await open(sender, pkg, { _id });
    await resolve(admin, await seen(pkg), { decision: 'release' });
    expect((await open(sender, pkg, { _id })).body.code).toBe('id_taken');
  });
});

describe('a package that is opened again after a payout', () => {
  const open = { deliveryStatus: 'Pending' };
  const resolved = async (decision: object) => {
    const pkg = await onItsWay();
    const body = { reason: 'As the photo shows', ...decision };
    await stage().send(admin, 'POST', `${await disputed(pkg)}/resolve`, { body });
    return pkg;
  };
  const paid = async () => {
    const pkg = await carried();
    await patchPackage(stage(), sender, pkg, delivered);
    return pkg;
  };

  it.each([
    ['returned for half of it', returned, 750],
    ['split by a dispatcher', () => resolved({ decision: 'split', courierPercent: 40 }), 600],
    ['refunded by a dispatcher', () => resolved({ decision: 'refund' }), 0],
    ['delivered', paid, 1500],
  ])('(%s) is paid again, to its next courier', async (_, ended, first) => {
    const pkg = await ended();
    const refused = await patchPackage(stage(), admin, pkg, { ...open, priceOffer: 2000 });
    expect(refused.body.code).toBe('paid_out');
    expect((await patchPackage(stage(), admin, pkg, open)).body).toMatchObject({
      paymentStatus: 'unpaid',
      paidOut: null,
    });
    await give(sender, 500 + first);
    const next = await stage().person('Employee');
    for (const [who, change] of [
      [sender, { priceOffer: 2000 }],
      [next, { deliveryPersonId: next.id }],
      [sender, { paymentStatus: 'paid' }],
      [sender, { paymentStatus: 'paid' }],
      [sender, delivered],
    ] as const) {
      expect((await patchPackage(stage(), who, pkg, change)).status).toBe(200);
    }
    expect(await seen(pkg)).toMatchObject({ paymentStatus: 'paid', paidOut: 2000 });
    expect(await purses()).toEqual([0, 0, first, 0]);
    expect((await walletOf(stage().database.db, next.id)).availableKobo).toBe(200_000);
  });

  it('is unpaid once the courier who was paid for it gives it up', async () => {
    const pkg = await paid();
    await patchPackage(stage(), admin, pkg, { deliveryStatus: 'In Transit' });
    const given = { deliveryPersonId: null, paymentStatus: 'paid' };
    await give(sender, 1500);
    expect((await patchPackage(stage(), courier, pkg, given)).body).toMatchObject({
      deliveryStatus: 'Pending',
      paymentStatus: 'unpaid',
      paidOut: null,
    });
    expect(await purses()).toEqual([1500, 0, 1500, 0]);
  });
});

/** By the doing of the sender: half of it is paid. */
async function returned(): Promise<WirePackage> {
  const pkg = await carried();
  await record(courier, pkg, 'picked_up');
  await record(sender, pkg, 'return_started');
  await record(sender, pkg, 'returned');
  return pkg;
}

/** By the sender; its path. */
async function disputed({ _id }: WirePackage): Promise<string> {
  const path = `/api/packages/${_id}/disputes`;
  const body = { _id: randomUUID(), kind: 'damaged', text: 'Wet' };
  await stage().send(sender, 'POST', path, { body });
  return `${path}/${body._id}`;
}

describe('a delivery that is taken back', () => {
  const lastEvent = async ({ _id }: WirePackage) => {
    const path = `/api/packages/${_id}/events`;
    return (await stage().send<WireEvent[]>(admin, 'GET', path)).body.at(-1)?._id;
  };
  const takeBack = async (who: Person, pkg: WirePackage, corrects = lastEvent(pkg)) =>
    record(who, pkg, 'corrected', { corrects: await corrects });

  it('moves nothing while it is held', async () => {
    const pkg = await onItsWay();
    const { body } = await takeBack(courier, pkg);
    expect(body).toMatchObject({ deliveryStatus: 'In Transit', releaseAt: null, paidOut: null });
    expect(await kindsOf(pkg)).toEqual(['hold']);
    expect(await purses()).toEqual([0, 1500, 0, 0]);
  });

  it('returns its payout to the hold, and pays again with the next delivery', async () => {
    const pkg = await carried();
    for (const _ of ['once', 'twice']) {
      await patchPackage(stage(), sender, pkg, delivered);
      expect(await purses()).toEqual([0, 0, 1500, 0]);
      const { body, text } = await takeBack(sender, pkg);
      expect(body, text).toMatchObject({ paymentStatus: 'paid', paidOut: null });
      expect(await purses()).toEqual([0, 1500, 0, 0]);
    }
    await patchPackage(stage(), sender, pkg, delivered);
    const { body: money } = await stage().send<Payments>(courier, 'GET', '/api/payments');
    expect(money.earned).toBe(1500);
    const lines = money.entries.map(({ kind, amount, cause }) => [kind, amount, cause]);
    const paid = ['release', 1500, null];
    const back = ['release', -1500, 'correction'];
    expect(lines).toEqual([paid, back, paid, back, paid]);
  });

  it('returns its payout, and not the one for bringing it back before', async () => {
    const pkg = await returned();
    await give(sender, 750);
    for (const [who, change] of [
      [admin, { deliveryStatus: 'In Transit' }],
      [sender, { paymentStatus: 'paid' }],
      [sender, delivered],
    ] as const) {
      await patchPackage(stage(), who, pkg, change);
    }
    expect(await purses()).toEqual([0, 0, 2250, 0]);
    await takeBack(sender, pkg);
    expect(await purses()).toEqual([0, 1500, 750, 0]);
  });

  it('leaves the payout of an earlier delivery with its courier', async () => {
    const pkg = await carried();
    await patchPackage(stage(), sender, pkg, delivered);
    expect(await purses()).toEqual([0, 0, 1500, 0]);
    stage().pass(60_000);
    await patchPackage(stage(), admin, pkg, { deliveryStatus: 'In Transit' });
    await patchPackage(stage(), courier, pkg, delivered);
    const { body } = await takeBack(courier, pkg);
    expect(body).toMatchObject({ deliveryStatus: 'In Transit', paidOut: 1500 });
    expect(await kindsOf(pkg)).toEqual(['hold', 'release']);
    expect(await purses()).toEqual([0, 0, 1500, 0]);
  });

  it.each([
    ['release', [0, 0, 1500, 0]],
    ['refund', [1500, 0, 0, 0]],
  ])('is too late once a dispute ended in a %s', async (decision, divided) => {
    const pkg = await onItsWay();
    const step = lastEvent(pkg);
    await step;
    const dispute = await disputed(pkg);
    const body = { decision, reason: 'As the photo shows' };
    await stage().send(admin, 'POST', `${dispute}/resolve`, { body });
    for (const who of [courier, admin]) {
      expect((await takeBack(who, pkg, step)).body.code).toBe('too_late');
    }
    expect(await purses()).toEqual(divided);
  });

  it('is too late once the courier no longer has the money, or a dispute divided it', async () => {
    const spent = await carried();
    await patchPackage(stage(), sender, spent, delivered);
    await give(courier, -1);
    expect((await takeBack(sender, spent)).body.code).toBe('too_late');
    const { availableKobo } = await walletOf(stage().database.db, courier.id);
    expect(availableKobo).toBe(149_900);
    const pkg = await onItsWay();
    const step = lastEvent(pkg);
    await step;
    const dispute = await disputed(pkg);
    expect((await takeBack(courier, pkg, step)).body.code).toBe('disputed');
    const body = { decision: 'split', courierPercent: 20, reason: 'Half wet' };
    await stage().send(admin, 'POST', `${dispute}/resolve`, { body });
    expect((await takeBack(admin, pkg, step)).body.code).toBe('too_late');
  });
});
