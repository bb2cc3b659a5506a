/** The server survives a database outage, reports it and recovers without a restart. */
import { randomUUID } from 'node:crypto';
import { setTimeout as after } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildApp } from '#server/app.ts';
import { readConfig } from '#server/config/config.ts';
import { timeLimits } from '#server/config/timeouts.ts';
import type { OpenDatabase } from '#server/database/database.ts';
import { isUnavailable } from '#server/database/failure.ts';
import { openPostgres } from '#server/database/postgres.ts';
import { startTcpProxy, type TcpProxy } from '#tests/fakes/tcp-proxy.ts';
import { isLong, rounds } from '#tests/size.ts';
import { makeDatabase, type PostgresDatabase } from './databases.ts';
import { goodPassword, packageBody } from './stage.ts';

const outageMs = rounds(1_000, 10_000);
/** The longest wait of a user; the connection time-out plus margin for a busy machine. */
const boundMs = 5_000;
const timeouts = {
  ...{ connectMs: 2_500, statementMs: 15_000, answerMs: 15_500 },
  idleInTransactionMs: 30_000,
};
/** The budget of one call: less than a single query's limit, and enough for a busy machine. */
const answerMs = 10_000;
/** For a busy machine; with a call's budget still less than a single query's limit. */
const slackMs = 1_500;

let made: PostgresDatabase;
let proxy: TcpProxy;
let database: OpenDatabase;
let app: FastifyInstance;
let token: string;
const email = `${randomUUID()}@kaya.test`;

beforeAll(async () => {
  made = await makeDatabase('migrated');
  const place = new URL(made.url);
  proxy = await startTcpProxy({ host: place.hostname, port: Number(place.port || 5432) });
  place.hostname = '127.0.0.1';
  place.port = String(proxy.port);
  database = await openPostgres(place.href, timeouts);
  const config = readConfig({ RATE_LIMIT: 'on', LOG_LEVEL: 'silent' });
  const times = { ...timeLimits, answerMs };
  app = await buildApp({ config, database, webFolder: '/nowhere', times });
  const account = { email, password: goodPassword };
  const signedUp = await app.inject({
    ...{ method: 'POST', url: '/api/auth/signup', payload: { ...account, role: 'Customer' } },
  });
  token = signedUp.json().accessToken;
  const { _id: id } = signedUp.json().user;
  const profile = { id, firstName: 'Amina', lastName: 'Bello', phoneNumber: '0803 123 4567' };
  const patched = await ask({ method: 'PATCH', url: '/api/users', payload: profile });
  expect(patched.statusCode).toBe(200);
});
afterAll(async () => {
  await app.close();
  await database.close();
  await proxy.close();
  await made.drop();
});

function ask(what: InjectOptions) {
  return app.inject({ ...what, headers: { authorization: `Bearer ${token}`, ...what.headers } });
}

const list = () => ask({ method: 'GET', url: '/api/packages' });
const create = (key: string) =>
  ask({
    ...{ method: 'POST', url: '/api/packages', payload: packageBody() },
    headers: { 'idempotency-key': key },
  });
const edit = (id: string) =>
  ask({
    ...{ method: 'PATCH', url: `/api/packages/${id}`, payload: { notes: 'Ring twice' } },
    headers: { 'idempotency-key': randomUUID() },
  });
const signIn = () =>
  app.inject({
    ...{ method: 'POST', url: '/api/auth/login', payload: { email, password: goodPassword } },
  });

type Answer = Awaited<ReturnType<typeof list>>;

function expectAway(answers: Answer[]): void {
  const said = answers.map(({ statusCode, headers, body }) => [
    ...[statusCode, Number(headers['retry-after']) > 0, JSON.parse(body).code],
  ]);
  expect(said).toEqual(answers.map(() => [503, true, 'unavailable']));
}

/** More concurrent transactions than connections. */
const crowd = () => Promise.all(Array.from({ length: 25 }, () => create(randomUUID())));

async function hearing() {
  const heard: string[] = [];
  const waiting: (() => void)[] = [];
  const happens = (what: string) => {
    heard.push(what);
    for (const check of waiting) check();
  };
  const unlisten = await database.listen('kaya_changes', {
    onMessage: () => happens('message'),
    onGap: () => happens('gap'),
  });
  const until = (what: string) =>
    new Promise<void>((resolve) => {
      const check = () => heard.includes(what) && resolve();
      waiting.push(check);
      check();
    });
  return { heard, until, unlisten };
}

describe('a database outage', () => {
  it('answers 503 with Retry-After promptly, then recovers without a restart', async () => {
    const { heard, until, unlisten } = await hearing();
    expect((await crowd()).map(({ statusCode }) => statusCode)).toEqual(Array(25).fill(201));
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
      expect((await app.inject('/healthz')).statusCode).toBe(200);
      expectAway([await app.inject('/readyz')]);
      await after(250);
    }
    expect(heard).not.toContain('gap');
    await proxy.restore();

    expect((await app.inject('/readyz')).statusCode).toBe(200);
    expect((await signIn()).statusCode).toBe(200);
    const [first, again] = [await create(key), await create(key)];
    expect([first.statusCode, first.headers['idempotency-replayed']]).toEqual([201, undefined]);
    expect([again.statusCode, again.body]).toEqual([201, first.body]);
    expect((await crowd()).map(({ statusCode }) => statusCode)).toEqual(Array(25).fill(201));
    await until('gap');
    heard.length = 0;
    await create(randomUUID());
    await until('message');
    await unlisten();
  }, 60_000);
});

describe.runIf(isLong)('a network that drops all packets', () => {
  it('answers 503 after the time limit and leaks no pool connection', async () => {
    await crowd();
    proxy.swallow();
    // Transactions whose BEGIN gets no answer, and requests that query first.
    const begun = Array.from({ length: 20 }, () =>
      database.db.transaction(() => Promise.resolve('done')).catch(isUnavailable),
    );
    expect(new Set(await Promise.all(begun))).toEqual(new Set([true]));
    const beganAt = Date.now();
    expectAway(await Promise.all([crowd(), list(), signIn()]).then((answers) => answers.flat()));
    expect(Date.now() - beganAt).toBeLessThan(answerMs + slackMs);
    await proxy.restore();
    expect((await crowd()).map(({ statusCode }) => statusCode)).toEqual(Array(25).fill(201));
  }, 60_000);
});

describe.runIf(isLong)('a network that starts dropping packets in the middle of a call', () => {
  it("answers 503 when the call's budget is over, however deep in its transaction", async () => {
    const { _id: id } = (await create(randomUUID())).json();
    const direct = await openPostgres(made.url);
    const waiters = sql<number>`(select count(*)::int from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock')`;
    const beganAt = await direct.db.transaction(async (tx) => {
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
    await direct.close();
    await proxy.restore();
    // Closing the abandoned connection releases its lock on the package.
    const restoredAt = Date.now();
    let status = 503;
    while (status === 503 && Date.now() - restoredAt < timeouts.answerMs + slackMs) {
      status = (await edit(id)).statusCode;
    }
    expect(status).toBe(200);
  }, 60_000);
});

describe('connections that PostgreSQL closes in the middle of a transaction', () => {
  it('fail as unavailable, keep the process alive and are replaced', async () => {
    const admin = await openPostgres(made.url);
    for (let n = 0; n < 25; n += 1) {
      const failure = await database.db
        .transaction(async (tx) => {
          const [own] = await tx
            .select({ pid: sql<number>`pg_backend_pid()` })
            .from(sql`(select 1) as one`);
          await admin.db.execute(sql`select pg_terminate_backend(${own?.pid})`);
          await tx.execute(sql`select 1`);
        })
        .catch((error: unknown) => error);
      expect(isUnavailable(failure)).toBe(true);
    }
    await admin.close();
    expect((await list()).statusCode).toBe(200);
  });
});
