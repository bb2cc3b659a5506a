import Fastify from 'fastify';
import { expect, it } from 'vitest';
import type { OpenDatabase } from '#server/database/database.ts';
import { addErrors } from '#server/plugins/errors.ts';
import { addHealth } from '#server/plugins/health.ts';

/** A database that records queries and answers as configured. */
function stand() {
  const told = { nowMs: 0, asked: 0, isAway: false, readOnly: 'off', hasRoom: true };
  const from = async () => {
    told.asked += 1;
    if (told.isAway) throw new Error('away');
    return [{ value: told.readOnly }];
  };
  const database = { db: { select: () => ({ from }) }, hasRoom: async () => told.hasRoom };
  const app = Fastify();
  addErrors(app);
  addHealth(app, database as unknown as OpenDatabase, () => new Date(told.nowMs));
  const ready = async () => (await app.inject('/readyz')).statusCode;
  return { told, ready };
}

it('/readyz queries the database once a second at most', async () => {
  const { told, ready } = stand();
  expect(await Promise.all(Array.from({ length: 20 }, ready))).toEqual(Array(20).fill(200));
  told.nowMs += 999;
  expect([await ready(), told.asked]).toEqual([200, 1]);
  told.nowMs += 1;
  expect([await ready(), told.asked]).toEqual([200, 2]);
});

it('/readyz reports an outage and the recovery within a second', async () => {
  const { told, ready } = stand();
  expect(await ready()).toBe(200);
  told.isAway = true;
  told.nowMs += 1000;
  expect(await Promise.all(Array.from({ length: 20 }, ready))).toEqual(Array(20).fill(503));
  expect(told.asked).toBeLessThan(20);
  told.isAway = false;
  expect(await ready()).toBe(200);
});

it.each([
  ['only reads', { readOnly: 'on' }, { readOnly: 'off' }],
  ['has no room', { hasRoom: false }, { hasRoom: true }],
])('/readyz answers 503 while the database %s', async (_, cause, end) => {
  const { told, ready } = stand();
  Object.assign(told, cause);
  expect(await ready()).toBe(503);
  Object.assign(told, end);
  expect(await ready()).toBe(200);
});
