/** The provider of transfers slow, away, broken or lying, and its webhooks: nothing is paid twice or lost. */
import { createHmac } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { Payout } from '#contract/payout.ts';
import { bankAccounts } from '#server/database/payout-schema.ts';
import { audit } from '#server/modules/ledger/audit.ts';
import { walletOf } from '#server/modules/ledger/repository.ts';
import { createTransfers } from '#server/modules/payments/providers/transfers.ts';
import { reconcilePayouts, sendPayouts } from '#server/modules/payouts/sending.ts';
import { FakePaystack, type Reply } from '#tests/fakes/fake-paystack.ts';
import { minuteMs, payOut, quiet, rowOf } from './payout-stage.ts';
import { fileStage, outcomeOf, type Person } from './stage.ts';

const secretKey = 'sk_test_Hq3vT8mZc5Lw1XbN7yRd';
const paystack = new FakePaystack();
// The stage needs the address.
await paystack.open();
const stage = fileStage({ PAYSTACK_SECRET_KEY: secretKey, PAYSTACK_URL: paystack.url });
afterAll(async () => {
  expect(await audit(stage().db)).toEqual([]);
  await paystack.close();
});

const problems: object[] = [];
const log = { ...quiet, error: (details: object) => void problems.push(details) };
/** Long enough for a busy machine; short enough to wait for where nothing answers. */
const transfers = createTransfers({
  baseUrl: () => paystack.url,
  secretKey,
  timeoutMs: 2000,
  backOffMs: 1,
});
const needs = () => ({ db: stage().db, now: stage().now, transfers, log });
const send = () => sendPayouts(needs());
const ask = () => reconcilePayouts(needs());

let courier: Person;
beforeEach(async () => {
  courier = await stage().person('Employee');
  await stage().give(courier, 1_000_000);
  await stage().db.insert(bankAccounts).values({
    userId: courier.id,
    bankCode: '058',
    bankName: 'GTBank',
    accountNumber: '0123456789',
    accountName: 'AMINA BELLO',
    recipientCode: 'RCP_1',
    usableFrom: stage().now(),
    savedAt: stage().now(),
  });
  problems.length = 0;
  paystack.asked.length = 0;
});

const word = (reference: string, status: string, changes: object = {}): Reply => ({
  json: {
    status: true,
    message: 'Transfer retrieved',
    data: { reference, status, amount: 100_000, currency: 'NGN', ...changes },
  },
});
const no = (status: number, message: string): Reply => ({
  status,
  json: { status: false, message },
});

/** A payout of ₦1,000 and its reference. */
async function begun() {
  const { _id } = (await payOut(stage(), courier, 1000)).body;
  const { reference } = await rowOf(stage(), _id);
  return { id: _id, reference };
}

/** The calls about it; payouts of other tests may still be open. */
const askedOf = (reference: string) =>
  paystack.asked.filter((asked) => JSON.stringify(asked).includes(reference));

const stateOf = async (id: string) => {
  const { status, reason } = await rowOf(stage(), id);
  const { availableKobo } = await walletOf(stage().db, courier.id);
  return { status, reason, available: availableKobo / 100 };
};
const pending = { status: 'pending', reason: null, available: 8990 };
const paid = { status: 'paid', reason: null, available: 8990 };
const returned = (reason: Payout['reason']) => ({ status: 'returned', reason, available: 10_000 });

it("a transfer follows Paystack's protocol: kobo, our reference, bearer key", async () => {
  const { id, reference } = await begun();
  paystack.reply = () => word(reference, 'pending');
  await send();
  expect(askedOf(reference)).toEqual([
    {
      method: 'POST',
      path: '/transfer',
      authorization: `Bearer ${secretKey}`,
      body: {
        source: 'balance',
        recipient: 'RCP_1',
        amount: 100_000,
        reference,
        currency: 'NGN',
        reason: 'Kaya payout',
      },
    },
  ]);
  expect(reference).toMatch(/^kaya_out_[0-9a-f]{32}$/);
  expect(await stateOf(id)).toEqual(pending);
});

describe('an answer to a transfer', () => {
  const unclear: [string, Reply][] = [
    ['none in time', 'silence'],
    ['a connection cut', 'cut'],
    ['500', no(500, 'Sorry')],
    ['503 in HTML', { status: 503, text: '<h1>Busy</h1>' }],
    ['429', no(429, 'Too many requests')],
    ['401, a wrong key', no(401, 'Invalid key')],
    ['404 in HTML', { status: 404, text: 'Not found' }],
    ['400 in HTML, of a gateway', { status: 400, text: '<h1>No</h1>' }],
    ['HTML with 200', { text: '<html>Welcome to the hotel Wi-Fi</html>' }],
    ['null', { json: null }],
    ["another's reference", word('kaya_out_of_somebody_else', 'success')],
  ];
  it.each(unclear)('%s leaves it pending; it is sent once, then asked about', async (_, reply) => {
    const { id, reference } = await begun();
    paystack.reply = () => reply;
    await send();
    await send();
    expect(askedOf(reference).map(({ path }) => path)).toEqual(['/transfer']);
    expect(await stateOf(id)).toEqual(pending);
    paystack.reply = () => word(reference, 'success');
    stage().pass(3 * minuteMs);
    await ask();
    expect(askedOf(reference).map(({ method }) => method)).toEqual(['POST', 'GET']);
    expect(await stateOf(id)).toEqual(paid);
  });

  it.each([
    'pending',
    'otp',
    'received',
    'queued',
    'a new word',
  ])('%s leaves it pending', async (status) => {
    const { id, reference } = await begun();
    paystack.reply = () => word(reference, status);
    await send();
    expect(await stateOf(id)).toEqual(pending);
  });

  it('of a clear refusal gives the money back', async () => {
    const { id } = await begun();
    paystack.reply = () => no(400, 'Your balance is not enough to fulfil this request');
    await send();
    expect(await stateOf(id)).toEqual(returned('refused'));
  });

  it('that the reference exists is a reason to ask', async () => {
    const { id, reference } = await begun();
    paystack.reply = ({ method }) =>
      method === 'POST'
        ? no(400, 'Please provide a unique reference. Reference already exists.')
        : word(reference, 'success');
    await send();
    expect(await stateOf(id)).toEqual(paid);
  });
});

it('one that never arrived is sent again under the same reference', async () => {
  const { id, reference } = await begun();
  paystack.reply = () => 'silence';
  await send();
  paystack.reply = ({ method }) =>
    method === 'POST' ? word(reference, 'success') : no(404, 'Transfer not found');
  stage().pass(3 * minuteMs);
  await ask();
  expect(askedOf(reference).map(({ method }) => method)).toEqual(['POST', 'GET', 'POST']);
  expect(await stateOf(id)).toEqual(paid);
});

describe("the provider's words, one after the other", () => {
  const orders: [string[], object, number][] = [
    [['success', 'success'], paid, 0],
    [['pending', 'success', 'pending'], paid, 0],
    [['failed', 'failed'], returned('failed'), 0],
    [['abandoned'], returned('failed'), 0],
    [['blocked'], returned('blocked'), 0],
    [['rejected'], returned('blocked'), 0],
    [['success', 'reversed', 'reversed'], returned('reversed'), 0],
    [['success', 'failed'], returned('failed'), 0],
    // Overtaken on its way.
    [['reversed', 'success'], returned('reversed'), 0],
    // It may have been paid twice: a person has to look, and is told once.
    [['failed', 'success', 'success'], returned('failed'), 1],
  ];
  it.each(orders)('%j', async (words, end, problemCount) => {
    const { id, reference } = await begun();
    paystack.reply = () => word(reference, 'pending');
    await send();
    for (const status of words) {
      paystack.reply = () => word(reference, status);
      await hear({ event: 'transfer.success', data: { reference } });
    }
    expect(await stateOf(id)).toEqual(end);
    expect(logged()).toBe(problemCount);
  });

  it.each([
    { amount: 99_999 },
    { currency: 'GHS' },
  ])('%j is another transfer: nothing is settled, a dispatcher is told', async (changes) => {
    const { id, reference } = await begun();
    paystack.reply = () => word(reference, 'success', changes);
    await send();
    expect(await stateOf(id)).toEqual(pending);
    expect((await rowOf(stage(), id)).problem).toMatch(/^sent /);
    expect(problems).toContainEqual(expect.objectContaining({ reference }));
  });
});

/** Lines of the server about payouts that need a dispatcher, since the last count. */
let counted = 0;
function logged(): number {
  const all = stage().logs.filter((line) => line.includes('a payout needs a dispatcher')).length;
  const fresh = all - counted;
  counted = all;
  return fresh;
}

function hear(event: object, key = secretKey) {
  const raw = JSON.stringify(event);
  const signature = createHmac('sha512', key).update(raw).digest('hex');
  const headers = { 'content-type': 'application/json', 'x-paystack-signature': signature };
  return stage().send(null, 'POST', '/api/payments/webhook', { body: raw, headers });
}

describe('a webhook', () => {
  it('is only a reason to ask: what it says itself changes nothing', async () => {
    const { id, reference } = await begun();
    paystack.reply = () => word(reference, 'pending');
    await send();
    for (const event of ['transfer.success', 'transfer.failed', 'transfer.reversed']) {
      expect((await hear({ event, data: { reference, status: 'success' } })).status).toBe(200);
    }
    expect(await stateOf(id)).toEqual(pending);
  });

  it('without the signature is refused, and nobody is asked', async () => {
    const { reference } = await begun();
    const answer = await hear({ event: 'transfer.success', data: { reference } }, 'sk_test_other');
    expect(outcomeOf(answer)).toEqual([401, 'signature_invalid']);
    expect(paystack.asked).toEqual([]);
  });

  it('is to come again while the provider cannot be asked', async () => {
    const { id, reference } = await begun();
    paystack.reply = () => word(reference, 'pending');
    await send();
    paystack.reply = () => no(500, 'Sorry');
    const event = { event: 'transfer.success', data: { reference } };
    expect(outcomeOf(await hear(event))).toEqual([503, 'provider_unavailable']);
    paystack.reply = () => word(reference, 'success');
    expect((await hear(event)).status).toBe(200);
    expect(await stateOf(id)).toEqual(paid);
  });

  it('about a transfer of somebody else is nothing of ours', async () => {
    const event = { event: 'transfer.success', data: { reference: 'trf_of_a_shop_nearby' } };
    expect((await hear(event)).status).toBe(200);
    expect(paystack.asked).toEqual([]);
  });
});

it('what was paid is watched for a week, in case it comes back without a webhook', async () => {
  const { id, reference } = await begun();
  paystack.reply = () => word(reference, 'success');
  await send();
  stage().pass(3 * minuteMs);
  paystack.reply = () => word(reference, 'reversed');
  await ask();
  expect(await stateOf(id)).toEqual(returned('reversed'));
  const late = await begun();
  paystack.reply = () => word(late.reference, 'success');
  await send();
  stage().pass(8 * 24 * 60 * minuteMs);
  await ask();
  expect(askedOf(late.reference).map(({ method }) => method)).toEqual(['POST']);
});

it('of several servers one sends it', async () => {
  const { id, reference } = await begun();
  paystack.reply = () => word(reference, 'pending');
  await Promise.all([send(), send(), send()]);
  expect(askedOf(reference)).toHaveLength(1);
  expect(await stateOf(id)).toEqual(pending);
});
