/** The provider slow, away, broken or lying, and its webhooks: nothing is credited wrongly or lost. */
import { createHmac } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { InitiatedPayment } from '#contract/payment.ts';
import { topUps } from '#server/database/money-schema.ts';
import { audit } from '#server/modules/ledger/audit.ts';
import { walletOf } from '#server/modules/ledger/repository.ts';
import { createPaystack } from '#server/modules/payments/providers/paystack.ts';
import { ProviderError } from '#server/modules/payments/providers/paystack-calls.ts';
import { reconcile } from '#server/modules/payments/reconcile.ts';
import { claimOpenTopUps, lockTopUp } from '#server/modules/payments/repository.ts';
import { createPaymentService } from '#server/modules/payments/service.ts';
import { giveUp } from '#server/modules/payments/settle.ts';
import { FakePaystack, honest, type Reply } from '#tests/fakes/fake-paystack.ts';
import { rounds } from '#tests/size.ts';
import { testDatabase } from './databases.ts';
import { type AnyBody, codeOf, fileStage, outcomeOf, type Person } from './stage.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const secretKey = 'sk_test_Hq3vT8mZc5Lw1XbN7yRd';
const paystack = new FakePaystack();
// The stage needs the address.
await paystack.open();
const stage = fileStage({ PAYSTACK_SECRET_KEY: secretKey, PAYSTACK_URL: paystack.url });
afterAll(() => paystack.close());
afterEach(() => void vi.useRealTimers());

const success = (reference: string, changes: object = {}) => ({
  status: 'success',
  reference,
  amount: 500_000,
  currency: 'NGN',
  ...changes,
});
let paid = new Set<string>();
let person: Person;
beforeEach(async () => {
  person = await stage().person('Customer');
  await stage().db.delete(topUps).where(eq(topUps.status, 'pending'));
  paid = new Set();
  paystack.asked.length = 0;
  paystack.reply = honest((reference) => (paid.has(reference) ? success(reference) : null));
});

/** The server's own client with a short time-out. */
const impatient = () =>
  createPaystack({ baseUrl: () => paystack.url, secretKey, timeoutMs: 60, backOffMs: 1 });
/** The usual time limit: a busy machine could exceed the short one. */
const patient = () => createPaystack({ baseUrl: () => paystack.url, secretKey, backOffMs: 1 });
const logged: string[] = [];
const log = {
  error: (_: object, message: string) => void logged.push(message),
  warn: () => undefined,
};
const payments = (provider = impatient()) =>
  createPaymentService({
    db: stage().db,
    provider,
    providerName: 'paystack' as const,
    secretKey,
    now: stage().now,
    log,
  });

const verify = (reference: string) => payments().verify(person.id, reference);
const round = () => reconcile({ db: stage().db, now: stage().now, payments: payments(patient()) });

function initiate(headers: Record<string, string> = {}) {
  const body = { email: person.email, amount: 5000 };
  const path = '/api/payments/initiate';
  return stage().send<InitiatedPayment & AnyBody>(person, 'POST', path, { body, headers });
}

async function begun(): Promise<string> {
  const answer = await initiate();
  if (answer.status !== 200) throw new Error(answer.text);
  stage().pass(1000);
  return answer.body.data.reference;
}

const rowOf = async (reference: string) => {
  return (await stage().db.select().from(topUps).where(eq(topUps.reference, reference)))[0];
};
const balance = async () => (await walletOf(stage().db, person.id)).availableKobo;

const sign = (raw: string, key = secretKey) => createHmac('sha512', key).update(raw).digest('hex');
const event = (reference: string, changes: object = {}, name = 'charge.success') =>
  JSON.stringify({ event: name, data: success(reference, changes) });
function post(raw: string, signature: string | undefined, type = 'application/json') {
  const proof = signature === undefined ? {} : { 'x-paystack-signature': signature };
  const headers = { 'content-type': type, ...proof };
  return stage().send(null, 'POST', '/api/payments/webhook', { body: raw, headers });
}

const data = (reference: string, changes: object): Reply => ({
  json: { status: true, message: 'Verification successful', data: success(reference, changes) },
});

it("requests to the provider follow Paystack's protocol: kobo, currency, our reference, return URL, bearer key", async () => {
  const reference = await begun();
  expect(paystack.asked).toEqual([
    {
      method: 'POST',
      path: '/transaction/initialize',
      authorization: `Bearer ${secretKey}`,
      body: {
        email: person.email,
        amount: 500_000,
        reference,
        currency: 'NGN',
        callback_url: 'http://localhost/deposit',
      },
    },
  ]);
});

/** Answers that are not a trustworthy result. */
const noAnswers: [string, (reference: string) => Reply][] = [
  ['a redirect', () => ({ status: 302, text: '', location: `${paystack.url}/elsewhere` })],
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
  it.each(
    noAnswers,
  )('with %s is pending and credits nothing; a valid answer later does', async (_, reply) => {
    const reference = await begun();
    paystack.reply = () => reply(reference);
    expect(await verify(reference)).toEqual({ depositedAmount: 0, status: 'pending', reference });
    expect(await balance()).toBe(0);
    expect(paystack.asked.map(({ path }) => path)).not.toContain('/elsewhere');
    paystack.reply = honest((asked) => success(asked));
    const credited = { depositedAmount: 5000, status: 'credited', reference };
    expect(await verify(reference)).toEqual(credited);
    expect(await balance()).toBe(500_000);
  });

  it.each([
    ['more than was asked for', { amount: 500_001 }],
    ['another currency', { currency: 'USD' }],
    ['another case of the currency', { currency: 'ngn' }],
  ])('a charge of %s stays pending for a dispatcher and is logged once', async (_, changes) => {
    const reference = await begun();
    logged.length = 0;
    const inReview = { depositedAmount: 0, status: 'review' };
    paystack.reply = () => data(reference, changes);
    for (const _ of [1, 2]) expect(await verify(reference)).toMatchObject(inReview);
    paystack.reply = honest((asked) => success(asked));
    expect(await verify(reference)).toMatchObject(inReview);
    expect(await balance()).toBe(0);
    expect((await rowOf(reference))?.problem).toMatch(/^paid /);
    expect(logged).toEqual(['a top-up needs a dispatcher']);
  });

  it('credits the amount paid if it is less', async () => {
    const reference = await begun();
    paystack.reply = () => data(reference, { amount: 123_45 });
    const credited = { depositedAmount: 123.45, status: 'credited', reference };
    expect(await verify(reference)).toEqual(credited);
    expect(await balance()).toBe(12_345);
  });

  it('retries a failure up to three times, and never a credited payment', async () => {
    const reference = await begun();
    paystack.asked.length = 0;
    paystack.reply = () =>
      paystack.asked.length < 3 ? { status: 502, text: '' } : data(reference, {});
    expect(await verify(reference)).toMatchObject({ depositedAmount: 5000 });
    expect(paystack.asked).toHaveLength(3);
    await verify(reference);
    expect(paystack.asked).toHaveLength(3);
  });
});

describe('beginning', () => {
  it('with the provider down is 503 and not stored under the key; a retry works', async () => {
    const key = { 'idempotency-key': 'top-up-1' };
    paystack.reply = () => ({ status: 401, json: { status: false, message: 'Invalid key' } });
    const down = await initiate(key);
    expect(outcomeOf(down)).toEqual([503, 'provider_unavailable']);
    expect(down.headers['retry-after']).toBe('5');
    // The reference stays verifiable: the provider may have received it.
    expect(await stage().db.select().from(topUps).where(eq(topUps.userId, person.id))).toHaveLength(
      1,
    );
    paystack.reply = honest(() => null);
    const up = await initiate(key);
    expect([up.status, up.headers['idempotency-replayed']]).toEqual([200, undefined]);
  });

  it('is retried with the same reference only if it certainly did not happen', async () => {
    const request = {
      email: 'a@kaya.test',
      amountKobo: 100,
      reference: 'kaya_1',
      callbackUrl: 'https://kaya.test/deposit',
    };
    const provider = patient();
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
  it('credits unverified payments after two minutes, not before', async () => {
    const reference = await begun();
    paid.add(reference);
    await round();
    expect(await balance()).toBe(0);
    stage().pass(3 * minuteMs);
    const [one, other] = await Promise.all([round(), round()]);
    expect((one?.credited ?? 0) + (other?.credited ?? 0)).toBe(1);
    expect(await balance()).toBe(500_000);
  });

  it.each([
    ['knows nothing of it', () => null],
    ['still waits', (asked: string) => success(asked, { status: 'ongoing' })],
  ])('gives up after three days if the provider %s; the webhook still credits', async (_, answer) => {
    paystack.reply = honest(answer);
    const reference = await begun();
    stage().pass(71 * hourMs);
    expect(await round()).toMatchObject({ credited: 0, abandoned: 0 });
    expect((await rowOf(reference))?.status).toBe('pending');
    stage().pass(10 * hourMs);
    await round();
    expect((await rowOf(reference))?.status).toBe('abandoned');
    const raw = event(reference);
    expect((await post(raw, sign(raw))).status).toBe(200);
    expect(await balance()).toBe(500_000);
  });

  it('stops at a provider that does not answer and changes nothing', async () => {
    const reference = await begun();
    stage().pass(80 * hourMs);
    paystack.reply = () => 'cut';
    await expect(round()).rejects.toBeInstanceOf(ProviderError);
    expect((await rowOf(reference))?.status).toBe('pending');
  });
});

it('concurrent verify, webhook and reconcile credit once', async () => {
  for (let count = 0; count < rounds(6, 20); count += 1) {
    person = await stage().person('Customer');
    const reference = await begun();
    stage().pass(3 * minuteMs);
    paid.add(reference);
    const raw = event(reference);
    const path = `/api/payments/verify/${reference}`;
    const ask = () => stage().send(person, 'GET', path);
    const hear = () => post(raw, sign(raw));
    await Promise.all([ask(), hear(), round(), hear(), ask()]);
    expect(await balance()).toBe(500_000);
  }
  expect(await audit(stage().db)).toEqual([]);
});

describe('a top-up', () => {
  it.each<[string, (reference: string) => Reply, string]>([
    ['an amount of 0', (r) => data(r, { amount: 0 }), 'abandoned'],
    ['400 in HTML', () => ({ status: 400, text: '<h1>Bad request</h1>' }), 'abandoned'],
    // Not a result of the payment.
    ['500', () => ({ status: 500, text: '' }), 'pending'],
    ['401', () => ({ status: 401, json: { status: false, message: 'Invalid key' } }), 'pending'],
  ])('for which the provider answers %s delays no other', async (_, bad, end) => {
    const references: string[] = [];
    for (let count = 0; count < 15; count += 1) references.push(await begun());
    const reference = references[3] ?? '';
    stage().pass(3 * minuteMs);
    const good = honest((asked) => success(asked));
    paystack.reply = (asked) => (asked.path.endsWith(reference) ? bad(reference) : good(asked));
    expect(await round()).toEqual({ asked: 15, credited: 14, abandoned: 0, unanswered: 1 });
    expect(await balance()).toBe(14 * 500_000);
    stage().pass(73 * hourMs);
    const [abandoned, unanswered] = end === 'abandoned' ? [1, 0] : [0, 1];
    expect(await round()).toEqual({ asked: 1, credited: 0, abandoned, unanswered });
    expect((await rowOf(reference))?.status).toBe(end);
  });

  it('that failed and was paid later is credited automatically', async () => {
    const reference = await begun();
    paystack.reply = honest((asked) => success(asked, { status: 'failed' }));
    await verify(reference);
    expect((await rowOf(reference))?.status).toBe('failed');
    paystack.reply = honest((asked) => success(asked));
    stage().pass(10 * minuteMs);
    expect(await round()).toMatchObject({ credited: 1 });
    expect(await balance()).toBe(500_000);
  });

  it.each([
    ['credited', {}],
    ['review', { currency: 'USD' }],
  ])('settled during the round (%s) is not given up', async (status, changes) => {
    const reference = await begun();
    const raw = event(reference, changes);
    await post(raw, sign(raw));
    const before = await rowOf(reference);
    expect(before?.status).toBe(status);
    expect(await giveUp(stage().db, reference)).toEqual(before);
    expect(await rowOf(reference)).toEqual(before);
  });
});

// The embedded database has one connection, so no other can hold a row.
describe.skipIf(testDatabase === 'pglite')('a top-up locked by another process', () => {
  it('is skipped, and the others are handled without waiting', async () => {
    const [taken, free] = [await begun(), await begun()];
    stage().pass(3 * minuteMs);
    const now = stage().now();
    await stage().db.transaction(async (tx) => {
      await lockTopUp(tx, taken);
      const past = (ms: number) => new Date(now.getTime() - ms);
      const claimed = await claimOpenTopUps(stage().db, {
        now,
        limit: 10,
        createdBefore: past(2 * minuteMs),
        abandonedAfter: past(72 * hourMs),
      });
      expect(claimed.map(({ reference }) => reference)).toEqual([free]);
    });
  });
});

describe('a webhook', () => {
  it('credits once, however often or concurrently it arrives, of any content type', async () => {
    const raw = event(await begun());
    const answers = await Promise.all(Array.from({ length: 5 }, () => post(raw, sign(raw))));
    answers.push(await post(raw, sign(raw), 'text/plain'));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    expect(await balance()).toBe(500_000);
  });

  it('signs the raw bytes: another spelling of the same JSON needs its own signature', async () => {
    const raw = event(await begun());
    const spaced = raw.replaceAll(':', ' : ');
    expect((await post(spaced, sign(raw))).status).toBe(401);
    expect(await balance()).toBe(0);
    expect((await post(spaced, sign(spaced), 'text/plain')).status).toBe(200);
    expect(await balance()).toBe(500_000);
  });

  it('of signed bytes that are not UTF-8 is malformed', async () => {
    const raw = Buffer.from(event(await begun(), { note: 'Café' }), 'latin1');
    const signature = createHmac('sha512', secretKey).update(raw).digest('hex');
    const answer = await stage().app.inject({
      method: 'POST',
      url: '/api/payments/webhook',
      payload: raw,
      headers: { 'content-type': 'application/json', 'x-paystack-signature': signature },
    });
    expect(answer.statusCode).toBe(400);
    expect(await balance()).toBe(0);
  });

  const sha256 = (raw: string) => createHmac('sha256', secretKey).update(raw).digest('hex');
  it.each<[string, (raw: string) => string | undefined]>([
    ['no signature', () => undefined],
    ['an empty one', () => ''],
    ['a short one', (raw) => sign(raw).slice(0, 64)],
    ['one by another key', (raw) => sign(raw, 'sk_test_another')],
    ['one by the wrong hash', sha256],
    ['one that is not hex', () => 'ü'.repeat(64)],
  ])('with %s is refused without effect', async (_, signature) => {
    const raw = event(await begun());
    expect(await codeOf(post(raw, signature(raw)))).toBe('signature_invalid');
    expect(await balance()).toBe(0);
  });

  it.each<[string, (reference: string) => string, status?: number]>([
    ['of another event', (r) => event(r, {}, 'transfer.success')],
    ['of an unknown reference', () => event('kaya_unknown')],
    ['of a reference that cannot be', () => event('\u0000')],
    ['of a currency that cannot be', (r) => event(r, { currency: '\u0000' })],
    ['of a charge that failed', (r) => event(r, { status: 'failed' })],
    ['with a negative amount', (r) => event(r, { amount: -1 })],
    ['without data', () => JSON.stringify({ event: 'charge.success' })],
    ['that is a list', () => '[]'],
    ['of too much money', (r) => event(r, { amount: 500_100 })],
    ['of dollars', (r) => event(r, { currency: 'USD' })],
    ['that is signed but not JSON', () => '{"event":', 400],
  ])('%s credits nothing; 200 to JSON, so that it is not resent', async (_, raw, status = 200) => {
    const body = raw(await begun());
    expect((await post(body, sign(body))).status).toBe(status);
    expect(await balance()).toBe(0);
  });
});
