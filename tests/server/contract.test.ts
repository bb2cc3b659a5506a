/**
 * Every call of the contract, once with success: the answer has the promised shape and status
 * (checked for all requests by the stage) and the headers common to the API.
 */
import { createHmac } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Route, type RouteName, routes } from '#contract/routes.ts';
import { getOrCreateSetting } from '#server/modules/auth/repository.ts';
import { document } from '#tests/contract/open-api.ts';
import { subscriptionBody } from '#tests/fakes/push-service.ts';
import { routeNameOf } from './contract-check.ts';
import { createdPackage, fileStage, goodPassword, type Person, packageBody } from './stage.ts';

const stage = fileStage({ PAYMENTS: 'sandbox' });
let sender: Person;
let admin: Person;

beforeAll(async () => {
  // The sandbox is called over HTTP like any provider.
  await stage().app.listen({ port: 0, host: '127.0.0.1' });
  sender = await stage().person('Customer');
  admin = await stage().admin();
});

interface Made {
  method: Route['method'];
  url: string;
  who?: Person;
  body?: unknown;
  headers?: Record<string, string>;
}

const newUser = (email: string) => ({
  ...{ firstName: 'Musa', lastName: 'Bello', email, phoneNumber: '0803 123 4567' },
  ...{ roles: ['Customer'], password: goodPassword },
});

async function initiated(): Promise<string> {
  const { body } = await stage().send<{ data: { reference: string } }>(
    sender,
    'POST',
    routes.initiatePayment.path,
    { body: { email: sender.email, amount: 500 } },
  );
  return body.data.reference;
}

const packageUrl = async () => `/api/packages/${(await createdPackage(stage(), sender))._id}`;
const asAdmin = (method: Route['method'], url: string, body: unknown): Made => ({
  ...{ who: admin, method, url, body },
});

/** A valid call of each route. A missing one does not compile. */
const calls: Record<RouteName, () => Made | Promise<Made>> = {
  signUp: () => ({
    ...{ method: 'POST', url: '/api/auth/signup' },
    body: { email: 'new@kaya.test', password: goodPassword, role: 'Customer' },
  }),
  login: () => ({
    ...{ method: 'POST', url: '/api/auth/login' },
    body: { email: sender.email, password: goodPassword },
  }),
  logout: () => ({ method: 'POST', url: '/api/auth/logout' }),
  refresh: () => ({
    ...{ method: 'GET', url: '/api/auth/refresh', headers: { cookie: sender.cookie } },
  }),
  listUsers: () => ({ who: sender, method: 'GET', url: '/api/users' }),
  addUser: () => asAdmin('POST', '/api/users', newUser('added@kaya.test')),
  patchUser: () => ({
    ...{ who: sender, method: 'PATCH', url: '/api/users' },
    body: { id: sender.id, firstName: 'Zainab', address: '' },
  }),
  deleteUser: async () =>
    asAdmin('DELETE', '/api/users', { id: (await stage().person('Customer')).id }),
  adjustBalance: () =>
    asAdmin('PATCH', '/api/users/balance', { id: sender.id, amount: 250.5, reason: 'A gift' }),
  listPackages: () => ({ who: sender, method: 'GET', url: '/api/packages?since=' }),
  getPackage: async () => ({ who: sender, method: 'GET', url: await packageUrl() }),
  createPackage: () => ({
    ...{ who: sender, method: 'POST', url: '/api/packages', body: packageBody() },
  }),
  patchPackage: async () => ({
    ...{ who: sender, method: 'PATCH', url: await packageUrl(), body: { notes: 'Ring twice' } },
  }),
  deletePackage: async () => ({ who: sender, method: 'DELETE', url: await packageUrl() }),
  initiatePayment: () => ({
    ...{ who: sender, method: 'POST', url: '/api/payments/initiate' },
    body: { email: sender.email, amount: 100 },
  }),
  verifyPayment: async () => ({
    ...{ who: sender, method: 'GET', url: `/api/payments/verify/${await initiated()}` },
  }),
  paymentWebhook: async () => {
    const body = JSON.stringify({ event: 'charge.failed', data: {} });
    const secretKey = await getOrCreateSetting(stage().database.db, 'sandbox_secret_key', '');
    const signature = createHmac('sha512', secretKey).update(body).digest('hex');
    const headers = { 'x-paystack-signature': signature };
    return { method: 'POST', url: '/api/payments/webhook', body, headers };
  },
  listPayments: () => ({ who: sender, method: 'GET', url: '/api/payments?limit=10' }),
  pushOffer: () => ({ who: sender, method: 'GET', url: '/api/push' }),
  putPush: () => ({
    ...{ who: sender, method: 'PUT', url: '/api/push' },
    body: subscriptionBody('https://push.example/one', ['accepted']),
  }),
  deletePush: () => ({
    ...{ who: sender, method: 'DELETE', url: '/api/push' },
    body: { endpoint: 'https://push.example/one' },
  }),
};

describe('every route of the contract', () => {
  it.each(Object.entries(calls))('%s succeeds', async (name, call) => {
    const { who, method, url, ...how } = await call();
    expect(routeNameOf(method, url)).toBe(name);
    const answer = await stage().send(who ?? null, method, url, how);
    expect([answer.status, answer.text]).toEqual([routes[name as RouteName].status, answer.text]);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(answer.headers['x-powered-by']).toBeUndefined();
  });
});

describe('/api/docs', () => {
  it('returns the document as JSON, and a page to a browser', async () => {
    const json = await stage().send(null, 'GET', '/api/docs/openapi.json');
    expect(json.body).toEqual(JSON.parse(JSON.stringify(document)));
    expect((await stage().send(null, 'GET', '/api/docs')).body).toEqual(json.body);
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    const page = await stage().send(null, 'GET', '/api/docs', { headers: { accept } });
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.text).toMatch(/^<!doctype html>/);
    const both = { accept: 'application/json, text/html;q=0.5' };
    expect((await stage().send(null, 'GET', '/api/docs', { headers: both })).body).toEqual(
      json.body,
    );
  });
});
