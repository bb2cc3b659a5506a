/** Provider webhooks: accepted with a signature over the raw bytes, and applied once. */
import { createHmac } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { topUps } from '#server/database/money-schema.ts';
import { walletOf } from '#server/modules/ledger/repository.ts';
import { fileStage, type Person } from './stage.ts';

const secretKey = 'sk_test_0123456789abcdef';
const stage = fileStage({ PAYSTACK_SECRET_KEY: secretKey });
let person: Person;
let count = 0;
beforeAll(async () => {
  person = await stage().person('Customer');
});

const sign = (raw: string, key = secretKey) => createHmac('sha512', key).update(raw).digest('hex');

function post(raw: string, signature: string | undefined, type = 'application/json') {
  return stage().send(null, 'POST', '/api/payments/webhook', {
    body: raw,
    headers: {
      'content-type': type,
      ...(signature === undefined ? {} : { 'x-paystack-signature': signature }),
    },
  });
}

async function begun(): Promise<string> {
  count += 1;
  const reference = `kaya_${count}`;
  await stage()
    .database.db.insert(topUps)
    .values({
      ...{ reference, userId: person.id, provider: 'paystack', requestedKobo: 500_000 },
      createdAt: stage().now(),
    });
  return reference;
}

const balance = async () => (await walletOf(stage().database.db, person.id)).availableKobo;

const event = (reference: string, changes: object = {}, name = 'charge.success') =>
  JSON.stringify({
    event: name,
    data: { status: 'success', reference, amount: 500_000, currency: 'NGN', ...changes },
  });

describe('a webhook', () => {
  it('credits once, however often or concurrently it arrives', async () => {
    const before = await balance();
    const raw = event(await begun());
    const answers = await Promise.all(Array.from({ length: 5 }, () => post(raw, sign(raw))));
    answers.push(await post(raw, sign(raw)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    expect((await balance()) - before).toBe(500_000);
  });

  it('signs the raw bytes: another spelling of the same JSON needs its own signature', async () => {
    const before = await balance();
    const raw = event(await begun());
    const spaced = raw.replaceAll(':', ' : ');
    expect((await post(spaced, sign(raw))).status).toBe(401);
    expect(await balance()).toBe(before);
    expect((await post(spaced, sign(spaced))).status).toBe(200);
    expect((await balance()) - before).toBe(500_000);
  });

  for (const [name, signature] of [
    ['no signature', () => undefined],
    ['an empty one', () => ''],
    ['a short one', (raw: string) => sign(raw).slice(0, 64)],
    ['one by another key', (raw: string) => sign(raw, 'sk_test_another')],
    [
      'one by the wrong hash',
      (raw: string) => createHmac('sha256', secretKey).update(raw).digest('hex'),
    ],
    ['one that is not hex', () => 'ü'.repeat(64)],
  ] as const) {
    it(`with ${name} is refused without effect`, async () => {
      const before = await balance();
      const raw = event(await begun());
      const answer = await post(raw, signature(raw));
      expect([answer.status, answer.body.code]).toEqual([401, 'signature_invalid']);
      expect(await balance()).toBe(before);
    });
  }

  for (const [name, raw] of [
    ['of another event', (r: string) => event(r, {}, 'transfer.success')],
    ['of an unknown reference', () => event('kaya_unknown')],
    ['of a charge that failed', (r: string) => event(r, { status: 'failed' })],
    ['with an amount in text', (r: string) => event(r, { amount: '500000' })],
    ['with a negative amount', (r: string) => event(r, { amount: -1 })],
    ['without data', () => JSON.stringify({ event: 'charge.success' })],
    ['that is a list', () => '[]'],
    ['of too much money', (r: string) => event(r, { amount: 500_100 })],
    ['of dollars', (r: string) => event(r, { currency: 'USD' })],
  ] as const) {
    it(`${name} is answered 200, so that it is not resent, and credits nothing`, async () => {
      const before = await balance();
      const body = raw(await begun());
      expect((await post(body, sign(body))).status).toBe(200);
      expect(await balance()).toBe(before);
    });
  }

  it('ignores the content type', async () => {
    const before = await balance();
    const raw = event(await begun());
    expect((await post(raw, sign(raw), 'text/plain')).status).toBe(200);
    expect((await balance()) - before).toBe(500_000);
  });

  it('that is signed but not JSON is malformed; an empty one has no signature', async () => {
    expect((await post('{"event":', sign('{"event":'))).status).toBe(400);
    const empty = await stage().send(null, 'POST', '/api/payments/webhook');
    expect([empty.status, empty.body.code]).toEqual([401, 'signature_invalid']);
  });
});
