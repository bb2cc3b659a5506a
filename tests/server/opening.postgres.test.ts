/** Opening, sharing and listening to the database of DATABASE_URL. */
import { eq, sql } from 'drizzle-orm';
import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import type { OpenDatabase } from '#server/database/database.ts';
import { isUnavailable } from '#server/database/database-failure.ts';
import { openPostgres } from '#server/database/postgres.ts';
import { serverSettings } from '#server/database/schema.ts';
import { inTransaction } from '#server/database/transaction.ts';
import { addErrors } from '#server/plugins/errors.ts';
import { addHealth } from '#server/plugins/health.ts';
import { startAndFail, startServer } from '#tests/fakes/server-process.ts';
import { freePort } from '#tests/postgres.mjs';
import { barrier } from './barrier.ts';
import { makeDatabase, openTestDatabase, type TestDatabase } from './databases.ts';
import { call, signUp } from './process-stage.ts';
import { packageBody } from './stage.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

function changed(url: string, change: (place: URL) => void): string {
  const place = new URL(url);
  change(place);
  return place.href;
}

describe('starting on PostgreSQL', () => {
  it('refuses an unreachable server in a sentence without the password', async () => {
    const port = await freePort();
    const DATABASE_URL = `postgres://kaya:a-secret-word@127.0.0.1:${port}/kaya`;
    const { code, stdout, stderr } = await startAndFail({ env: { DATABASE_URL } });
    expect(stderr).toMatch(/^DATABASE_URL [^\n]+ECONNREFUSED[^\n]+\.\n$/);
    expect(stderr).not.toContain('a-secret-word');
    expect([code, stdout]).toEqual([1, '']);
  });

  it('refuses a certificate that cannot be read in a sentence', async () => {
    const DATABASE_URL = changed(inject('postgres').url, ({ searchParams }) => {
      searchParams.set('sslrootcert', '/nowhere.pem');
    });
    const { code, stderr } = await startAndFail({ env: { DATABASE_URL } });
    expect(stderr).toMatch(/^DATABASE_URL [^\n]+ENOENT[^\n]+\.\n$/);
    expect(code).toBe(1);
  });

  it("reports PostgreSQL's refusal without the password", async () => {
    const { url } = inject('postgres');
    const noSuch = changed(url, (place) => {
      place.pathname = '/kaya_that_is_not_there';
    });
    const noOne = changed(url, (place) => {
      place.username = 'nobody_here';
      place.password = 'a-secret-word';
    });
    for (const DATABASE_URL of [noSuch, noOne]) {
      const { message } = await openPostgres(DATABASE_URL).catch((error) => error);
      expect(message).toMatch(/^DATABASE_URL cannot be used: PostgreSQL says '[^\n]+\.$/);
      expect(message).not.toContain('a-secret-word');
    }
  });

  it('refuses a database without a Unicode encoding', async () => {
    const latin = await makeDatabase('latin');
    await expect(openPostgres(latin.url)).rejects.toMatchObject({
      name: 'StartupError',
      message: expect.stringMatching(/^DATABASE_URL [^\n]+LATIN1[^\n]+UTF8[^\n]+\.$/),
    });
    await latin.drop();
  });

  it('with several servers on an empty database starts them all on one schema', async () => {
    const empty = await makeDatabase('empty');
    const env = { DATABASE_URL: empty.url };
    const servers = await Promise.all([0, 1, 2].map(() => startServer({ env })));
    const [first, second, third] = servers;
    const token = await signUp(first?.url ?? '');
    const body = packageBody();
    const created = await call(second?.url ?? '', 'POST', '/api/packages', { token, body });
    expect(created.status).toBe(201);
    const listed = await call<unknown[]>(third?.url ?? '', 'GET', '/api/packages', { token });
    expect([listed.status, listed.body.length]).toEqual([200, 1]);
    const ends = await Promise.all(servers.map((server) => server.stop()));
    expect(ends.map(({ code, stderr }) => [code, stderr])).toEqual(servers.map(() => [0, '']));
    await empty.drop();
  });
});

it('a read-only PostgreSQL is not ready until it accepts writes again', async () => {
  const opened = await openTestDatabase();
  const app = Fastify();
  addErrors(app);
  let nowMs = 0;
  addHealth(app, opened, () => new Date(nowMs));
  const ready = async () => {
    nowMs += 1000;
    return (await app.inject('/readyz')).statusCode;
  };
  const become = async (change: string) => {
    const alter = `execute format('alter database %I ${change}', current_database())`;
    await opened.db.transaction((tx) => tx.execute(sql.raw(`do $$ begin ${alter}; end $$`)), {
      accessMode: 'read write',
    });
    // New connections follow the database's setting.
    const cut = opened.db.execute(sql`select pg_terminate_backend(pg_backend_pid())`);
    await expect(cut).rejects.toThrow();
    await vi.waitFor(() => opened.db.execute(sql`select 1`));
  };
  expect(await ready()).toBe(200);
  await become('set default_transaction_read_only = on');
  expect(await ready()).toBe(503);
  await become('reset default_transaction_read_only');
  expect(await ready()).toBe(200);
  await opened.close();
});

it('values of int8 are numbers, and unsafe integers are refused', async () => {
  const read = (text: string) =>
    database.db.select({ value: sql<number>`${sql.raw(text)}::int8` }).from(sql`(select 1) as one`);
  expect(await read('9007199254740991')).toEqual([{ value: 9007199254740991 }]);
  const failure = await read('9007199254740993').catch((error) => error);
  expect(failure.cause).toBeInstanceOf(RangeError);
  expect(isUnavailable(failure)).toBe(false);
});

it('deadlocked transactions both complete: the aborted one runs again', async () => {
  const { db } = database;
  await db.insert(serverSettings).values(['a', 'b'].map((name) => ({ name, value: '' })));
  let runs = 0;
  const hasFirst = [barrier(), barrier()] as const;
  const isDone = [barrier(), barrier()] as const;
  const append = async (order: readonly [string, string], own: 0 | 1) => {
    const other = own === 0 ? 1 : 0;
    let isAgain = false;
    await inTransaction(db, async (tx) => {
      runs += 1;
      if (isAgain) await isDone[other].passed;
      isAgain = true;
      for (const name of order) {
        const value = sql`${serverSettings.value} || ${String(own)}`;
        await tx.update(serverSettings).set({ value }).where(eq(serverSettings.name, name));
        hasFirst[own].open();
        await hasFirst[other].passed;
      }
    });
    isDone[own].open();
  };
  await Promise.all([append(['a', 'b'], 0), append(['b', 'a'], 1)]);
  expect(runs).toBe(3);
  const rows = await db.select().from(serverSettings);
  const values = rows.filter(({ name }) => 'ab'.includes(name)).map(({ value }) => value);
  expect(values.map((value) => [...value].sort().join(''))).toEqual(['01', '01']);
});

it('LISTEN receives committed notifications of another server until stopped', async () => {
  const other = await database.again();
  const heard: string[] = [];
  const onMessage = (payload: string) => void heard.push(payload);
  const unlisten = await database.listen('Kaya "test"', { onMessage, onGap: () => undefined });
  const say = (db: OpenDatabase['db'], text: string) =>
    db.execute(sql`select pg_notify('Kaya "test"', ${text})`);
  await other.db
    .transaction(async (tx) => {
      await say(tx, 'taken back');
      throw new Error('no');
    })
    .catch(() => undefined);
  await say(other.db, 'said');
  await vi.waitFor(() => expect(heard).toContain('said'), { interval: 10 });
  await unlisten();
  await say(other.db, 'nobody hears');
  expect(heard).toEqual(['said']);
  await other.close();
});
