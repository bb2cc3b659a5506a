/**
 * A PostgreSQL somewhere else, shared by any number of servers (DESIGN.md section 8). What breaks on
 * the way to it is the business of the request that notices; the next one finds a new connection.
 */
import { setTimeout as after } from 'node:timers/promises';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import { migrationsFolder } from '#server/project-root.ts';
import { StartupError } from '#server/startup-error.ts';
import type { Database, OpenDatabase } from './database.ts';
import { isLockedOut, isUnavailable, Unavailable } from './failure.ts';
import { parseInt8 } from './int8.ts';
import { listenOn } from './listener.ts';
import { patiently } from './patience.ts';

const oldestVersion = 13;
/** How long we wait before the database counts as away. */
export interface Patience {
  /** For a connection: a free one of the pool, or a new one. */
  connectMs: number;
  /** That PostgreSQL may work on a statement. */
  statementMs: number;
  /** For the answer to it: longer, so that PostgreSQL ends what takes too long. */
  answerMs: number;
  /** That a transaction may hold its locks without a word. */
  idleInTransactionMs: number;
}

/** Of a server, whose calls have to be answered: what is given up lets go of its locks. */
export const patienceOfCalls: Patience = {
  connectMs: 5_000,
  statementMs: 10_000,
  answerMs: 11_000,
  idleInTransactionMs: 30_000,
};
/** Of a command, which may have to read everything. */
export const patienceOfCommands: Patience = {
  ...patienceOfCalls,
  statementMs: 20_000,
  answerMs: 22_000,
};
/** Another server that starts may be migrating, and a backup may hold what is to be altered. */
const migrationLockMs = 120_000;
/** While a migration waits for a table, every call that comes after it waits as well. */
const tableLockMs = 2_000;
const tableLockPauseMs = 1_000;
/** Any number that nobody else in the database uses. */
const migrationLock = 7_205_759_403;
const connections = 20;

function connectionOf(url: string, { connectMs }: Patience): pg.ClientConfig {
  return {
    connectionString: url,
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    application_name: 'kaya',
    // Moments are read as text, in the one spelling that JavaScript can parse.
    options: '-c TimeZone=UTC -c DateStyle=ISO',
  };
}

/** One sentence, without the password: what PostgreSQL said, or why it could not say anything. */
function startupErrorOf(error: unknown): StartupError {
  if (error instanceof StartupError) return error;
  if (error instanceof pg.DatabaseError) {
    return new StartupError(
      `DATABASE_URL cannot be used: PostgreSQL says '${error.message}'. Correct it or the database, then start again.`,
      { cause: error },
    );
  }
  const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
  return new StartupError(
    `DATABASE_URL cannot be used: no PostgreSQL answers there${code}. Start it or correct the address, then start again.`,
    { cause: error },
  );
}

async function insistOnVersion(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ version: string; encoding: string }>(
    `select current_setting('server_version_num') as version, current_setting('server_encoding') as encoding`,
  );
  const major = Math.floor(Number(rows[0]?.version) / 10_000);
  if (!(major >= oldestVersion)) {
    throw new StartupError(
      `DATABASE_URL names a PostgreSQL ${major}, and ${oldestVersion} or newer is needed. Upgrade it or name another.`,
    );
  }
  const encoding = rows[0]?.encoding;
  if (encoding !== 'UTF8') {
    throw new StartupError(
      `DATABASE_URL names a database with encoding ${encoding}, and UTF8 is needed. Make one with it or name another.`,
    );
  }
}

/** In short tries, between which whoever came after it goes on. */
async function migrateBesideOthers(client: pg.Client): Promise<void> {
  const endsAt = performance.now() + migrationLockMs;
  for (;;) {
    try {
      return await migrate(drizzle({ client }), { migrationsFolder });
    } catch (error) {
      if (!isLockedOut(error)) throw error;
      if (performance.now() > endsAt) {
        throw new StartupError(
          'The tables cannot be brought up to date: something has held them for two minutes, such as a backup or somebody’s open transaction. Let it end, then start again.',
          { cause: error },
        );
      }
      await after(tableLockPauseMs);
    }
  }
}

/** Servers that start at once take turns: the second finds everything done. */
async function prepare(connection: pg.ClientConfig): Promise<void> {
  const client = new pg.Client({ ...connection, lock_timeout: migrationLockMs });
  // Its queries fail and say so.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await insistOnVersion(client);
    await client.query('select pg_advisory_lock($1)', [migrationLock]);
    await client.query("select set_config('lock_timeout', $1, false)", [`${tableLockMs}ms`]);
    await migrateBesideOthers(client);
  } finally {
    // The lock goes with the connection.
    await client.end().catch(() => undefined);
  }
}

/** Has a server ever prepared this database? Throws StartupError where it cannot be asked. */
export async function isPrepared(url: string): Promise<boolean> {
  const client = new pg.Client(connectionOf(url, patienceOfCalls));
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ isThere: boolean }>(
      `select to_regclass('drizzle.__drizzle_migrations') is not null as "isThere"`,
    );
    return rows[0]?.isThere ?? false;
  } catch (error) {
    throw startupErrorOf(error);
  } finally {
    await client.end().catch(() => undefined);
  }
}

function openPool(connection: pg.ClientConfig, patience: Patience): pg.Pool {
  const pool = new pg.Pool({
    ...connection,
    max: connections,
    statement_timeout: patience.statementMs,
    idle_in_transaction_session_timeout: patience.idleInTransactionMs,
  });
  // A connection that breaks while idle, or between two queries of a transaction, would end the
  // process if nobody listened; whoever uses it next is told by a failing query.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** A bare Error, as the driver's own are: see isUnavailable. */
const noAnswer = () => new Error('the database gave no answer in time');

/** A connection of the pool; one that comes too late goes back. */
function take(pool: pg.Pool, { connectMs }: Patience): Promise<pg.PoolClient> {
  let coming: Promise<pg.PoolClient> | undefined;
  const ask = () => {
    coming = pool.connect();
    return coming;
  };
  const giveUp = () => {
    coming?.then(
      (late) => late.release(),
      () => undefined,
    );
    return noAnswer();
  };
  return patiently(connectMs, ask, giveUp);
}

/**
 * A connection as drizzle asks it. Where one question got no answer the next would wait behind it:
 * it is refused at once (the rollback of a savepoint, say).
 */
function patientOn(client: pg.PoolClient, { answerMs }: Patience): pg.PoolClient {
  let lost: Error | undefined;
  const query = async (config: pg.QueryConfig, values?: unknown[]) => {
    if (lost) throw lost;
    const giveUp = () => {
      lost = noAnswer();
      return lost;
    };
    return patiently(answerMs, () => client.query(config, values), giveUp);
  };
  return Object.assign(Object.create(client), { query });
}

/** The pool as drizzle asks it: for one query on whichever connection is free. */
function patientPool(pool: pg.Pool, patience: Patience): pg.Pool {
  const query = async (config: pg.QueryConfig, values?: unknown[]) => {
    const client = await take(pool, patience);
    try {
      const answer = await patientOn(client, patience).query(config, values);
      client.release();
      return answer;
    } catch (error) {
      // What PostgreSQL answers, a complaint too, comes over a connection that works.
      client.release(!(error instanceof pg.DatabaseError));
      throw error;
    }
  };
  return Object.assign(Object.create(pool), { query });
}

/**
 * Drizzle's own transaction on a pool keeps the connection for good when `begin` fails, puts broken
 * ones back, and lets a failing rollback hide why. So the connection is taken and given back here.
 */
function transactionsOn(pool: pg.Pool, patience: Patience): Database['transaction'] {
  return async (work, settings) => {
    const client = await take(pool, patience).catch((error: unknown) => {
      throw error instanceof pg.DatabaseError ? error : new Unavailable({ cause: error });
    });
    let failure: { error: unknown } | undefined;
    let isBroken = false;
    try {
      const db = drizzle({ client: patientOn(client, patience) });
      return await db.transaction(async (tx) => {
        try {
          return await work(tx);
        } catch (error) {
          failure = { error };
          throw error;
        }
      }, settings);
    } catch (error) {
      isBroken = isUnavailable(error);
      throw failure ? failure.error : error;
    } finally {
      client.release(isBroken);
    }
  };
}

/** Opens the database at `url`, migrated. Throws StartupError where it cannot be used. */
export async function openPostgres(
  url: string,
  patience: Patience = patienceOfCalls,
): Promise<OpenDatabase> {
  // Drizzle asks the parsers of the library, not those of a connection.
  pg.types.setTypeParser(pg.types.builtins.INT8, parseInt8);
  const connection = connectionOf(url, patience);
  try {
    await prepare(connection);
  } catch (error) {
    throw startupErrorOf(error);
  }
  const pool = openPool(connection, patience);
  const db: Database = drizzle({ client: patientPool(pool, patience) });
  db.transaction = transactionsOn(pool, patience);
  const stops = new Set<() => Promise<void>>();
  return {
    db,
    listen: async (channel, listener) => {
      const stop = await listenOn(connection, channel, listener);
      stops.add(stop);
      return async () => {
        stops.delete(stop);
        await stop();
      };
    },
    connections: () => ({
      ...{ used: pool.totalCount - pool.idleCount, idle: pool.idleCount },
      ...{ waiting: pool.waitingCount, most: connections },
    }),
    close: async () => {
      await Promise.all([...stops].map((stop) => stop()));
      await pool.end();
    },
  };
}
