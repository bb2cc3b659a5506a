/** The database goes away and comes back; the server stays, says so, and needs nobody's help. */
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
/** What a person waits at the most; the time for a connection and some for a busy machine. */
const boundMs = 5_000;
const timeouts = {
  ...{ connectMs: 2_500, statementMs: 15_000, answerMs: 15_500 },
  idleInTransactionMs: 30_000,
};
/** What one call waits in all: less than one question alone may, and enough for a busy machine. */
const answerMs = 10_000;
/** For a busy machine; with what a call may wait still less than one question alone may. */
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

/** More transactions at once than there are connections. */
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

describe('a database that is away', () => {
  it('is 503 with Retry-After meanwhile, soon; afterwards all is as before, without a restart', async () => {
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

describe.runIf(isLong)('a network that swallows everything', () => {
  it('is 503 once the time limit is over, and no connection is lost to the pool by it', async () => {
    await crowd();
    proxy.swallow();
    // Transactions whose very beginning gets no answer, and requests that ask for something first.
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

describe.runIf(isLong)('a network that begins to swallow in the middle of a call', () => {
  it('is 503 when what the call may wait is over, however deep in its transaction it was', async () => {
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
    // What was given up lets go of the package with its connection.
    const restoredAt = Date.now();
    let status = 503;
    while (status === 503 && Date.now() - restoredAt < timeouts.answerMs + slackMs) {
      status = (await edit(id)).statusCode;
    }
    expect(status).toBe(200);
  }, 60_000);
});

describe('connections that PostgreSQL ends in the middle of a transaction', () => {
  it('fail as away, do not end the process, and are replaced, however many', async () => {
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
