/**
 * The sandbox spoken to by a public client of Paystack (@alexasomba/paystack-node, generated from
 * Paystack's own description of its API), unchanged but for the address.
 */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import {
  createPaystackClient,
  type PaystackClient,
  verifyPaystackWebhookSignature,
} from '@alexasomba/paystack-node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { routes } from '#contract/routes.ts';
import { callWebhook, signatureHeaders } from '#server/http/webhook.ts';
import { sandboxPath } from '#server/modules/payments/providers/sandbox/protocol.ts';
import { close, open, urlOf } from '#tests/fakes/local-server.ts';
import { ownUrlOf, roundsOf } from './payout-stage.ts';
import { fileStage } from './stage.ts';

const stage = fileStage();
let client: PaystackClient;
let secretKey: string;
beforeAll(async () => {
  await stage().app.listen({ port: 0, host: '127.0.0.1' });
  ({ secretKey } = await roundsOf(stage()));
  client = createPaystackClient({ baseUrl: `${ownUrlOf(stage())}${sandboxPath}`, secretKey });
});

const referenceOf = () => `client_${randomUUID()}`;

async function recipient(accountNumber: string): Promise<string> {
  const body = {
    type: 'nuban' as const,
    name: 'Amina Bello',
    account_number: accountNumber,
    bank_code: '058',
    currency: 'NGN' as const,
  };
  const { data } = await client.POST('/transferrecipient', { body });
  expect(data).toMatchObject({ status: true, data: { type: 'nuban', name: 'Amina Bello' } });
  return data?.data.recipient_code ?? '';
}

const initiate = async (body: { recipient: string; reference: string; amount?: number }) =>
  client.POST('/transfer', {
    body: { source: 'balance', currency: 'NGN', amount: 250_000, ...body },
  });

const verify = async (reference: string) =>
  client.GET('/transfer/verify/{reference}', { params: { path: { reference } } });

it('a top-up begins and is asked about', async () => {
  const reference = referenceOf();
  const body = {
    email: 'amina@kaya.test',
    amount: 50_000,
    reference,
    callback_url: 'https://kaya.test/deposit',
  };
  const begun = await client.POST('/transaction/initialize', { body });
  expect(begun.data).toMatchObject({ status: true, data: { reference } });
  const asked = await client.GET('/transaction/verify/{reference}', {
    params: { path: { reference } },
  });
  expect(asked.data).toMatchObject({ data: { reference, amount: 50_000, status: 'ongoing' } });
});

it('banks are listed and an account resolved', async () => {
  const banks = await client.GET('/bank', { params: { query: { country: 'nigeria' } } });
  expect(banks.data?.data).toContainEqual(expect.objectContaining({ code: '50211' }));
  // Numbers to this client, so neither may begin with a zero.
  const ask = (account_number: number) =>
    client.GET('/bank/resolve', { params: { query: { account_number, bank_code: 50211 } } });
  const resolved = await ask(2_123_456_789);
  expect(resolved.data?.data).toMatchObject({ account_number: '2123456789' });
  const unknown = await ask(9_999_999_999);
  expect([unknown.response.status, unknown.error]).toMatchObject([422, { status: false }]);
});

it('a transfer is carried out once for a reference, and verified until it has arrived', async () => {
  const reference = referenceOf();
  const code = await recipient('0123456789');
  expect(await recipient('0123456789')).toBe(code);
  const first = await initiate({ recipient: code, reference });
  expect(first.data).toMatchObject({
    status: true,
    data: { reference, amount: 250_000, currency: 'NGN', status: 'pending' },
  });
  const again = await initiate({ recipient: code, reference });
  expect([again.response.status, again.error]).toMatchObject([400, { status: false }]);
  expect((await verify(reference)).data?.data).toMatchObject({ status: 'pending' });
  stage().pass(6000);
  expect((await verify(reference)).data?.data).toMatchObject({ reference, status: 'success' });
});

it.each([
  ['0000000001', 'failed'],
  ['0000000002', 'reversed'],
  ['0000000004', 'otp'],
])('a transfer to account %s becomes %s', async (accountNumber, status) => {
  const reference = referenceOf();
  await initiate({ recipient: await recipient(accountNumber), reference });
  stage().pass(30_000);
  expect((await verify(reference)).data?.data).toMatchObject({ status });
});

it('what is unknown or has another key is refused in the same shape', async () => {
  const unknown = await verify(referenceOf());
  expect([unknown.response.status, unknown.error]).toMatchObject([404, { status: false }]);
  const other = createPaystackClient({
    baseUrl: `${ownUrlOf(stage())}${sandboxPath}`,
    secretKey: 'sk_test_another',
  });
  const refused = await other.GET('/balance');
  expect([refused.response.status, refused.error]).toMatchObject([401, { status: false }]);
});

it('its webhooks carry a signature that the client confirms', async () => {
  const heard: { rawBody: string; signature: string }[] = [];
  const receiver = createServer((request, response) => {
    let rawBody = '';
    request.on('data', (chunk) => {
      rawBody += chunk;
    });
    request.on('end', () => {
      heard.push({ rawBody, signature: String(request.headers['x-paystack-signature']) });
      response.end('{}');
    });
  });
  await open(receiver);
  afterAll(() => close(receiver));
  const data = { event: 'transfer.success', data: { reference: referenceOf() } };
  const header = signatureHeaders.payments;
  await callWebhook(urlOf(receiver), routes.paymentWebhook, { header, secretKey, data });
  const [webhook] = heard;
  if (!webhook) throw new Error('No webhook came.');
  const isSigned = (secret: string) => verifyPaystackWebhookSignature({ ...webhook, secret });
  expect([isSigned(secretKey), isSigned(`${secretKey}x`)]).toEqual([true, false]);
});
