/** A slow, unavailable, broken or lying provider: nothing is credited wrongly or lost. */
import { createHmac } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { InitiatedPayment, VerifiedPayment } from '#contract/payment.ts';
import { topUps } from '#server/database/money-schema.ts';
import { audit } from '#server/modules/ledger/audit.ts';
import { walletOf } from '#server/modules/ledger/repository.ts';
import { createPaystack, ProviderError } from '#server/modules/payments/providers/paystack.ts';
import { reconcile } from '#server/modules/payments/reconcile.ts';
import { createPaymentService } from '#server/modules/payments/service.ts';
import { FakePaystack, honest, type Reply } from '#tests/fakes/fake-paystack.ts';
import { rounds } from '#tests/size.ts';
import { type AnyBody, fileStage, type Person } from './stage.ts';

const secretKey = 'sk_test_0123456789abcdef';
const paystack = new FakePaystack();
// The stage needs the address.
await paystack.open();
const stage = fileStage({ PAYSTACK_SECRET_KEY: secretKey, PAYSTACK_URL: paystack.url });
afterAll(() => paystack.close());
afterEach(() => void vi.useRealTimers());

const success = (reference: string, changes: object = {}) => ({
  ...{ status: 'success', reference, amount: 500_000, currency: 'NGN' },
  ...changes,
});
let paid = new Set<string>();
beforeEach(() => {
  paid = new Set();
  paystack.asked.length = 0;
  paystack.reply = honest((reference) => (paid.has(reference) ? success(reference) : null));
});

/** The same with a short time-out. */
const impatient = () =>
  createPaystack({ baseUrl: () => paystack.url, secretKey, timeoutMs: 60, backOffMs: 1 });
const logged: { message: string; details: object }[] = [];
const log = {
  error: (details: object, message: string) => void logged.push({ message, details }),
  warn: () => undefined,
};
const payments = (provider = impatient()) =>
  createPaymentService({
    ...{ db: stage().database.db, provider, providerName: 'paystack' as const },
    ...{ secretKey, now: stage().now, log },
  });

async function begun(who: Person): Promise<string> {
  const body = { email: who.email, amount: 5000 };
  const answer = await stage().send<InitiatedPayment>(who, 'POST', '/api/payments/initiate', {
    body,
  });
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body.data.reference;
}

const rowOf = async (reference: string) => {
  const { db } = stage().database;
  return (await db.select().from(topUps).where(eq(topUps.reference, reference)))[0];
};
const balanceOf = async ({ id }: Person) => (await walletOf(stage().database.db, id)).availableKobo;

const data = (reference: string, changes: object): Reply => ({
  json: { status: true, message: 'Verification successful', data: success(reference, changes) },
});

describe('requests to the provider', () => {
  it("follow Paystack's protocol: kobo, currency, our reference, return URL, bearer key", async () => {
    const person = await stage().person('Customer');
    const reference = await begun(person);
    expect(paystack.asked).toEqual([
      {
        ...{ method: 'POST', path: '/transaction/initialize' },
        authorization: `Bearer ${secretKey}`,
        body: {
          ...{ email: person.email, amount: 500_000, reference, currency: 'NGN' },
          callback_url: 'http://localhost/deposit',
        },
      },
    ]);
  });
});

/** Answers that are not a trustworthy result. */
const noAnswers: [string, (reference: string) => Reply][] = [
  ['no answer in time', () => 'silence'],
  ['a connection cut', () => 'cut'],
  ['500', () => ({ status: 500, json: { status: false, message: 'Sorry' } })],
  ['503 in HTML', () => ({ status: 503, text: '<h1>Busy</h1>' })],
  ['HTML with 200', () => ({ text: '<html>Welcome to the hotel Wi-Fi</html>' })],
  ['404 in HTML', () => ({ status: 404, text: 'Not found' })],
  ['a truncated body', () => ({ text: '{"status":true,"data":{"sta', type: 'application/json' })],
  ['null', () => ({ json: null })],
  ['a success with status false', (r) => ({ json: { status: false, data: success(r) } })],
  ["another's reference", () => data('kaya_of_somebody_else', {})],
  ['an amount in text', (r) => data(r, { amount: '500000' })],
  ['a negative amount', (r) => data(r, { amount: -500_000 })],
  ['an amount of zero', (r) => data(r, { amount: 0 })],
  ['a fraction of a kobo', (r) => data(r, { amount: 499_999.5 })],
  ['an amount of null', (r) => data(r, { amount: null })],
  ['an amount past what is exact', (r) => data(r, { amount: 2 ** 60 })],
  ['no amount', (r) => data(r, { amount: undefined })],
  ['no currency', (r) => data(r, { currency: undefined })],
  ['a status that is a number', (r) => data(r, { status: 1 })],
];

describe('verifying', () => {
  for (const [name, reply] of noAnswers) {
    it(`with ${name} is pending and credits nothing; a valid answer later does`, async () => {
      const person = await stage().person('Customer');
      const reference = await begun(person);
      paystack.reply = () => reply(reference);
      expect(await payments().verify(person.id, reference)).toEqual({
        ...{ depositedAmount: 0, status: 'pending', reference },
      });
      expect(await balanceOf(person)).toBe(0);
      paystack.reply = honest((asked) => success(asked));
      expect(await payments().verify(person.id, reference)).toEqual({
        ...{ depositedAmount: 5000, status: 'credited', reference },
      });
      expect(await balanceOf(person)).toBe(500_000);
    });
  }

  for (const [name, changes] of [
    ['more than was asked for', { amount: 500_001 }],
    ['another currency', { currency: 'USD' }],
    ['another case of the currency', { currency: 'ngn' }],
  ] as const) {
    it(`a charge of ${name} stays pending for a dispatcher and is logged once`, async () => {
      const person = await stage().person('Customer');
      const reference = await begun(person);
      logged.length = 0;
      paystack.reply = () => data(reference, changes);
      for (const _ of [1, 2]) {
        expect(await payments().verify(person.id, reference)).toMatchObject({
          ...{ depositedAmount: 0, status: 'review' },
        });
      }
      paystack.reply = honest((asked) => success(asked));
      expect(await payments().verify(person.id, reference)).toMatchObject({ status: 'review' });
      expect(await balanceOf(person)).toBe(0);
      expect((await rowOf(reference))?.problem).toMatch(/^paid /);
      expect(logged.map(({ message }) => message)).toEqual(['a top-up needs a dispatcher']);
    });
  }

  it('does not follow a redirect', async () => {
    const person = await stage().person('Customer');
    const reference = await begun(person);
    paystack.reply = ({ path }) =>
      path === '/elsewhere'
        ? data(reference, {})
        : { status: 302, text: '', location: `${paystack.url}/elsewhere` };
    expect(await payments().verify(person.id, reference)).toMatchObject({ status: 'pending' });
    expect(paystack.asked.map(({ path }) => path)).not.toContain('/elsewhere');
    expect(await balanceOf(person)).toBe(0);
  });

  it('credits the amount paid if it is less', async () => {
    const person = await stage().person('Customer');
    const reference = await begun(person);
    paystack.reply = () => data(reference, { amount: 123_45 });
    const answer = await payments().verify(person.id, reference);
    expect(answer).toEqual({ depositedAmount: 123.45, status: 'credited', reference });
    expect(await balanceOf(person)).toBe(12_345);
  });

  it('retries a failure up to three times, and never a credited payment', async () => {
    const person = await stage().person('Customer');
    const reference = await begun(person);
    paystack.asked.length = 0;
    paystack.reply = () =>
      paystack.asked.length < 3 ? { status: 502, text: '' } : data(reference, {});
    await expect(payments().verify(person.id, reference)).resolves.toMatchObject({
      ...{ depositedAmount: 5000 },
    });
    expect(paystack.asked).toHaveLength(3);
    await payments().verify(person.id, reference);
    expect(paystack.asked).toHaveLength(3);
  });
});

describe('beginning', () => {
  it('with the provider down is 503 and not stored under the key; a retry works', async () => {
    const person = await stage().person('Customer');
    const how = {
      body: { email: person.email, amount: 5000 },
      headers: { 'idempotency-key': 'top-up-1' },
    };
    const post = () =>
      stage().send<InitiatedPayment & AnyBody>(person, 'POST', '/api/payments/initiate', how);
    paystack.reply = () => ({ status: 401, json: { status: false, message: 'Invalid key' } });
    const down = await post();
    expect([down.status, down.body.code, down.headers['retry-after']]).toEqual([
      ...[503, 'provider_unavailable', '5'],
    ]);
    // The reference stays verifiable: the provider may have received it.
    const { db } = stage().database;
    expect(await db.select().from(topUps).where(eq(topUps.userId, person.id))).toHaveLength(1);
    paystack.reply = honest(() => null);
    const up = await post();
    expect([up.status, up.headers['idempotency-replayed']]).toEqual([200, undefined]);
  });

  it('is retried with the same reference only if it certainly did not happen', async () => {
    const request = {
      ...{ email: 'a@kaya.test', amountKobo: 100, reference: 'kaya_1' },
      callbackUrl: 'https://kaya.test/deposit',
    };
    // The test's own time limit: a busy machine could exceed a short one before reaching the
    // provider.
    const provider = createPaystack({ baseUrl: () => paystack.url, secretKey, backOffMs: 1 });
    const begin = () => provider.initialize(request);
    const answer = honest(() => null);
    paystack.reply = (asked) =>
      paystack.asked.length < 3 ? { status: 500, text: '' } : answer(asked);
    await expect(begin()).resolves.toEqual({ authorizationUrl: 'https://pay.test/kaya_1' });
    expect(new Set(paystack.asked.map(({ body }) => JSON.stringify(body))).size).toBe(1);

    for (const reply of ['silence', 'cut'] as const) {
      paystack.asked.length = 0;
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      paystack.reply = () => {
        if (reply === 'silence') vi.advanceTimersByTime(8000);
        return reply;
      };
      await expect(begin()).rejects.toBeInstanceOf(ProviderError);
      vi.useRealTimers();
      expect(paystack.asked).toHaveLength(1);
    }
  });
});

describe('reconciling', () => {
  const round = () =>
    reconcile({ ...{ db: stage().database.db, now: stage().now }, payments: payments() });

  it('credits unverified payments after two minutes, not before', async () => {
    const person = await stage().person('Customer');
    const reference = await begun(person);
    paid.add(reference);
    await round();
    expect(await balanceOf(person)).toBe(0);
    stage().pass(3 * 60_000);
    const [one, other] = await Promise.all([round(), round()]);
    expect((one?.credited ?? 0) + (other?.credited ?? 0)).toBe(1);
    expect(await balanceOf(person)).toBe(500_000);
  });

  it('gives up after three days; the webhook still credits a later payment', async () => {
    const person = await stage().person('Customer');
    const reference = await begun(person);
    stage().pass(71 * 3_600_000);
    await round();
    expect((await rowOf(reference))?.status).toBe('pending');
    stage().pass(10 * 3_600_000);
    await round();
    expect((await rowOf(reference))?.status).toBe('abandoned');
    const raw = JSON.stringify({ event: 'charge.success', data: success(reference) });
    const signature = createHmac('sha512', secretKey).update(raw).digest('hex');
    await payments().hear(Buffer.from(raw), signature);
    expect(await balanceOf(person)).toBe(500_000);
  });

  it('stops at a provider that does not answer and changes nothing', async () => {
    const person = await stage().person('Customer');
    const reference = await begun(person);
    stage().pass(80 * 3_600_000);
    paystack.reply = () => 'cut';
    await expect(round()).rejects.toBeInstanceOf(ProviderError);
    expect((await rowOf(reference))?.status).toBe('pending');
  });
});

describe('concurrent verify, webhook and reconcile', () => {
  it('credit once', async () => {
    // With the patient client: on a busy machine the short time-out could strike.
    const service = payments(createPaystack({ baseUrl: () => paystack.url, secretKey }));
    for (let count = 0; count < rounds(6, 20); count += 1) {
      const person = await stage().person('Customer');
      const reference = await begun(person);
      stage().pass(3 * 60_000);
      paid.add(reference);
      const raw = JSON.stringify({ event: 'charge.success', data: success(reference) });
      const signature = createHmac('sha512', secretKey).update(raw).digest('hex');
      const headers = { 'x-paystack-signature': signature };
      const verify = () =>
        stage().send<VerifiedPayment>(person, 'GET', `/api/payments/verify/${reference}`);
      const hear = () =>
        stage().send(null, 'POST', '/api/payments/webhook', { body: raw, headers });
      const settle = () =>
        reconcile({ db: stage().database.db, now: stage().now, payments: service });
      await Promise.all([verify(), hear(), settle(), hear(), verify()]);
      expect(await balanceOf(person)).toBe(500_000);
    }
    expect(await audit(stage().database.db)).toEqual([]);
  });
});
