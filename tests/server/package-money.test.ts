/** The money of an 'app' package through every operation on it. */
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ErrorBody } from '#contract/errors.ts';
import type { WirePackage } from '#contract/package.ts';
import { transfers } from '#server/database/money-schema.ts';
import { audit } from '#server/modules/ledger/audit.ts';
import { walletOf } from '#server/modules/ledger/repository.ts';
import { adjust } from '#server/modules/ledger/service.ts';
import { type AnyBody, createdPackage, fileStage, type Person } from './stage.ts';

const stage = fileStage();
let sender: Person;
let courier: Person;
let admin: Person;
beforeEach(async () => {
  sender = await stage().person('Customer');
  courier = await stage().person('Employee');
  admin = await stage().admin();
});

/** Credits naira to a user's balance. */
async function give(who: Person, naira: number): Promise<void> {
  const { db } = stage().database;
  const rest = { reason: 'A gift', actorId: admin.id, now: stage().now() };
  await db.transaction((tx) => adjust(tx, { userId: who.id, amountKobo: naira * 100, ...rest }));
}

async function purse(who: Person): Promise<[number, number]> {
  const { availableKobo, heldKobo } = await walletOf(stage().database.db, who.id);
  return [availableKobo / 100, heldKobo / 100];
}

const appPackage = (priceOffer = 1500) =>
  createdPackage(stage(), sender, { paymentMethod: 'app', priceOffer });

function patch(who: Person, { _id }: WirePackage, body: object) {
  return stage().send<WirePackage & AnyBody & ErrorBody>(who, 'PATCH', `/api/packages/${_id}`, {
    body,
  });
}

async function done(who: Person, pkg: WirePackage, body: object): Promise<WirePackage> {
  const answer = await patch(who, pkg, body);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body;
}

async function refused(who: Person, pkg: WirePackage, body: object) {
  const { status, body: said } = await patch(who, pkg, body);
  return [status, said.code, ...(said.missing === undefined ? [] : [said.missing])];
}

const accept = (pkg: WirePackage) => done(courier, pkg, { deliveryPersonId: courier.id });
const deliver = (pkg: WirePackage, who = courier) =>
  done(who, pkg, { deliveryStatus: 'Delivered' });

async function kindsOf({ _id }: WirePackage): Promise<string[]> {
  const rows = await stage()
    .database.db.select({ kind: transfers.kind })
    .from(transfers)
    .where(eq(transfers.packageId, _id))
    .orderBy(transfers.number);
  return rows.map(({ kind }) => kind);
}

describe('creating', () => {
  it('holds the offer to the kobo if the balance covers it, else is unpaid', async () => {
    await give(sender, 1500);
    expect((await appPackage()).paymentStatus).toBe('paid');
    expect(await purse(sender)).toEqual([0, 1500]);
    expect((await appPackage(0.01)).paymentStatus).toBe('unpaid');
    expect(await purse(sender)).toEqual([0, 1500]);
  });

  it('moves nothing for cash', async () => {
    await give(sender, 1500);
    expect((await createdPackage(stage(), sender)).paymentStatus).toBe('unpaid');
    expect(await purse(sender)).toEqual([1500, 0]);
  });
});

describe('paying later', () => {
  it('reports the missing kobo, and works once they are there', async () => {
    await give(sender, 1000.25);
    const pkg = await appPackage();
    const short = await patch(sender, pkg, { paymentStatus: 'paid' });
    expect([short.status, short.body.code, short.body.missing]).toEqual([
      ...[402, 'insufficient_funds', 499.75],
    ]);
    expect(short.body.message).toContain('₦499.75');
    await give(sender, 499.75);
    expect((await done(sender, pkg, { paymentStatus: 'paid' })).paymentStatus).toBe('paid');
    expect(await purse(sender)).toEqual([0, 1500]);
  });

  it('requires the price that was seen: a changed one is refused', async () => {
    const pkg = await appPackage(1500);
    await give(sender, 10_000);
    const raised = await done(admin, pkg, { priceOffer: 9000 });
    const seen = { paymentStatus: 'paid', baseVersion: pkg.version };
    const { status, body } = await patch(sender, pkg, seen);
    expect([status, body.code, body.fields]).toEqual([
      409,
      'conflict',
      { priceOffer: expect.any(String) },
    ]);
    expect(await purse(sender)).toEqual([10_000, 0]);
    await done(sender, pkg, { paymentStatus: 'paid', baseVersion: raised.version });
    expect(await purse(sender)).toEqual([1000, 9000]);
  });

  it('on the way is held until the delivery', async () => {
    const pkg = await appPackage();
    await accept(pkg);
    await give(sender, 1500);
    await done(sender, pkg, { paymentStatus: 'paid' });
    expect([await purse(sender), await purse(courier)]).toEqual([
      [0, 1500],
      [0, 0],
    ]);
  });

  it('after the delivery pays the courier immediately', async () => {
    const pkg = await appPackage();
    await accept(pkg);
    expect((await deliver(pkg)).paymentStatus).toBe('unpaid');
    await give(sender, 2000);
    await done(sender, pkg, { paymentStatus: 'paid' });
    expect([await purse(sender), await purse(courier)]).toEqual([
      [500, 0],
      [1500, 0],
    ]);
  });

  it('is neither allowed nor reversible for the courier', async () => {
    await give(sender, 1500);
    const unpaid = await appPackage(2000);
    await accept(unpaid);
    expect(await refused(courier, unpaid, { paymentStatus: 'paid' })).toEqual([403, 'forbidden']);
    const held = await appPackage();
    expect(await refused(sender, held, { paymentStatus: 'unpaid' })).toEqual([403, 'forbidden']);
    expect(await purse(sender)).toEqual([0, 1500]);
  });

  it('is refused for a cancelled package', async () => {
    const pkg = await appPackage();
    await give(sender, 1500);
    expect(
      await refused(sender, pkg, { deliveryStatus: 'Cancelled', paymentStatus: 'paid' }),
    ).toEqual([409, 'invalid_state']);
    await done(sender, pkg, { deliveryStatus: 'Cancelled' });
    expect(await refused(sender, pkg, { paymentStatus: 'paid' })).toEqual([409, 'invalid_state']);
    expect(await purse(sender)).toEqual([1500, 0]);
  });
});

describe('delivering', () => {
  for (const by of ['courier', 'sender', 'admin'] as const) {
    it(`by the ${by} pays the courier once, though repeated`, async () => {
      await give(sender, 1500);
      const pkg = await appPackage();
      await accept(pkg);
      const who = { courier, sender, admin }[by];
      await Promise.all([1, 2, 3].map(() => patch(who, pkg, { deliveryStatus: 'Delivered' })));
      await done(admin, pkg, { deliveryStatus: 'In Transit' });
      await deliver(pkg, who);
      expect([await purse(sender), await purse(courier)]).toEqual([
        [0, 0],
        [1500, 0],
      ]);
      expect(await kindsOf(pkg)).toEqual(['hold', 'release']);
    });
  }

  it('together with assignment, price and payment validates each of them', async () => {
    await give(sender, 3000);
    const pkg = await createdPackage(stage(), sender);
    const delivered = await done(admin, pkg, {
      ...{ deliveryPersonId: courier.id, deliveryStatus: 'Delivered' },
      ...{ paymentMethod: 'app', priceOffer: 2500, paymentStatus: 'paid' },
    });
    expect(delivered).toMatchObject({ paymentStatus: 'paid', priceOffer: 2500 });
    expect([await purse(sender), await purse(courier)]).toEqual([
      [500, 0],
      [2500, 0],
    ]);
  });

  it('together with a refund pays nobody', async () => {
    await give(sender, 1500);
    const pkg = await appPackage();
    await accept(pkg);
    await done(admin, pkg, { deliveryStatus: 'Delivered', paymentStatus: 'unpaid' });
    expect([await purse(sender), await purse(courier)]).toEqual([
      [1500, 0],
      [0, 0],
    ]);
  });
});

describe('after the payout', () => {
  it('price and payment are locked, for admins too; the rest may change', async () => {
    await give(sender, 1500);
    const pkg = await appPackage();
    await accept(pkg);
    await deliver(pkg);
    for (const body of [
      { priceOffer: 1 },
      { paymentMethod: 'cash' },
      { paymentStatus: 'unpaid' },
      { priceOffer: 2000, deliveryStatus: 'Pending' },
    ]) {
      expect(await refused(admin, pkg, body)).toEqual([409, 'paid_out']);
    }
    await done(admin, pkg, { description: 'Three bolts', priceOffer: 1500, paymentStatus: 'paid' });
    await done(admin, pkg, { deliveryStatus: 'Cancelled' });
    expect([await purse(sender), await purse(courier)]).toEqual([
      [0, 0],
      [1500, 0],
    ]);
  });
});

describe('refunds', () => {
  it('are not made by a reject: the hold stays for the next courier', async () => {
    await give(sender, 1500);
    const pkg = await appPackage();
    await accept(pkg);
    const back = await done(courier, pkg, { deliveryPersonId: null, deliveryStatus: 'Pending' });
    expect(back.paymentStatus).toBe('paid');
    expect(await purse(sender)).toEqual([0, 1500]);
  });

  it('return the full hold on a cancel, a delete and a switch to cash', async () => {
    await give(sender, 1500);
    await done(sender, await appPackage(), { deliveryStatus: 'Cancelled' });
    expect(await purse(sender)).toEqual([1500, 0]);
    const { _id } = await appPackage();
    await stage().send(sender, 'DELETE', `/api/packages/${_id}`);
    expect(await purse(sender)).toEqual([1500, 0]);
    const cash = await done(sender, await appPackage(), { paymentMethod: 'cash' });
    expect(cash.paymentStatus).toBe('unpaid');
    expect(await purse(sender)).toEqual([1500, 0]);
  });

  it('by an admin leave the package unpaid and active', async () => {
    await give(sender, 1500);
    const pkg = await appPackage();
    await accept(pkg);
    const unpaid = await done(admin, pkg, { paymentStatus: 'unpaid' });
    expect([unpaid.paymentStatus, unpaid.deliveryStatus]).toEqual(['unpaid', 'In Transit']);
    expect(await purse(sender)).toEqual([1500, 0]);
  });

  it('a lower offer returns the difference, a higher one takes it or is refused', async () => {
    await give(sender, 2000);
    const pkg = await appPackage();
    await done(sender, pkg, { priceOffer: 1200 });
    expect(await purse(sender)).toEqual([800, 1200]);
    await done(sender, pkg, { priceOffer: 2000 });
    expect(await purse(sender)).toEqual([0, 2000]);
    expect(await refused(sender, pkg, { priceOffer: 2000.5, notes: 'Fragile' })).toEqual([
      ...[402, 'insufficient_funds', 0.5],
    ]);
    const { body } = await stage().send<WirePackage>(sender, 'GET', `/api/packages/${pkg._id}`);
    expect(body).toMatchObject({ priceOffer: 2000, notes: null });
  });
});

describe('switching from cash to the app', () => {
  it('behaves like a creation: held if covered, else unpaid', async () => {
    await give(sender, 1500);
    const pkg = await createdPackage(stage(), sender);
    expect((await done(sender, pkg, { paymentMethod: 'app' })).paymentStatus).toBe('paid');
    expect(await purse(sender)).toEqual([0, 1500]);
    const other = await createdPackage(stage(), sender);
    expect((await done(sender, other, { paymentMethod: 'app' })).paymentStatus).toBe('unpaid');
  });

  it('resets the paid mark of cash', async () => {
    const pkg = await createdPackage(stage(), sender);
    await done(sender, pkg, { paymentStatus: 'paid' });
    expect((await done(sender, pkg, { paymentMethod: 'app' })).paymentStatus).toBe('unpaid');
  });

  it('holds nothing if it is to stay unpaid', async () => {
    await give(sender, 1500);
    const pkg = await createdPackage(stage(), sender);
    await done(sender, pkg, { paymentMethod: 'app', paymentStatus: 'unpaid' });
    expect(await purse(sender)).toEqual([1500, 0]);
  });
});

describe('the ledger', () => {
  it('passes the audit after all of this', async () => {
    expect(await audit(stage().database.db)).toEqual([]);
  });
});
