import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { contractVersion, oldestSpoken } from '#contract/version.ts';
import { addErrors } from '#server/plugins/errors.ts';
import { addContractVersion } from '#server/plugins/request-guards.ts';
import { fileStage, packageBody } from './stage.ts';

const stage = fileStage();

describe('the contract version of a page', () => {
  it('refuses a call of an outdated page before any effect', async () => {
    const sender = await stage().person('Customer');
    const key = 'f1d5b4a0-0000-4000-8000-000000000001';
    const body = packageBody();
    const old = { 'kaya-contract': String(oldestSpoken - 1), 'idempotency-key': key };
    const told = await stage().send<{ code: string }>(sender, 'POST', '/api/packages', {
      body,
      headers: old,
    });
    expect([told.status, told.body.code]).toEqual([410, 'app_outdated']);
    const none = await stage().send<unknown[]>(sender, 'GET', '/api/packages');
    expect(none.body).toEqual([]);

    // After the update: the same intent under the same key, applied once.
    const current = { 'kaya-contract': String(contractVersion), 'idempotency-key': key };
    for (const _ of [1, 2]) {
      const done = await stage().send(sender, 'POST', '/api/packages', { body, headers: current });
      expect(done.status).toBe(201);
    }
    const one = await stage().send<unknown[]>(sender, 'GET', '/api/packages');
    expect(one.body).toHaveLength(1);
  });

  it.each([
    ['no version, as from other clients', {}],
    [
      'a newer page, after a downgrade of the server',
      { 'kaya-contract': String(contractVersion + 1) },
    ],
    ['a value that is not a number', { 'kaya-contract': 'latest' }],
  ])('accepts %s', async (_, headers) => {
    const sender = await stage().person('Customer');
    const answer = await stage().send(sender, 'GET', '/api/packages', { headers });
    expect(answer.status).toBe(200);
  });

  it('is checked under /api only: an outdated page must be able to load the update', async () => {
    const app = Fastify();
    addErrors(app);
    addContractVersion(app, 3);
    app.get('/sw.js', async () => '// worker');
    app.get('/api/users', async () => []);
    const ask = (url: string, version: string) =>
      app.inject({ url, headers: { 'kaya-contract': version } });
    expect((await ask('/api/users', '2')).json()).toMatchObject({ code: 'app_outdated' });
    expect((await ask('/api/users', '3')).statusCode).toBe(200);
    expect((await ask('/sw.js', '2')).statusCode).toBe(200);
    await app.close();
  });
});
