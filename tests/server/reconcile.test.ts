/** A bad answer, a lock or a settlement of one top-up does not affect the others. */
import { createHmac } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { InitiatedPayment } from '#contract/payment.ts';
import { topUps } from '#server/database/money-schema.ts';
import { walletOf } from '#server/modules/ledger/repository.ts';
import { createPaystack } from '#server/modules/payments/providers/paystack.ts';
import { reconcile } from '#server/modules/payments/reconcile.ts';
import { claimOpenTopUps, lockTopUp } from '#server/modules/payments/repository.ts';
import { createPaymentService } from '#server/modules/payments/service.ts';
import { giveUp } from '#server/modules/payments/settle.ts';
import { FakePaystack, honest, type Reply } from '#tests/fakes/fake-paystack.ts';
import { testDatabase } from './databases.ts';
import { fileStage, type Person } from './stage.ts';

const secretKey = 'sk_test_0123456789abcdef';
const paystack = new FakePaystack();
await paystack.open();
const stage = fileStage({ PAYSTACK_SECRET_KEY: secretKey, PAYSTACK_URL: paystack.url });
afterAll(() => paystack.close());

const amountKobo = 500_000;
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const charge = (reference: string, changes: object = {}) => ({
  ...{ status: 'success', reference, amount: amountKobo, currency: 'NGN' },
  ...changes,
});

let person: Person;
beforeEach(async () => {
  paystack.reply = honest(() => null);
  person = await stage().person('Customer');
  await stage().database.db.delete(topUps).where(eq(topUps.status, 'pending'));
});

const payments = () =>
  createPaymentService({
    ...{ db: stage().database.db, providerName: 'paystack' as const, secretKey, now: stage().now },
    provider: createPaystack({ baseUrl: () => paystack.url, secretKey, backOffMs: 1 }),
    log: { error: () => undefined, warn: () => undefined },
  });
const round = () =>
  reconcile({ ...{ db: stage().database.db, now: stage().now }, payments: payments() });

async function begun(): Promise<string> {
  const body = { email: person.email, amount: amountKobo / 100 };
  const answer = await stage().send<InitiatedPayment>(person, 'POST', '/api/payments/initiate', {
    body,
  });
  if (answer.status !== 200) throw new Error(answer.text);
  stage().pass(1000);
  return answer.body.data.reference;
}

const rowOf = async (reference: string) => {
  const { db } = stage().database;
  return (await db.select().from(topUps).where(eq(topUps.reference, reference)))[0];
};
const balance = async () => (await walletOf(stage().database.db, person.id)).availableKobo;

/** Answers `bad` for `reference` and success for all others. */
function answerBadly(reference: string, bad: Reply): void {
  const good = honest((asked) => charge(asked));
  paystack.reply = (asked) => (asked.path.endsWith(reference) ? bad : good(asked));
}

const badAnswers: [string, (reference: string) => Reply, string][] = [
  ['an amount of 0', (r) => ({ json: { status: true, data: charge(r, { amount: 0 }) } }), 'over'],
  ['400 in HTML', () => ({ status: 400, text: '<h1>Bad request</h1>' }), 'over'],
  // Ignored states: not a result of the payment.
  ['500', () => ({ status: 500, text: '' }), 'open'],
  ['401', () => ({ status: 401, json: { status: false, message: 'Invalid key' } }), 'open'],
];

describe('a top-up for which the provider answers', () => {
  it.each(badAnswers)('%s delays no other', async (_, bad, end) => {
    const references: string[] = [];
    for (let count = 0; count < 15; count += 1) references.push(await begun());
    const reference = references[3] ?? '';
    stage().pass(3 * minuteMs);
    answerBadly(reference, bad(reference));
    expect(await round()).toEqual({ asked: 15, credited: 14, abandoned: 0, unanswered: 1 });
    expect(await balance()).toBe(14 * amountKobo);
    stage().pass(73 * hourMs);
    const last = end === 'over' ? { abandoned: 1, unanswered: 0 } : { abandoned: 0, unanswered: 1 };
    expect(await round()).toEqual({ asked: 1, credited: 0, ...last });
    expect((await rowOf(reference))?.status).toBe(end === 'over' ? 'abandoned' : 'pending');
  });
});

describe('a top-up', () => {
  it('is given up if the provider still waits after three days', async () => {
    const reference = await begun();
    paystack.reply = honest((asked) => charge(asked, { status: 'ongoing' }));
    stage().pass(71 * hourMs);
    expect(await round()).toEqual({ asked: 1, credited: 0, abandoned: 0, unanswered: 0 });
    stage().pass(9 * hourMs);
    expect(await round()).toEqual({ asked: 1, credited: 0, abandoned: 1, unanswered: 0 });
    expect((await rowOf(reference))?.status).toBe('abandoned');
  });

  it('that failed and was paid later is credited automatically', async () => {
    const reference = await begun();
    paystack.reply = honest((asked) => charge(asked, { status: 'failed' }));
    await payments().verify(person.id, reference);
    expect((await rowOf(reference))?.status).toBe('failed');
    paystack.reply = honest((asked) => charge(asked));
    stage().pass(10 * minuteMs);
    expect(await round()).toMatchObject({ credited: 1 });
    expect(await balance()).toBe(amountKobo);
  });

  it.each([
    ['credited', {}],
    ['review', { currency: 'USD' }],
  ])('settled during the round (%s) is not given up', async (status, changes) => {
    const reference = await begun();
    const raw = JSON.stringify({ event: 'charge.success', data: charge(reference, changes) });
    const signature = createHmac('sha512', secretKey).update(raw).digest('hex');
    await payments().hear(Buffer.from(raw), signature);
    const before = await rowOf(reference);
    expect(before?.status).toBe(status);
    expect(await giveUp(stage().database.db, reference)).toEqual(before);
    expect(await rowOf(reference)).toEqual(before);
  });
});

// The embedded database has one connection, so no other can hold a row.
describe.skipIf(testDatabase === 'pglite')('a top-up locked by another process', () => {
  it('is skipped, and the others are handled without waiting', async () => {
    const [taken, free] = [await begun(), await begun()];
    stage().pass(3 * minuteMs);
    const now = stage().now();
    const { db } = stage().database;
    await db.transaction(async (tx) => {
      await lockTopUp(tx, taken);
      const past = (ms: number) => new Date(now.getTime() - ms);
      const claimed = await claimOpenTopUps(db, {
        ...{ now, limit: 10, createdBefore: past(2 * minuteMs), abandonedAfter: past(72 * hourMs) },
      });
      expect(claimed.map(({ reference }) => reference)).toEqual([free]);
    });
  });
});
