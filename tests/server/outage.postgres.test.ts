/** The server survives a database outage, reports it and recovers without a restart. */
import { randomUUID } from 'node:crypto';
import { setTimeout as after } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { WirePackage } from '#contract/package.ts';
import { isUnavailable } from '#server/database/database-failure.ts';
import type { TcpProxy } from '#tests/fakes/tcp-proxy.ts';
import { isLong, rounds } from '#tests/size.ts';
import { startPostgresProxy } from './databases.ts';
import {
  type Answer,
  fileStage,
  goodPassword,
  type Person,
  packageBody,
  type Stage,
} from './stage.ts';

const outageMs = rounds(1_000, 10_000);
/** The longest wait of a user; the connection time-out plus margin for a busy machine. */
const boundMs = 5_000;
const timeouts = {
  connectMs: 2_500,
  statementMs: 15_000,
  answerMs: 15_500,
  idleInTransactionMs: 30_000,
};
/** The budget of one call: less than a single query's limit, and enough for a busy machine. */
const answerMs = 10_000;
/** For a busy machine; with a call's budget still less than a single query's limit. */
const slackMs = 1_500;

let proxy: TcpProxy;
let stage: Stage;
let person: Person;

// After the stage: its connections go through the proxy.
afterAll(() => proxy.close());
const direct = fileStage({ LOG_LEVEL: 'silent' });
beforeAll(async () => {
  proxy = await startPostgresProxy();
  const environment = { RATE_LIMIT: 'on' };
  stage = await direct().another({ environment, proxy, timeouts, times: { answerMs } });
  person = await direct().person('Customer');
});

const list = () => stage.send(person, 'GET', '/api/packages');
const get = (url: string) => stage.send(null, 'GET', url);
const create = (key: string) =>
  stage.send<WirePackage>(person, 'POST', '/api/packages', {
    body: packageBody(),
    headers: { 'idempotency-key': key },
  });
const edit = (id: string) =>
  stage.send(person, 'PATCH', `/api/packages/${id}`, {
    body: { notes: 'Ring twice' },
    headers: { 'idempotency-key': randomUUID() },
  });
const signIn = () => {
  const body = { email: person.email, password: goodPassword };
  return stage.send(null, 'POST', '/api/auth/login', { body });
};

function expectAway(answers: Answer<unknown>[]): void {
  const said = answers.map(({ status, headers, text }) => [
    ...[status, Number(headers['retry-after']) > 0, JSON.parse(text).code],
  ]);
  expect(said).toEqual(answers.map(() => [503, true, 'unavailable']));
}

/** More concurrent transactions than connections. */
const crowd = () => Promise.all(Array.from({ length: 25 }, () => create(randomUUID())));

async function hearing() {
  const heard: string[] = [];
  const unlisten = await stage.database.listen('kaya_changes', {
    onMessage: () => void heard.push('message'),
    onGap: () => void heard.push('gap'),
  });
  const until = (what: string) =>
    vi.waitFor(() => expect(heard).toContain(what), { timeout: 10_000, interval: 10 });
  return { heard, until, unlisten };
}

it('a database outage answers 503 with Retry-After promptly, then recovers without a restart', async () => {
  const { heard, until, unlisten } = await hearing();
  expect((await crowd()).map(({ status }) => status)).toEqual(Array(25).fill(201));
  await until('message');
  const key = randomUUID();

  await proxy.cut();
  const beganAt = Date.now();
  expectAway([...(await crowd()), await list(), await create(key), await signIn()]);
  expect(Date.now() - beganAt, 'the first answers').toBeLessThan(boundMs);
  while (Date.now() - beganAt < outageMs) {
    const askedAt = Date.now();
    expectAway(await Promise.all([list(), create(key)]));
    expect(Date.now() - askedAt).toBeLessThan(boundMs);
    expect((await get('/healthz')).status).toBe(200);
    expectAway([await get('/readyz')]);
    await after(250);
  }
  expect(heard).not.toContain('gap');
  await proxy.restore();

  expect((await get('/readyz')).status).toBe(200);
  expect((await signIn()).status).toBe(200);
  const [first, again] = [await create(key), await create(key)];
  expect([first.status, first.headers['idempotency-replayed']]).toEqual([201, undefined]);
  // A replayed answer has no codes.
  expect([again.status, again.body]).toEqual([
    201,
    { ...first.body, returnCode: null, trackingPath: null },
  ]);
  expect((await crowd()).map(({ status }) => status)).toEqual(Array(25).fill(201));
  await until('gap');
  heard.length = 0;
  await create(randomUUID());
  await until('message');
  await unlisten();
}, 60_000);

describe.runIf(isLong)('a network that drops all packets', () => {
  it('answers 503 after the time limit and leaks no pool connection', async () => {
    await crowd();
    proxy.swallow();
    // Transactions whose BEGIN gets no answer, and requests that query first.
    const begun = Array.from({ length: 20 }, () =>
      stage.database.db.transaction(() => Promise.resolve('done')).catch(isUnavailable),
    );
    expect(new Set(await Promise.all(begun))).toEqual(new Set([true]));
    const beganAt = Date.now();
    expectAway(await Promise.all([crowd(), list(), signIn()]).then((answers) => answers.flat()));
    expect(Date.now() - beganAt).toBeLessThan(answerMs + slackMs);
    await proxy.restore();
    expect((await crowd()).map(({ status }) => status)).toEqual(Array(25).fill(201));
  }, 60_000);
});

describe.runIf(isLong)('a network that starts dropping packets in the middle of a call', () => {
  it("answers 503 when the call's budget is over, however deep in its transaction", async () => {
    const { _id: id } = (await create(randomUUID())).body;
    const waiters = sql<number>`(select count(*)::int from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock')`;
    const beganAt = await direct().database.db.transaction(async (tx) => {
      await tx.execute(sql`select 1 from packages where id = ${id} for update`);
      const asked = edit(id);
      let waiting = 0;
      while (waiting === 0) {
        const [row] = await tx.select({ waiting: waiters }).from(sql`(select 1) as one`);
        waiting = row?.waiting ?? 0;
      }
      proxy.swallow();
      const at = Date.now();
      expectAway([await asked]);
      return at;
    });
    expect(Date.now() - beganAt).toBeLessThan(answerMs + slackMs);
    await proxy.restore();
    // Closing the abandoned connection releases its lock on the package.
    const restoredAt = Date.now();
    let status = 503;
    while (status === 503 && Date.now() - restoredAt < timeouts.answerMs + slackMs) {
      status = (await edit(id)).status;
    }
    expect(status).toBe(200);
  }, 60_000);
});

it('connections that PostgreSQL closes in the middle of a transaction fail as unavailable, keep the process alive and are replaced', async () => {
  for (let n = 0; n < 25; n += 1) {
    const failure = await stage.database.db
      .transaction(async (tx) => {
        const [own] = await tx
          .select({ pid: sql<number>`pg_backend_pid()` })
          .from(sql`(select 1) as one`);
        await direct().database.db.execute(sql`select pg_terminate_backend(${own?.pid})`);
        await tx.execute(sql`select 1`);
      })
      .catch((error: unknown) => error);
    expect(isUnavailable(failure)).toBe(true);
  }
  expect((await list()).status).toBe(200);
});
