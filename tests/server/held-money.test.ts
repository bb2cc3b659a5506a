/** What is held for a delivery until it is verified or due; returns, disputes and corrections. */
import { createHash, randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { WireEvent } from '#contract/event.ts';
import type { WirePackage } from '#contract/package.ts';
import type { Payments } from '#contract/payment.ts';
import { contentDigest } from '#contract/proof.ts';
import { transfers } from '#server/database/money-schema.ts';
import { audit } from '#server/modules/ledger/audit.ts';
import { walletOf } from '#server/modules/ledger/repository.ts';
import { adjust } from '#server/modules/ledger/service.ts';
import { releaseDue } from '#server/modules/packages/due-releases.ts';
import * as pictures from '#tests/builders/pictures.ts';
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
  [sender, courier] = [await stage().again(sender), await stage().again(courier)];
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

  const paid = async () => {
    const pkg = await carried();
    return (await patchPackage(stage(), sender, pkg, delivered)).body;
  };
  const fieldsOf = async (pkg: WirePackage) => {
    const path = `/api/packages/${pkg._id}/events`;
    const { body } = await stage().send<WireEvent[]>(admin, 'GET', path);
    return body.find(({ type }) => type === 'resolved')?.fields;
  };

  /** What the courier had of ₦1,500, the decision, and what sender and courier have then. */
  it.each([
    [paid, { decision: 'refund' }, 1500, 0],
    [paid, { decision: 'split', courierPercent: 40 }, 900, 600],
    [paid, { decision: 'release' }, 0, 1500],
    [returned, { decision: 'release' }, 0, 1500],
    [returned, { decision: 'refund' }, 1500, 0],
    [returned, { decision: 'split', courierPercent: 50 }, 750, 750],
  ])('after the payout (%o) moves the money it names: %j', async (ended, decision, back, fee) => {
    const pkg = await ended();
    const had = (await purses())[2];
    const { body } = await open(sender, pkg);
    const { body: decided, text } = await resolve(admin, body, decision);
    expect(decided, text).toMatchObject({
      dispute: null,
      paidOut: fee,
      paymentStatus: fee ? 'paid' : 'unpaid',
    });
    expect(await purses()).toEqual([back, 0, fee, 0]);
    expect(await fieldsOf(pkg)).toEqual(fee === had ? [] : ['paidOut']);
    const { body: money } = await stage().send<Payments>(courier, 'GET', '/api/payments');
    expect(money.earned).toBe(fee);
    expect((await open(sender, pkg)).body.code).toBe('too_late');
  });

  it('moves all that it names or, where it has been spent, says so and moves nothing', async () => {
    const { body: pkg } = await open(sender, await paid());
    await give(courier, -1000);
    const { body, status } = await resolve(admin, pkg, { decision: 'refund' });
    expect([status, body.code, body.missing]).toEqual([409, 'money_spent', 1000]);
    expect(await purses()).toEqual([0, 0, 500, 0]);
    expect((await seen(pkg)).dispute?._id).toBe(pkg.dispute?._id);
    const split = await resolve(admin, pkg, { decision: 'split', courierPercent: 70 });
    expect(split.body.paidOut).toBe(1050);
    expect(await purses()).toEqual([450, 0, 50, 0]);
  });

  it.each([
    ['cash'],
    ['app'],
  ])('about what was never held (%s) says that nothing moved', async (paymentMethod) => {
    const pkg = await createdPackage(stage(), sender, { paymentMethod });
    await patchPackage(stage(), courier, pkg, { deliveryPersonId: courier.id });
    await patchPackage(stage(), courier, pkg, delivered);
    const { body } = await open(sender, pkg);
    expect((await resolve(admin, body, { decision: 'refund' })).body.dispute).toBe(null);
    expect(await fieldsOf(pkg)).toEqual([]);
    expect(await kindsOf(pkg)).toEqual([]);
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
  // The second word: the sender's alone would be a claim.
  await record(admin, pkg, 'returned');
  return seen(pkg);
}

/** Picked up by its courier, and back by the sender's word alone. */
async function claimed(priceOffer = 1500): Promise<WirePackage> {
  const pkg = await carried(priceOffer);
  await record(courier, pkg, 'picked_up');
  await record(sender, pkg, 'return_started');
  return (await record(sender, pkg, 'returned')).body;
}

/** By the sender; its path. */
async function disputed({ _id }: WirePackage): Promise<string> {
  const path = `/api/packages/${_id}/disputes`;
  const body = { _id: randomUUID(), kind: 'damaged', text: 'Wet' };
  await stage().send(sender, 'POST', path, { body });
  return `${path}/${body._id}`;
}

describe('a return that the sender alone declares', () => {
  it('leaves the money held for a day, then divides it as a return', async () => {
    const pkg = await claimed();
    expect(pkg).toMatchObject({
      deliveryStatus: 'Cancelled',
      outcome: 'returned',
      paymentStatus: 'paid',
      paidOut: null,
      releaseAt: new Date(stage().now().getTime() + 24 * hourMs).toISOString(),
    });
    expect(await purses()).toEqual([0, 1500, 0, 0]);
    await later(24 * hourMs - 1);
    await release();
    expect(await purses()).toEqual([0, 1500, 0, 0]);
    stage().pass(1);
    await Promise.all([release(), release()]);
    expect(await purses()).toEqual([750, 0, 750, 0]);
    expect(await seen(pkg)).toMatchObject({ releaseAt: null, paidOut: 750 });
  });

  it('also after a delivery that the sender had confirmed and took back', async () => {
    const pkg = await carried();
    await record(courier, pkg, 'picked_up');
    const _id = randomUUID();
    await record(sender, pkg, 'delivered', { _id });
    await record(sender, pkg, 'corrected', { corrects: _id });
    await record(sender, pkg, 'return_started');
    await record(sender, pkg, 'returned');
    expect(await purses()).toEqual([0, 1500, 0, 0]);
  });

  /** Who says so, and what becomes of the claim. */
  it.each([
    ['courier', 750],
    ['admin', 750],
  ] as const)('is settled by the word of the %s', async (who, fee) => {
    const pkg = await claimed();
    expect((await record(sender, pkg, 'confirmed')).body.code).toBe('invalid_state');
    const { body, text } = await record({ courier, admin }[who], pkg, 'confirmed');
    expect(body, text).toMatchObject({ paidOut: fee, releaseAt: null, outcome: 'returned' });
    expect(await purses()).toEqual([1500 - fee, 0, fee, 0]);
    expect((await record(courier, pkg, 'confirmed')).body.code).toBe('invalid_state');
  });

  it('is not frozen by its own sender, until there is a second word', async () => {
    const pkg = await claimed();
    const open = () => {
      const body = { _id: randomUUID(), kind: 'damaged', text: 'Wet' };
      return stage().send<{ code?: string }>(sender, 'POST', `/api/packages/${pkg._id}/disputes`, {
        body,
      });
    };
    expect((await open()).body.code).toBe('invalid_state');
    await record(courier, pkg, 'confirmed');
    expect((await open()).status).toBe(201);
  });

  it('is frozen by its courier, and a dispatcher decides', async () => {
    const pkg = await claimed();
    const path = `/api/packages/${pkg._id}/disputes`;
    const body = { _id: randomUUID(), kind: 'damaged', text: 'I delivered it' };
    expect((await stage().send(courier, 'POST', path, { body })).status).toBe(201);
    await later(30 * hourMs);
    await release();
    expect((await record(courier, pkg, 'confirmed')).body.code).toBe('invalid_state');
    expect(await purses()).toEqual([0, 1500, 0, 0]);
    const decision = { decision: 'release', reason: 'The recipient has it' };
    await stage().send(admin, 'POST', `${path}/${body._id}/resolve`, { body: decision });
    expect(await purses()).toEqual([0, 0, 1500, 0]);
  });

  it('is overruled by a dispatcher who opens it again', async () => {
    const pkg = await claimed();
    const { body } = await patchPackage(stage(), admin, pkg, { deliveryStatus: 'In Transit' });
    expect(body).toMatchObject({ deliveryStatus: 'In Transit', releaseAt: null, paidOut: null });
    expect(await purses()).toEqual([0, 1500, 0, 0]);
    await patchPackage(stage(), admin, pkg, delivered);
    expect(await purses()).toEqual([0, 0, 1500, 0]);
  });

  it.each([
    ['courier', (pkg: WirePackage) => record(courier, pkg, 'return_started')],
    ['admin', (pkg: WirePackage) => record(admin, pkg, 'return_started')],
  ])('is none if the %s started it', async (who, start) => {
    const pkg = await carried();
    await record(courier, pkg, 'picked_up');
    await record(courier, pkg, 'attempt_failed', { reason: 'refused' });
    expect((await start(pkg)).status, who).toBe(201);
    await record(sender, pkg, 'returned');
    expect(await purses()).toEqual([750, 0, 750, 0]);
  });

  describe('gives way to a delivery that the recipient’s code proves', () => {
    const minuteMs = 60_000;
    const coded = async (paymentMethod: string) => {
      await give(sender, 1500);
      const handover = 'code';
      const pkg = await createdPackage(stage(), sender, { paymentMethod, handover });
      await patchPackage(stage(), courier, pkg, { deliveryPersonId: courier.id });
      await record(courier, pkg, 'picked_up');
      await later(10 * minuteMs);
      return pkg;
    };
    const qrOf = ({ dropoffToken }: WirePackage) => ({ qr: dropoffToken });
    const codeOf = ({ dropoffCode }: WirePackage) => ({ code: dropoffCode });
    const shown = () => ({
      photoIds: [randomUUID()],
      recipientName: 'Musa',
      relation: 'recipient',
    });
    const ago = (ms: number) => new Date(stage().now().getTime() - ms).toISOString();

    /**
     * How far the claim has come, how the delivery is proven, how long ago it was, of a claim five
     * minutes ago; and whether it wins.
     */
    it.each([
      ['returned', codeOf, 7, true],
      ['returned', qrOf, 7, true],
      ['returned', codeOf, 3, false],
      ['returned', shown, 7, false],
      ['return_started', codeOf, 7, true],
      ['return_started', codeOf, 3, true],
      ['return_started', shown, 7, false],
    ] as const)('%s, %o, %d minutes ago: %j', async (until, proofOf, minutes, wins) => {
      for (const [method, has] of [
        ['app', 1500],
        ['cash', 0],
      ] as const) {
        const pkg = await coded(method);
        const before = await purses();
        await record(sender, pkg, 'return_started');
        if (until === 'returned') await record(sender, pkg, 'returned');
        await later(5 * minuteMs);
        const more = { proof: proofOf(pkg), occurredAt: ago(minutes * minuteMs) };
        const { status, body, text } = await record(courier, pkg, 'delivered', more);
        expect([status, text], text).toEqual([wins ? 201 : 409, text]);
        const after = await purses();
        if (!wins) {
          expect(body.code).toBe('invalid_state');
          expect(after).toEqual(before);
          continue;
        }
        expect(body).toMatchObject({ deliveryStatus: 'Delivered', outcome: null, releaseAt: null });
        expect((after[2] ?? 0) - (before[2] ?? 0)).toBe(has);
      }
    });

    it('not once it is settled, nor by a wrong code, nor against a return that the courier began', async () => {
      const settled = await coded('app');
      await record(sender, settled, 'return_started');
      await record(sender, settled, 'returned');
      const early = { proof: codeOf(settled), occurredAt: ago(5 * minuteMs) };
      const wrong = { ...early, proof: { code: '000000' } };
      expect((await record(courier, settled, 'delivered', wrong)).body.code).toBe('wrong_code');
      await record(admin, settled, 'confirmed');
      expect((await record(courier, settled, 'delivered', early)).body.code).toBe('invalid_state');
      const begun = await coded('app');
      await record(courier, begun, 'attempt_failed', { reason: 'refused' });
      await record(courier, begun, 'return_started');
      const proof = codeOf(begun);
      expect((await record(courier, begun, 'delivered', { proof })).body.code).toBe(
        'invalid_state',
      );
    });

    it.each([
      'return_started',
      'returned',
    ])('not by a code of which the package has none (%s)', async (until) => {
      const pkg = await carried();
      await record(courier, pkg, 'picked_up');
      await later(10 * minuteMs);
      await record(sender, pkg, 'return_started');
      if (until === 'returned') await record(sender, pkg, 'returned');
      await later(5 * minuteMs);
      for (const proof of [{ code: '000000' }, { qr: 'a'.repeat(22) }]) {
        const more = { proof, occurredAt: ago(7 * minuteMs) };
        expect((await record(courier, pkg, 'delivered', more)).body.code).toBe('invalid_state');
      }
      expect(await purses()).toEqual([0, 1500, 0, 0]);
    });

    it.each([
      ['return_started', codeOf],
      ['returned', codeOf],
      ['returned', qrOf],
    ] as const)('also if its sender has replaced the code meanwhile (%s)', async (until, proofOf) => {
      for (const replacesFirst of [true, false]) {
        const pkg = await coded('app');
        const before = await purses();
        const replace = () => stage().send(sender, 'POST', `/api/packages/${pkg._id}/tracking`);
        if (replacesFirst) await replace();
        await record(sender, pkg, 'return_started');
        if (!replacesFirst) await replace();
        if (until === 'returned') await record(sender, pkg, 'returned');
        await later(5 * minuteMs);
        const proof = proofOf(pkg);
        const late = { proof, occurredAt: ago(3 * minuteMs) };
        expect((await record(courier, pkg, 'delivered', late)).status).toBeGreaterThan(400);
        const more = { proof, occurredAt: ago(7 * minuteMs) };
        const { status, text } = await record(courier, pkg, 'delivered', more);
        expect([status, text]).toEqual([201, text]);
        const now = await purses();
        expect((now[2] ?? 0) - (before[2] ?? 0)).toBe(1500);
      }
    });

    it.each([
      ['app', 'courier', 1500],
      ['cash', 'courier', 0],
      // No money waits there, so nothing tells its sender's claim from a return.
      ['cash', 'sender', 0],
    ] as const)('also where a problem is reported with it (%s, by the %s)', async (method, who, has) => {
      const pkg = await coded(method);
      const before = await purses();
      await record(sender, pkg, 'return_started');
      await record(sender, pkg, 'returned');
      const body = { _id: randomUUID(), kind: 'damaged', text: 'Wet' };
      const path = `/api/packages/${pkg._id}/disputes`;
      const opened = await stage().send({ sender, courier }[who], 'POST', path, { body });
      expect(opened.status).toBe(201);
      await later(5 * minuteMs);
      const proof = codeOf(pkg);
      const late = { proof, occurredAt: ago(3 * minuteMs) };
      expect((await record(courier, pkg, 'delivered', late)).status).toBe(409);
      const more = { proof, occurredAt: ago(7 * minuteMs) };
      const { status, body: won, text } = await record(courier, pkg, 'delivered', more);
      expect([status, text]).toEqual([201, text]);
      expect(won).toMatchObject({ deliveryStatus: 'Delivered', dispute: null, verifiedBy: 'code' });
      const after = await purses();
      expect((after[2] ?? 0) - (before[2] ?? 0)).toBe(has);
    });

    it('also if its sender says that it came back before', async () => {
      const pkg = await coded('app');
      await later(5 * minuteMs);
      await record(sender, pkg, 'return_started', { occurredAt: ago(9 * minuteMs) });
      await record(sender, pkg, 'returned', { occurredAt: ago(8 * minuteMs) });
      const more = { proof: codeOf(pkg), occurredAt: ago(5 * minuteMs) };
      const { status, text } = await record(courier, pkg, 'delivered', more);
      expect([status, text]).toEqual([201, text]);
      expect(await purses()).toEqual([0, 0, 1500, 0]);
    });

    it('not by a clock that cannot be trusted', async () => {
      const pkg = await coded('app');
      await later(8 * hourMs);
      await record(sender, pkg, 'return_started');
      await record(sender, pkg, 'returned');
      // Seven hours ago, by a phone that was away as long.
      const more = { proof: codeOf(pkg), occurredAt: ago(7 * hourMs) };
      expect((await record(courier, pkg, 'delivered', more)).body.code).toBe('invalid_state');
    });
  });
});

describe('a delivery with a picture that has not arrived', () => {
  const pictureBytes = pictures.png;
  const photo = () => ({ photoIds: [randomUUID()], recipientName: 'Musa', relation: 'recipient' });
  const put = async (pkg: WirePackage, id: string) => {
    const digest = createHash('sha256').update(pictureBytes).digest('base64');
    const response = await stage().app.inject({
      method: 'PUT',
      url: `/api/packages/${pkg._id}/proofs/${id}`,
      payload: pictureBytes,
      headers: {
        authorization: `Bearer ${courier.token}`,
        'content-type': 'image/png',
        'content-digest': contentDigest(digest),
      },
    });
    return response.statusCode;
  };

  it('is proven and paid by time only once each picture is there', async () => {
    const pkg = await carried();
    const proof = { ...photo(), signatureId: randomUUID() };
    const { body } = await record(courier, pkg, 'delivered', { proof });
    expect(body).toMatchObject({ verifiedBy: null, photosMissing: 2, releaseAt: null });
    await later(40 * hourMs);
    await release();
    expect(await purses()).toEqual([0, 1500, 0, 1500]);
    expect(await put(pkg, proof.photoIds[0] ?? '')).toBe(200);
    const one = await seen(pkg);
    expect(one).toMatchObject({ verifiedBy: null, photosMissing: 1, releaseAt: null });
    expect(await put(pkg, proof.signatureId)).toBe(200);
    const both = await seen(pkg);
    expect(both).toMatchObject({ verifiedBy: 'photo', photosMissing: 0, version: one.version + 1 });
    expect(Date.parse(both.releaseAt ?? '')).toBe(stage().now().getTime() + 24 * hourMs);
    // A repeat counts nothing again.
    expect(await put(pkg, proof.signatureId)).toBe(200);
    expect((await seen(pkg)).version).toBe(both.version);
    const path = `/api/packages/${pkg._id}/disputes`;
    const body2 = { _id: randomUUID(), kind: 'damaged', text: 'Wet' };
    expect((await stage().send(sender, 'POST', path, { body: body2 })).status).toBe(201);
  });

  it('whose pictures came first is proven as it is recorded', async () => {
    const pkg = await carried();
    const proof = photo();
    expect(await put(pkg, proof.photoIds[0] ?? '')).toBe(200);
    const { body } = await record(courier, pkg, 'delivered', { proof });
    expect(body).toMatchObject({ verifiedBy: 'photo', photosMissing: 0 });
    expect(body.releaseAt).not.toBeNull();
  });

  it.each([
    ['sender', 'sender'],
    ['admin', 'admin'],
  ] as const)('waits for the word of the %s', async (who, verifiedBy) => {
    const pkg = await carried();
    await record(courier, pkg, 'delivered', { proof: photo() });
    expect((await record(courier, pkg, 'confirmed')).body.code).toBe('forbidden');
    const { body } = await record({ sender, admin }[who], pkg, 'confirmed');
    expect(body).toMatchObject({ verifiedBy, paidOut: 1500 });
    expect(await purses()).toEqual([0, 0, 1500, 0]);
  });

  it('is missing nothing once it is taken back', async () => {
    const pkg = await carried();
    const _id = randomUUID();
    await record(courier, pkg, 'delivered', { _id, proof: photo() });
    const { body } = await record(courier, pkg, 'corrected', { corrects: _id });
    expect(body).toMatchObject({ photosMissing: 0, deliveryStatus: 'In Transit' });
  });
});

it('what the sender has confirmed is not the courier’s to take back, but a dispatcher’s', async () => {
  const pkg = await carried();
  const _id = randomUUID();
  await record(courier, pkg, 'delivered', { _id });
  await record(sender, pkg, 'confirmed');
  expect((await record(courier, pkg, 'corrected', { corrects: _id })).body.code).toBe('too_late');
  expect(await purses()).toEqual([0, 0, 1500, 0]);
  await record(admin, pkg, 'corrected', { corrects: _id });
  expect(await purses()).toEqual([0, 1500, 0, 0]);
});

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
