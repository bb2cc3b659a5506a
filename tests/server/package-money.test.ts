/** The money of a package through every operation on it, as a table of stories. */
import { eq } from 'drizzle-orm';
import { afterAll, beforeEach, expect, it } from 'vitest';
import type { WirePackage } from '#contract/package.ts';
import { transfers } from '#server/database/money-schema.ts';
import { audit } from '#server/modules/ledger/audit.ts';
import { walletOf } from '#server/modules/ledger/repository.ts';
import { fileStage, type Person, rejection } from './stage.ts';

const stage = fileStage({ RELEASE_AFTER_HOURS: '0' });
type Name = 'sender' | 'courier' | 'admin';
let people: Record<Name, Person>;
/** The last package created. */
let pkg: WirePackage;
beforeEach(async () => {
  people = {
    sender: await stage().person('Customer'),
    courier: await stage().person('Employee'),
    admin: await stage().admin(),
  };
});

afterAll(async () => {
  expect(await audit(stage().db)).toEqual([]);
});

type Step = () => Promise<void>;

/** A gift to the sender, in naira. */
const gift = (naira: number) => async () => {
  await stage().give(people.sender, naira * 100);
};

/** A new package, paid by the app unless `changes` says otherwise, and its payment status. */
const create =
  (paymentStatus: string, changes: object = {}) =>
  async () => {
    pkg = await stage().created(people.sender, { paymentMethod: 'app', ...changes });
    expect(pkg.paymentStatus).toBe(paymentStatus);
  };

/** A patch and its outcome: the payment status, or the code of the refusal and the missing naira. */
const patch =
  (who: Name, body: object, outcome: string, missing?: number): Step =>
  async () => {
    const { body: said, text } = await stage().patch(people[who], pkg, body);
    expect([said.code ?? said.paymentStatus, said.missing], text).toEqual([outcome, missing]);
    if (missing !== undefined) expect(said.message).toContain(`₦${missing.toLocaleString('en')}`);
  };

const pay = (outcome: string, missing?: number) =>
  patch('sender', { paymentStatus: 'paid' }, outcome, missing);
const deliver = (paymentStatus: string, by: Name = 'courier') =>
  patch(by, { deliveryStatus: 'Delivered' }, paymentStatus);
const accept: Step = async () => {
  const body = { deliveryPersonId: people.courier.id };
  expect((await stage().patch(people.courier, pkg, body)).status).toBe(200);
};
const remove: Step = async () => {
  const answer = await stage().send(people.sender, 'DELETE', `/api/packages/${pkg._id}`);
  expect(answer.status).toBe(200);
};

/** Naira of the sender, available and held, and of the courier, available. */
type Purses = [available: number, held: number, earned: number];
const expectPurses = async (purses: Purses) => {
  const sender = await walletOf(stage().db, people.sender.id);
  const courier = await walletOf(stage().db, people.courier.id);
  const kobo = [sender.availableKobo, sender.heldKobo, courier.availableKobo, courier.heldKobo];
  expect(kobo.map((amount) => amount / 100)).toEqual([...purses, 0]);
};
const purses =
  (...expected: Purses): Step =>
  () =>
    expectPurses(expected);

const cash = { paymentMethod: 'cash' };
const byApp = { paymentMethod: 'app' };
const cancelled = { deliveryStatus: 'Cancelled' };

/** The offer is 1500 naira. */
const stories: Record<string, [Step[], Purses]> = {
  'creating holds the offer to the kobo if the balance covers it, else is unpaid': [
    [gift(1500), create('paid'), create('unpaid', { priceOffer: 0.01 })],
    [0, 1500, 0],
  ],
  'creating for cash moves nothing': [
    [gift(1500), create('unpaid', cash)],
    [1500, 0, 0],
  ],
  'paying later reports the missing kobo, and works once they are there': [
    [gift(1000.25), create('unpaid'), pay('insufficient_funds', 499.75), gift(499.75), pay('paid')],
    [0, 1500, 0],
  ],
  'paying on the way is held until the delivery; the courier may not, nor the sender undo it': [
    [
      create('unpaid'),
      accept,
      gift(1500),
      patch('courier', { paymentStatus: 'paid' }, 'forbidden'),
      pay('paid'),
      patch('sender', { paymentStatus: 'unpaid' }, 'forbidden'),
    ],
    [0, 1500, 0],
  ],
  'paying after the delivery pays the courier immediately': [
    [create('unpaid'), accept, deliver('unpaid'), gift(2000), pay('paid')],
    [500, 0, 1500],
  ],
  'paying a cancelled package is refused': [
    [
      create('unpaid'),
      gift(1500),
      patch('sender', { ...cancelled, paymentStatus: 'paid' }, 'invalid_state'),
      patch('sender', cancelled, 'unpaid'),
      pay('invalid_state'),
    ],
    [1500, 0, 0],
  ],
  'a delivery with a refund pays nobody': [
    [
      gift(1500),
      create('paid'),
      accept,
      patch('admin', { deliveryStatus: 'Delivered', paymentStatus: 'unpaid' }, 'unpaid'),
    ],
    [1500, 0, 0],
  ],
  'after the payout price and payment are locked, for admins too; the rest may change': [
    [
      gift(1500),
      create('paid'),
      accept,
      deliver('paid'),
      patch('admin', { priceOffer: 1 }, 'paid_out'),
      patch('admin', cash, 'paid_out'),
      patch('admin', { paymentStatus: 'unpaid' }, 'paid_out'),
      patch('admin', { priceOffer: 2000, deliveryStatus: 'Pending' }, 'paid_out'),
      patch('admin', { notes: 'Three', priceOffer: 1500, paymentStatus: 'paid' }, 'paid'),
      patch('admin', cancelled, 'paid'),
    ],
    [0, 0, 1500],
  ],
  'a reject keeps the hold for the next courier': [
    [gift(1500), create('paid'), accept, patch('courier', rejection, 'paid')],
    [0, 1500, 0],
  ],
  'a cancel, a delete and a switch to cash return the full hold': [
    [
      gift(1500),
      create('paid'),
      patch('sender', cancelled, 'unpaid'),
      create('paid'),
      remove,
      create('paid'),
      patch('sender', cash, 'unpaid'),
    ],
    [1500, 0, 0],
  ],
  'an admin refunds a package on its way': [
    [gift(1500), create('paid'), accept, patch('admin', { paymentStatus: 'unpaid' }, 'unpaid')],
    [1500, 0, 0],
  ],
  'a lower offer returns the difference, a higher one takes it or is refused': [
    [
      gift(2000),
      create('paid'),
      patch('sender', { priceOffer: 1200 }, 'paid'),
      purses(800, 1200, 0),
      patch('sender', { priceOffer: 2000 }, 'paid'),
      patch('sender', { priceOffer: 2000.5, notes: 'Fragile' }, 'insufficient_funds', 0.5),
    ],
    [0, 2000, 0],
  ],
  'a switch from cash to the app holds the offer if covered, else is unpaid': [
    [
      gift(1500),
      create('unpaid', cash),
      patch('sender', byApp, 'paid'),
      create('unpaid', cash),
      patch('sender', byApp, 'unpaid'),
    ],
    [0, 1500, 0],
  ],
  'a switch to the app resets the paid mark of cash': [
    [create('unpaid', cash), pay('paid'), patch('sender', byApp, 'unpaid')],
    [0, 0, 0],
  ],
  'a switch from cash to the app and to paid needs the money': [
    [
      create('unpaid', cash),
      patch('sender', { ...byApp, paymentStatus: 'paid' }, 'insufficient_funds', 1500),
    ],
    [0, 0, 0],
  ],
  'the assigned courier marks cash as paid': [
    [create('unpaid', cash), accept, patch('courier', { paymentStatus: 'paid' }, 'paid')],
    [0, 0, 0],
  ],
  'a delivery records the cash collected with it': [
    [
      create('unpaid', cash),
      accept,
      patch('courier', { deliveryStatus: 'Delivered', paymentStatus: 'paid' }, 'paid'),
    ],
    [0, 0, 0],
  ],
  'a switch to the app that is to stay unpaid holds nothing': [
    [
      gift(1500),
      create('unpaid', cash),
      patch('sender', { ...byApp, paymentStatus: 'unpaid' }, 'unpaid'),
    ],
    [1500, 0, 0],
  ],
};

it.each(Object.entries(stories))('%s', async (_, [steps, ends]) => {
  for (const step of steps) await step();
  await expectPurses(ends);
});

it('a payment requires the price that was seen: a changed one is refused', async () => {
  await create('unpaid')();
  await gift(10_000)();
  const raised = await stage().patch(people.admin, pkg, { priceOffer: 9000 });
  const seen = (baseVersion: number) =>
    stage().patch(people.sender, pkg, { paymentStatus: 'paid', baseVersion });
  expect((await seen(pkg.version)).body).toMatchObject({
    code: 'conflict',
    fields: { priceOffer: expect.any(String) },
  });
  await expectPurses([10_000, 0, 0]);
  expect((await seen(raised.body.version)).body.paymentStatus).toBe('paid');
  await expectPurses([1000, 9000, 0]);
});

it.each([
  'courier',
  'sender',
  'admin',
] as const)('a delivery by the %s pays the courier once, though repeated', async (by) => {
  for (const step of [gift(1500), create('paid'), accept]) await step();
  const delivered = { deliveryStatus: 'Delivered' };
  await Promise.all([1, 2, 3].map(() => stage().patch(people[by], pkg, delivered)));
  await patch('admin', { deliveryStatus: 'In Transit' }, 'paid')();
  await deliver('paid', by)();
  await expectPurses([0, 0, 1500]);
  const kinds = await stage()
    .db.select({ kind: transfers.kind })
    .from(transfers)
    .where(eq(transfers.packageId, pkg._id))
    .orderBy(transfers.number);
  expect(kinds.map(({ kind }) => kind)).toEqual(['hold', 'release']);
});

it('a delivery with assignment, price and payment validates each of them', async () => {
  for (const step of [gift(3000), create('unpaid', cash)]) await step();
  const { body } = await stage().patch(people.admin, pkg, {
    deliveryPersonId: people.courier.id,
    deliveryStatus: 'Delivered',
    paymentMethod: 'app',
    priceOffer: 2500,
    paymentStatus: 'paid',
  });
  expect(body).toMatchObject({ paymentStatus: 'paid', priceOffer: 2500 });
  await expectPurses([500, 0, 2500]);
});
