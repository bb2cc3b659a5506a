/**
 * What a forgotten password costs the server says nothing of who is registered: the same statements for every
 * e-mail. Times are only printed, in the long run: a machine that does something else is no finding.
 */
import { randomUUID } from 'node:crypto';
import { expect, it, vi } from 'vitest';
import { isLong } from '#tests/size.ts';
import { fileStage } from './stage.ts';

const stage = fileStage({ RATE_LIMIT: 'on', CALLS_PER_MINUTE: '999999' });

let networks = 0;
async function forgot(email: string): Promise<number> {
  networks += 1;
  const remoteAddress = `10.1.${networks >> 8}.${networks & 255}`;
  const began = performance.now();
  const how = { body: { email }, remoteAddress };
  const { status } = await stage().send(null, 'POST', '/api/auth/forgot-password', how);
  expect(status).toBe(202);
  return performance.now() - began;
}

const registered = async () => (await stage().person('Customer')).email;
const unknown = async () => `${randomUUID()}@kaya.test`;
async function deactivated(): Promise<string> {
  const { id, email } = await stage().person('Customer');
  await stage().edit(await stage().admin(), { id, active: false });
  return email;
}

/** In the order in which they are sent; of Drizzle's sessions, all of one class. */
async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const { session } = (stage().db as unknown as { _: { session: object } })._;
  const prototype = Object.getPrototypeOf(session) as {
    prepareQuery(query: { sql: string }): unknown;
  };
  const spy = vi.spyOn(prototype, 'prepareQuery');
  await work();
  const statements = spy.mock.calls.map(([{ sql }]) => sql);
  spy.mockRestore();
  return statements;
}

it('a forgotten password has the same statements, registered or not', async () => {
  const emails = [await registered(), await unknown(), await deactivated()];
  const found: string[][] = [];
  for (const email of emails) found.push(await statementsOf(() => forgot(email)));
  const [first, ...others] = found;
  expect(first?.at(-1)).toContain('insert into "mails"');
  expect(others).toEqual([first, first]);
});

it.runIf(isLong)(
  'the times of a forgotten password, registered and not',
  async () => {
    const times = { registered: [] as number[], unknown: [] as number[] };
    for (let nth = 0; nth < 320; nth += 1) {
      const isKnown = nth % 2 === 0;
      const took = await forgot(await (isKnown ? registered() : unknown()));
      // The first calls compile the code.
      if (nth >= 20) times[isKnown ? 'registered' : 'unknown'].push(took);
    }
    for (const [name, all] of Object.entries(times)) {
      const sorted = all.sort((a, b) => a - b);
      const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(2);
      process.stdout.write(
        `${name}: p10 ${at(0.1)} · median ${at(0.5)} · p90 ${at(0.9)} · p99 ${at(0.99)} ms of ${sorted.length}\n`,
      );
    }
  },
  120_000,
);
