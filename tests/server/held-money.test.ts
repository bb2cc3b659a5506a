/** What is held for a delivery until it is verified or due; returns, disputes and corrections. */
import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { WirePackage } from '#contract/package.ts';
import type { Payments } from '#contract/payment.ts';
import { transfers } from '#server/database/money-schema.ts';
import { audit } from '#server/modules/ledger/audit.ts';
import { walletOf } from '#server/modules/ledger/repository.ts';
import { releaseDue } from '#server/modules/packages/due-releases.ts';
import { type Answered, type Details, packageCalls, photo, type Step } from './package-calls.ts';
import { codeOf, fileStage, type Person, type Stage } from './stage.ts';

const stage = fileStage();
const terms = { releaseAfterMs: 24 * 3_600_000, returnFeePercent: 50 };
const hourMs = 3_600_000;
let sender: Person;
let courier: Person;
let admin: Person;

beforeEach(async () => {
  [sender, courier] = await stage().people('Customer', 'Employee');
  admin = await stage().admin();
});
afterAll(async () => {
  expect(await audit(stage().db)).toEqual([]);
});

const give = (person: Person, naira: number) => stage().give(person, naira * 100);

/** Logins expire in the meantime. */
async function later(ms: number): Promise<void> {
  stage().pass(ms);
  [sender, courier] = [await stage().again(sender), await stage().again(courier)];
  admin = await stage().admin();
}

const calls = packageCalls(stage);
const { steps, eventsFor, newLink } = calls;
const record = (who: Person, { _id }: WirePackage, type: Step, more: Details = {}) =>
  calls.record(who, _id, type, more);
/** A problem with it. */
const open = (who: Person, { _id }: WirePackage, more?: object) => calls.dispute(who, _id, more);
const resolve = (who: Person, { _id, dispute }: WirePackage, decision: object) => {
  const path = `/api/packages/${_id}/disputes/${dispute?._id ?? randomUUID()}/resolve`;
  const body = { reason: 'The photo shows it', ...decision };
  return stage().send<Answered>(who, 'POST', path, { body });
};
const delivered = { deliveryStatus: 'Delivered' };

/** Paid by the app, held, and with the courier. */
async function carried(priceOffer = 1500): Promise<WirePackage> {
  await give(sender, priceOffer);
  const pkg = await stage().created(sender, { paymentMethod: 'app', priceOffer });
  expect((await stage().patch(courier, pkg, { deliveryPersonId: courier.id })).status).toBe(200);
  return pkg;
}

async function onItsWay(): Promise<WirePackage> {
  return (await stage().patch(courier, await carried(), delivered)).body;
}

/** Confirmed by its sender, and paid. */
async function paid(): Promise<WirePackage> {
  return (await stage().patch(sender, await carried(), delivered)).body;
}

/** By the doing of the sender: half of it is paid. */
async function returned(): Promise<WirePackage> {
  const pkg = await carried();
  await steps(pkg._id, [courier, 'picked_up'], [sender, 'return_started']);
  // The second word: the sender's alone would be a claim.
  return (await record(admin, pkg, 'returned')).body;
}

/** Picked up by its courier, and back by the sender's word alone. */
async function claimed(): Promise<WirePackage> {
  const pkg = await carried();
  await steps(pkg._id, [courier, 'picked_up'], [sender, 'return_started']);
  return (await record(sender, pkg, 'returned')).body;
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
const seen = ({ _id }: WirePackage) => calls.read(admin, _id);
/** Lines of the courier's history: kind, naira and cause, the newest first. */
async function linesOf(who = courier) {
  const { body } = await stage().send<Payments>(who, 'GET', '/api/payments');
  return body.entries.map(({ kind, amount, cause }) => [kind, amount, cause]);
}
const kindsOf = async ({ _id }: WirePackage) => {
  const rows = await stage().db.select().from(transfers).where(eq(transfers.packageId, _id));
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
    const { body } = await record(sender, pkg, 'confirmed');
    expect(body).toMatchObject({ releaseAt: null, paidOut: 1500 });
    expect(await purses()).toEqual([0, 0, 1500, 0]);
  });

  it('keeps its time when an admin edits it, and gives back what a lower price frees', async () => {
    const pkg = await onItsWay();
    await later(hourMs);
    const { body } = await stage().patch(admin, pkg, { priceOffer: 1000 });
    expect(body.releaseAt).toBe(pkg.releaseAt);
    expect(await purses()).toEqual([500, 1000, 0, 1000]);
    await stage().patch(admin, pkg, { deliveryStatus: 'Cancelled' });
    expect(await purses()).toEqual([1500, 0, 0, 0]);
  });
});

it('a delivery proven by the code pays at once, one by photo waits', async () => {
  await give(sender, 3000);
  const byCode = ({ dropoffCode: code }: WirePackage) => ({ code: code ?? '' });
  for (const proofOf of [byCode, photo]) {
    const pkg = await stage().created(sender, { paymentMethod: 'app', handover: 'code' });
    await stage().patch(courier, pkg, { deliveryPersonId: courier.id });
    await steps(pkg._id, [courier, 'delivered', { proof: proofOf(pkg) }]);
  }
  expect(await purses()).toEqual([0, 1500, 1500, 1500]);
});

describe('a return', () => {
  const reasons = {
    courier: 'lost',
    recipient: 'refused',
    sender: 'wrong_address',
    none: 'other',
  } as const;

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
    await steps(
      pkg._id,
      [courier, 'picked_up'],
      [courier, 'attempt_failed', { reason: reasons[fault], note: 'As it was' }],
      [courier, 'return_started'],
    );
    const { body } = await record(sender, pkg, 'returned');
    const paymentStatus = fee ? 'paid' : 'unpaid';
    expect(body).toMatchObject({ outcome: 'returned', paidOut: fee, paymentStatus });
    expect(await purses()).toEqual([back, 0, fee, 0]);
    expect(await linesOf()).toEqual(fee ? [['release', fee, 'return']] : []);
  });

  it.each([
    ['sender', 750],
    ['admin', 0],
  ] as const)('that the %s started without an attempt pays ₦%d', async (who, fee) => {
    const pkg = await carried();
    const by = { sender, admin }[who];
    await steps(pkg._id, [courier, 'picked_up'], [by, 'return_started'], [admin, 'returned']);
    expect(await purses()).toEqual([1500 - fee, 0, fee, 0]);
  });

  it('of what is not paid yet moves nothing', async () => {
    const pkg = await stage().created(sender, { paymentMethod: 'app' });
    await stage().patch(courier, pkg, { deliveryPersonId: courier.id });
    await steps(pkg._id, [courier, 'picked_up'], [sender, 'return_started']);
    const { body } = await record(sender, pkg, 'returned');
    expect(body).toMatchObject({ outcome: 'returned', paymentStatus: 'unpaid' });
    expect(await kindsOf(pkg)).toEqual([]);
  });
});

describe('a dispute', () => {
  it('freezes what is held, beyond its time and against other changes', async () => {
    const pkg = await onItsWay();
    const { body } = await open(sender, pkg, { kind: 'not_received', text: 'Nobody came' });
    const problem = { kind: 'not_received', text: 'Nobody came', by: 'sender' };
    expect(body).toMatchObject({ releaseAt: null, dispute: problem });
    await later(30 * hourMs);
    await release();
    expect(await codeOf(record(sender, pkg, 'confirmed'))).toBe('disputed');
    for (const change of [
      { deliveryStatus: 'Cancelled' },
      { deliveryStatus: 'In Transit' },
      { priceOffer: 10 },
      { paymentMethod: 'cash' },
      { paymentStatus: 'unpaid' },
    ]) {
      const code = await codeOf(stage().patch(admin, pkg, change));
      expect([change, code]).toEqual([change, 'disputed']);
    }
    expect((await stage().patch(admin, pkg, { notes: 'Called both' })).status).toBe(200);
    expect(await codeOf(open(courier, pkg))).toBe('disputed');
    expect(await purses()).toEqual([0, 1500, 0, 1500]);
    expect((await resolve(admin, await seen(pkg), { decision: 'refund' })).status).toBe(200);
  });

  it.each([
    [{ decision: 'release' }, 0, 1500],
    [{ decision: 'refund' }, 1500, 0],
    [{ decision: 'split', courierPercent: 33 }, 1005, 495],
  ])('that ends in %j leaves sender and courier ₦%d and ₦%d', async (decision, back, paid) => {
    const { body: pkg } = await open(sender, await onItsWay());
    expect(await codeOf(resolve(sender, pkg, decision))).toBe('forbidden');
    const { body } = await resolve(admin, pkg, decision);
    expect([body.dispute, body.paidOut]).toEqual([null, paid]);
    expect(await purses()).toEqual([back, 0, paid, 0]);
    expect(await codeOf(resolve(admin, pkg, decision))).toBe('invalid_state');
    const told = await eventsFor(courier, pkg._id);
    expect(told.slice(-2).map(({ type, reason, note }) => [type, reason, note])).toEqual([
      ['disputed', 'damaged', 'Wet'],
      ['resolved', decision.decision, 'The photo shows it'],
    ]);
  });

  it('that ends in a refund leaves nothing to pay', async () => {
    const { body: pkg } = await open(sender, await onItsWay());
    await resolve(admin, pkg, { decision: 'refund' });
    for (const who of [sender, admin]) {
      const again = stage().patch(who, pkg, { paymentStatus: 'paid' });
      expect(await codeOf(again)).toBe('paid_out');
    }
    expect(await seen(pkg)).toMatchObject({ paidOut: 0, paymentStatus: 'unpaid' });
    expect(await codeOf(record(sender, pkg, 'confirmed'))).toBe('invalid_state');
    expect(await codeOf(open(sender, pkg))).toBe('too_late');
    expect(await purses()).toEqual([1500, 0, 0, 0]);
  });

  it('needs the share of the courier only to split', async () => {
    const { body: pkg } = await open(sender, await onItsWay());
    const { body } = await resolve(admin, pkg, { decision: 'split' });
    expect([body.code, Object.keys(body.fields)]).toEqual(['invalid_fields', ['courierPercent']]);
  });

  const fieldsOf = async ({ _id }: WirePackage) =>
    (await eventsFor(admin, _id)).find(({ type }) => type === 'resolved')?.fields;

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
    const decided = (await resolve(admin, body, decision)).body;
    const paymentStatus = fee ? 'paid' : 'unpaid';
    expect(decided).toMatchObject({ dispute: null, paidOut: fee, paymentStatus });
    expect(await purses()).toEqual([back, 0, fee, 0]);
    expect(await fieldsOf(pkg)).toEqual(fee === had ? [] : ['paidOut']);
    const { body: money } = await stage().send<Payments>(courier, 'GET', '/api/payments');
    expect(money.earned).toBe(fee);
    expect(await codeOf(open(sender, pkg))).toBe('too_late');
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
    const pkg = await stage().created(sender, { paymentMethod });
    await stage().patch(courier, pkg, { deliveryPersonId: courier.id });
    await stage().deliver(courier, pkg);
    const { body } = await open(sender, pkg);
    expect((await resolve(admin, body, { decision: 'refund' })).body.dispute).toBe(null);
    expect(await fieldsOf(pkg)).toEqual([]);
    expect(await kindsOf(pkg)).toEqual([]);
  });

  it('is possible for 24 hours, by the parties, for what has ended', async () => {
    const pkg = await carried();
    expect(await codeOf(open(sender, pkg))).toBe('invalid_state');
    await stage().deliver(courier, pkg);
    expect(await codeOf(open(admin, pkg))).toBe('forbidden');
    expect(await codeOf(open(await stage().person('Employee'), pkg))).toBe('not_found');
    await later(24 * hourMs + 1);
    expect(await codeOf(open(courier, pkg))).toBe('too_late');
  });

  it('is told once: its id is taken', async () => {
    const pkg = await onItsWay();
    const _id = randomUUID();
    const { body } = await open(sender, pkg, { _id });
    await resolve(admin, body, { decision: 'release' });
    expect(await codeOf(open(sender, pkg, { _id }))).toBe('id_taken');
  });
});

describe('a package that is opened again after a payout', () => {
  const pending = { deliveryStatus: 'Pending' };
  const resolved = async (decision: object) => {
    const { body } = await open(sender, await onItsWay());
    return (await resolve(admin, body, decision)).body;
  };

  it.each([
    ['returned for half of it', returned, 750],
    ['split by a dispatcher', () => resolved({ decision: 'split', courierPercent: 40 }), 600],
    ['refunded by a dispatcher', () => resolved({ decision: 'refund' }), 0],
    ['delivered', paid, 1500],
  ])('(%s) is paid again, to its next courier', async (_, ended, first) => {
    const pkg = await ended();
    const raised = stage().patch(admin, pkg, { ...pending, priceOffer: 2000 });
    expect(await codeOf(raised)).toBe('paid_out');
    const { body } = await stage().patch(admin, pkg, pending);
    expect(body).toMatchObject({ paymentStatus: 'unpaid', paidOut: null });
    await give(sender, 500 + first);
    const next = await stage().person('Employee');
    for (const [who, change] of [
      [sender, { priceOffer: 2000 }],
      [next, { deliveryPersonId: next.id }],
      [sender, { paymentStatus: 'paid' }],
      [sender, { paymentStatus: 'paid' }],
      [sender, delivered],
    ] as const) {
      expect((await stage().patch(who, pkg, change)).status).toBe(200);
    }
    expect(await seen(pkg)).toMatchObject({ paymentStatus: 'paid', paidOut: 2000 });
    expect(await purses()).toEqual([0, 0, first, 0]);
    expect((await walletOf(stage().db, next.id)).availableKobo).toBe(200_000);
  });

  it('is unpaid once the courier who was paid for it gives it up', async () => {
    const pkg = await paid();
    await stage().patch(admin, pkg, { deliveryStatus: 'In Transit' });
    const given = { deliveryPersonId: null, paymentStatus: 'paid' };
    await give(sender, 1500);
    expect((await stage().patch(courier, pkg, given)).body).toMatchObject({
      deliveryStatus: 'Pending',
      paymentStatus: 'unpaid',
      paidOut: null,
    });
    expect(await purses()).toEqual([1500, 0, 1500, 0]);
  });
});

describe('a return that the sender alone declares', () => {
  it('leaves the money held for a day, then divides it as a return', async () => {
    const pkg = await claimed();
    const releaseAt = new Date(stage().now().getTime() + 24 * hourMs).toISOString();
    expect(pkg).toMatchObject({ deliveryStatus: 'Cancelled', outcome: 'returned', releaseAt });
    expect(pkg).toMatchObject({ paymentStatus: 'paid', paidOut: null });
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
    const _id = randomUUID();
    await steps(
      pkg._id,
      [courier, 'picked_up'],
      [sender, 'delivered', { _id }],
      [sender, 'corrected', { corrects: _id }],
      [sender, 'return_started'],
      [sender, 'returned'],
    );
    expect(await purses()).toEqual([0, 1500, 0, 0]);
  });

  /** Who says so, and what becomes of the claim. */
  it.each([
    ['courier', 750],
    ['admin', 750],
  ] as const)('is settled by the word of the %s', async (who, fee) => {
    const pkg = await claimed();
    expect(await codeOf(record(sender, pkg, 'confirmed'))).toBe('invalid_state');
    const { body } = await record({ courier, admin }[who], pkg, 'confirmed');
    expect(body).toMatchObject({ paidOut: fee, releaseAt: null, outcome: 'returned' });
    expect(await purses()).toEqual([1500 - fee, 0, fee, 0]);
    expect(await codeOf(record(courier, pkg, 'confirmed'))).toBe('invalid_state');
  });

  it('is not frozen by its own sender, until there is a second word', async () => {
    const pkg = await claimed();
    expect(await codeOf(open(sender, pkg))).toBe('invalid_state');
    await record(courier, pkg, 'confirmed');
    expect((await open(sender, pkg)).status).toBe(201);
  });

  it('is frozen by its courier, and a dispatcher decides', async () => {
    const pkg = await claimed();
    const { body } = await open(courier, pkg, { text: 'I delivered it' });
    await later(30 * hourMs);
    await release();
    expect(await codeOf(record(courier, pkg, 'confirmed'))).toBe('invalid_state');
    expect(await purses()).toEqual([0, 1500, 0, 0]);
    await resolve(admin, body, { decision: 'release' });
    expect(await purses()).toEqual([0, 0, 1500, 0]);
  });

  it('is overruled by a dispatcher who opens it again', async () => {
    const pkg = await claimed();
    const { body } = await stage().patch(admin, pkg, { deliveryStatus: 'In Transit' });
    expect(body).toMatchObject({ deliveryStatus: 'In Transit', releaseAt: null, paidOut: null });
    expect(await purses()).toEqual([0, 1500, 0, 0]);
    await stage().deliver(admin, pkg);
    expect(await purses()).toEqual([0, 0, 1500, 0]);
  });

  it.each(['courier', 'admin'] as const)('is none if the %s started it', async (who) => {
    const pkg = await carried();
    await steps(
      pkg._id,
      [courier, 'picked_up'],
      [courier, 'attempt_failed', { reason: 'refused' }],
      [{ courier, admin }[who], 'return_started'],
      [sender, 'returned'],
    );
    expect(await purses()).toEqual([750, 0, 750, 0]);
  });

  describe('gives way to a delivery that the recipient’s code proves', () => {
    const minuteMs = 60_000;
    const coded = async (paymentMethod: string) => {
      await give(sender, 1500);
      const handover = 'code';
      const pkg = await stage().created(sender, { paymentMethod, handover });
      await stage().patch(courier, pkg, { deliveryPersonId: courier.id });
      await record(courier, pkg, 'picked_up');
      await later(10 * minuteMs);
      return pkg;
    };
    type Until = 'return_started' | 'returned';
    const claim = async (pkg: WirePackage, until: Until) => {
      await record(sender, pkg, 'return_started');
      if (until === 'returned') await record(sender, pkg, 'returned');
    };
    type Proof = NonNullable<Details['proof']>;
    const scan = ({ dropoffToken }: WirePackage): Proof => ({ qr: dropoffToken ?? '' });
    const code = ({ dropoffCode }: WirePackage): Proof => ({ code: dropoffCode ?? '' });
    const ago = (ms: number) => new Date(stage().now().getTime() - ms).toISOString();
    /** What the courier hears who delivered it so many minutes ago, and what they earn by it. */
    const proves = async (pkg: WirePackage, proof: Proof, minutes: number) => {
      const before = await purses();
      const occurredAt = ago(minutes * minuteMs);
      const { body } = await record(courier, pkg, 'delivered', { proof, occurredAt });
      const after = await purses();
      if (body.code) expect(after).toEqual(before);
      else expect(body).toMatchObject({ outcome: null, releaseAt: null, dispute: null });
      return [body.code ?? body.deliveryStatus, (after[2] ?? 0) - (before[2] ?? 0)];
    };
    const tooLate = ['invalid_state', 0];
    const methods = { app: 1500, cash: 0 } as const;

    /** How far the claim of five minutes ago has come, the proof, when it was given; who wins. */
    it.each([
      ['returned', 'code', 7, true],
      ['returned', 'scan', 7, true],
      ['returned', 'code', 3, false],
      ['returned', 'photo', 7, false],
      ['return_started', 'code', 7, true],
      ['return_started', 'code', 3, true],
      ['return_started', 'photo', 7, false],
    ] as const)('%s, %s, %d minutes ago: %j', async (until, way, minutes, wins) => {
      for (const [method, earned] of Object.entries(methods)) {
        const pkg = await coded(method);
        await claim(pkg, until);
        await later(5 * minuteMs);
        const proof = { code, scan, photo }[way](pkg);
        expect(await proves(pkg, proof, minutes)).toEqual(wins ? ['Delivered', earned] : tooLate);
      }
    });

    it('not once it is settled, nor by a wrong code, nor against a return that the courier began', async () => {
      const settled = await coded('app');
      await claim(settled, 'returned');
      expect(await proves(settled, { code: '000000' }, 5)).toEqual(['wrong_code', 0]);
      await record(admin, settled, 'confirmed');
      expect(await proves(settled, code(settled), 5)).toEqual(tooLate);
      const begun = await coded('app');
      const failed: Details = { reason: 'refused' };
      await steps(begun._id, [courier, 'attempt_failed', failed], [courier, 'return_started']);
      expect(await proves(begun, code(begun), 0)).toEqual(tooLate);
    });

    it.each<Until>([
      'return_started',
      'returned',
    ])('not by a code of which the package has none (%s)', async (until) => {
      const pkg = await carried();
      await record(courier, pkg, 'picked_up');
      await later(10 * minuteMs);
      await claim(pkg, until);
      await later(5 * minuteMs);
      for (const proof of [{ code: '000000' }, { qr: 'a'.repeat(22) }]) {
        expect(await proves(pkg, proof, 7)).toEqual(tooLate);
      }
      expect(await purses()).toEqual([0, 1500, 0, 0]);
    });

    it.each([
      ['return_started', code, 'before it'],
      ['return_started', code, 'since'],
      ['returned', code, 'before it'],
      ['returned', code, 'since'],
      ['returned', scan, 'before it'],
      ['returned', scan, 'since'],
    ] as const)('also if its sender has replaced the code (%s, %o, %s)', async (until, proofOf, when) => {
      const pkg = await coded('app');
      if (when === 'before it') await newLink(sender, pkg._id);
      await record(sender, pkg, 'return_started');
      if (when === 'since') await newLink(sender, pkg._id);
      if (until === 'returned') await record(sender, pkg, 'returned');
      await later(5 * minuteMs);
      expect((await proves(pkg, proofOf(pkg), 3))[1]).toBe(0);
      expect(await proves(pkg, proofOf(pkg), 7)).toEqual(['Delivered', 1500]);
    });

    it.each([
      ['app', 'courier'],
      ['cash', 'courier'],
      // No money waits there, so nothing tells its sender's claim from a return.
      ['cash', 'sender'],
    ] as const)('also where a problem is reported with it (%s, by the %s)', async (method, who) => {
      const pkg = await coded(method);
      await claim(pkg, 'returned');
      expect((await open({ sender, courier }[who], pkg)).status).toBe(201);
      await later(5 * minuteMs);
      expect((await proves(pkg, code(pkg), 3))[1]).toBe(0);
      expect(await proves(pkg, code(pkg), 7)).toEqual(['Delivered', methods[method]]);
    });

    it('also if its sender says that it came back before', async () => {
      const pkg = await coded('app');
      await later(5 * minuteMs);
      await record(sender, pkg, 'return_started', { occurredAt: ago(9 * minuteMs) });
      await record(sender, pkg, 'returned', { occurredAt: ago(8 * minuteMs) });
      expect(await proves(pkg, code(pkg), 5)).toEqual(['Delivered', 1500]);
    });

    it('not by a clock that cannot be trusted', async () => {
      const pkg = await coded('app');
      await later(8 * hourMs);
      await claim(pkg, 'returned');
      // Seven hours ago, by a phone that was away as long.
      expect(await proves(pkg, code(pkg), 7 * 60)).toEqual(tooLate);
    });
  });
});

describe('a delivery with a picture that has not arrived', () => {
  const put = async ({ _id }: WirePackage, id = '') =>
    expect((await calls.put(courier, _id, id)).status).toBe(200);

  it('is proven and paid by time only once each picture is there', async () => {
    const pkg = await carried();
    const proof = { ...photo(), signatureId: randomUUID() };
    const { body } = await record(courier, pkg, 'delivered', { proof });
    expect(body).toMatchObject({ verifiedBy: null, photosMissing: 2, releaseAt: null });
    await later(40 * hourMs);
    await release();
    expect(await purses()).toEqual([0, 1500, 0, 1500]);
    await put(pkg, proof.photoIds[0]);
    const one = await seen(pkg);
    expect(one).toMatchObject({ verifiedBy: null, photosMissing: 1, releaseAt: null });
    await put(pkg, proof.signatureId);
    const both = await seen(pkg);
    expect(both).toMatchObject({ verifiedBy: 'photo', photosMissing: 0, version: one.version + 1 });
    expect(Date.parse(both.releaseAt ?? '')).toBe(stage().now().getTime() + 24 * hourMs);
    // A repeat counts nothing again.
    await put(pkg, proof.signatureId);
    expect((await seen(pkg)).version).toBe(both.version);
    expect((await open(sender, pkg)).status).toBe(201);
  });

  it('whose pictures came first is proven as it is recorded', async () => {
    const pkg = await carried();
    const proof = photo();
    await put(pkg, proof.photoIds[0]);
    const { body } = await record(courier, pkg, 'delivered', { proof });
    expect(body).toMatchObject({ verifiedBy: 'photo', photosMissing: 0 });
    expect(body.releaseAt).not.toBeNull();
  });

  it.each(['sender', 'admin'] as const)('waits for the word of the %s', async (who) => {
    const pkg = await carried();
    await record(courier, pkg, 'delivered', { proof: photo() });
    expect(await codeOf(record(courier, pkg, 'confirmed'))).toBe('forbidden');
    const { body } = await record({ sender, admin }[who], pkg, 'confirmed');
    expect(body).toMatchObject({ verifiedBy: who, paidOut: 1500 });
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
  await steps(pkg._id, [courier, 'delivered', { _id }], [sender, 'confirmed']);
  expect(await codeOf(record(courier, pkg, 'corrected', { corrects: _id }))).toBe('too_late');
  expect(await purses()).toEqual([0, 0, 1500, 0]);
  await record(admin, pkg, 'corrected', { corrects: _id });
  expect(await purses()).toEqual([0, 1500, 0, 0]);
});

describe('a delivery that is taken back', () => {
  const lastEvent = async ({ _id }: WirePackage) => (await eventsFor(admin, _id)).at(-1)?._id ?? '';
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
      await stage().deliver(sender, pkg);
      expect(await purses()).toEqual([0, 0, 1500, 0]);
      const { body, text } = await takeBack(sender, pkg);
      expect(body, text).toMatchObject({ paymentStatus: 'paid', paidOut: null });
      expect(await purses()).toEqual([0, 1500, 0, 0]);
    }
    await stage().deliver(sender, pkg);
    const { body: money } = await stage().send<Payments>(courier, 'GET', '/api/payments');
    expect(money.earned).toBe(1500);
    const payout = ['release', 1500, null];
    const back = ['release', -1500, 'correction'];
    expect(await linesOf()).toEqual([payout, back, payout, back, payout]);
  });

  it('returns its payout, and not the one for bringing it back before', async () => {
    const pkg = await returned();
    await give(sender, 750);
    for (const [who, change] of [
      [admin, { deliveryStatus: 'In Transit' }],
      [sender, { paymentStatus: 'paid' }],
      [sender, delivered],
    ] as const) {
      await stage().patch(who, pkg, change);
    }
    expect(await purses()).toEqual([0, 0, 2250, 0]);
    await takeBack(sender, pkg);
    expect(await purses()).toEqual([0, 1500, 750, 0]);
  });

  it('leaves the payout of an earlier delivery with its courier', async () => {
    const pkg = await carried();
    await stage().deliver(sender, pkg);
    expect(await purses()).toEqual([0, 0, 1500, 0]);
    stage().pass(60_000);
    await stage().patch(admin, pkg, { deliveryStatus: 'In Transit' });
    await stage().deliver(courier, pkg);
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
    const { body } = await open(sender, pkg);
    await resolve(admin, body, { decision });
    for (const who of [courier, admin]) {
      expect(await codeOf(takeBack(who, pkg, step))).toBe('too_late');
    }
    expect(await purses()).toEqual(divided);
  });

  it('is too late once the courier no longer has the money, or a dispute divided it', async () => {
    const spent = await paid();
    await give(courier, -1);
    expect(await codeOf(takeBack(sender, spent))).toBe('too_late');
    const { availableKobo } = await walletOf(stage().db, courier.id);
    expect(availableKobo).toBe(149_900);
    const pkg = await onItsWay();
    const step = lastEvent(pkg);
    await step;
    const { body } = await open(sender, pkg);
    expect(await codeOf(takeBack(courier, pkg, step))).toBe('disputed');
    await resolve(admin, body, { decision: 'split', courierPercent: 20 });
    expect(await codeOf(takeBack(admin, pkg, step))).toBe('too_late');
  });
});
