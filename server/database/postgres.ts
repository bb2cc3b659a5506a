/**
 * A PostgreSQL server, shared by any number of app servers. A broken connection fails the request
 * that finds it; the next one gets a new connection.
 */
import { setTimeout as after } from 'node:timers/promises';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import { migrationsFolder } from '#server/config/project-root.ts';
import { StartupError } from '#server/config/startup-error.ts';
import { withTimeout } from '#server/config/timeouts.ts';
import { parseInt8 } from './columns.ts';
import type { Database, OpenDatabase } from './database.ts';
import { isLockTimeout, isUnavailable, Unavailable } from './database-failure.ts';
import { listenOn } from './listener.ts';

const oldestVersion = 13;
/** How long to wait before the database counts as away. */
export interface DatabaseTimeouts {
  connectMs: number;
  statementMs: number;
  /** For its response; longer, so that PostgreSQL cancels slow statements first. */
  answerMs: number;
  /** How long a transaction may idle with its locks. */
  idleInTransactionMs: number;
}

/** For a server: an abandoned statement releases its locks. */
export const requestTimeouts: DatabaseTimeouts = {
  connectMs: 5_000,
  statementMs: 10_000,
  answerMs: 11_000,
  idleInTransactionMs: 30_000,
};
export const commandTimeouts: DatabaseTimeouts = {
  ...requestTimeouts,
  statementMs: 20_000,
  answerMs: 22_000,
};
/** Another server may be migrating, and a backup may lock the tables. */
const migrationLockMs = 120_000;
/** While a migration waits for a table, later calls queue behind it. */
const tableLockMs = 2_000;
const tableLockPauseMs = 1_000;
/** Any number not used elsewhere in the database. */
const migrationLock = 7_205_759_403;
const connections = 20;

function connectionOf(url: string, { connectMs }: DatabaseTimeouts): pg.ClientConfig {
  return {
    connectionString: url,
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    application_name: 'kaya',
    // Timestamps arrive as text, in a format JavaScript parses.
    options: '-c TimeZone=UTC -c DateStyle=ISO',
  };
}

/** One sentence without the password: PostgreSQL's message, or why there is none. */
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

async function requireVersion(client: pg.Client): Promise<void> {
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
      `DATABASE_URL names a database with encoding ${encoding}, and UTF8 is needed. Create one with it or name another.`,
    );
  }
}

/** In short attempts, so that other queries proceed in between. */
async function migrateBesideOthers(client: pg.Client, migrations: string): Promise<void> {
  const endsAt = performance.now() + migrationLockMs;
  for (;;) {
    try {
      return await migrate(drizzle({ client }), { migrationsFolder: migrations });
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      if (performance.now() > endsAt) {
        throw new StartupError(
          'The tables cannot be migrated: something has locked them for two minutes, such as a backup or an open transaction. Let it finish, then start again.',
          { cause: error },
        );
      }
      await after(tableLockPauseMs);
    }
  }
}

/** Runs `work` on a connection of its own. Throws StartupError. */
async function withClient<T>(
  connection: pg.ClientConfig,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  let client: pg.Client | undefined;
  try {
    // Reads the certificates that the URL names.
    client = new pg.Client(connection);
    // The failing query reports the error.
    client.on('error', () => undefined);
    await client.connect();
    return await work(client);
  } catch (error) {
    throw startupErrorOf(error);
  } finally {
    await client?.end().catch(() => undefined);
  }
}

/**
 * Servers that start together take turns: the second finds nothing to migrate. Closing the
 * connection releases the lock.
 */
async function prepare(client: pg.Client, migrations: string): Promise<void> {
  await requireVersion(client);
  await client.query('select pg_advisory_lock($1)', [migrationLock]);
  await client.query("select set_config('lock_timeout', $1, false)", [`${tableLockMs}ms`]);
  await migrateBesideOthers(client, migrations);
}

/** Was this database ever migrated? Throws StartupError if it cannot be queried. */
export function isPrepared(url: string): Promise<boolean> {
  return withClient(connectionOf(url, requestTimeouts), async (client) => {
    const { rows } = await client.query<{ isThere: boolean }>(
      `select to_regclass('drizzle.__drizzle_migrations') is not null as "isThere"`,
    );
    return rows[0]?.isThere ?? false;
  });
}

function openPool(connection: pg.ClientConfig, timeouts: DatabaseTimeouts): pg.Pool {
  const pool = new pg.Pool({
    ...connection,
    max: connections,
    statement_timeout: timeouts.statementMs,
    idle_in_transaction_session_timeout: timeouts.idleInTransactionMs,
  });
  // Without a listener, a connection that breaks while idle would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** A bare Error, like the driver's own: see isUnavailable. */
const noAnswer = () => new Error('the database did not respond in time');

/** A pooled connection; one that arrives too late is released. */
function take(pool: pg.Pool, { connectMs }: DatabaseTimeouts): Promise<pg.PoolClient> {
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
  return withTimeout(connectMs, ask, giveUp);
}

/**
 * After an unanswered query, further ones (such as the rollback of a savepoint) fail immediately
 * instead of queueing behind it.
 */
function withQueryTimeout(client: pg.PoolClient, { answerMs }: DatabaseTimeouts): pg.PoolClient {
  let lost: Error | undefined;
  const query = async (config: pg.QueryConfig, values?: unknown[]) => {
    if (lost) throw lost;
    const giveUp = () => {
      lost = noAnswer();
      return lost;
    };
    return withTimeout(answerMs, () => client.query(config, values), giveUp);
  };
  return Object.assign(Object.create(client), { query });
}

function withPoolTimeouts(pool: pg.Pool, timeouts: DatabaseTimeouts): pg.Pool {
  const query = async (config: pg.QueryConfig, values?: unknown[]) => {
    const client = await take(pool, timeouts);
    try {
      const answer = await withQueryTimeout(client, timeouts).query(config, values);
      client.release();
      return answer;
    } catch (error) {
      // PostgreSQL's errors arrive over a working connection.
      client.release(!(error instanceof pg.DatabaseError));
      throw error;
    }
  };
  return Object.assign(Object.create(pool), { query });
}

/**
 * Drizzle's transaction on a pool leaks the connection if `begin` fails, returns broken ones to the
 * pool, and hides the cause behind a failing rollback; this one does not.
 */
function transactionsOn(pool: pg.Pool, timeouts: DatabaseTimeouts): Database['transaction'] {
  return async (work, settings) => {
    const client = await take(pool, timeouts).catch((error: unknown) => {
      throw error instanceof pg.DatabaseError ? error : new Unavailable({ cause: error });
    });
    let failure: { error: unknown } | undefined;
    let isBroken = false;
    try {
      const db = drizzle({ client: withQueryTimeout(client, timeouts) });
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

/**
 * Opens the database at `url` and migrates it. Throws StartupError if it is unusable.
 * `migrations`: their folder; tests add a next one.
 */
export async function openPostgres(
  url: string,
  timeouts: DatabaseTimeouts = requestTimeouts,
  migrations = migrationsFolder,
): Promise<OpenDatabase> {
  // Drizzle uses the library's parsers, not a connection's.
  pg.types.setTypeParser(pg.types.builtins.INT8, parseInt8);
  const connection = connectionOf(url, timeouts);
  await withClient({ ...connection, lock_timeout: migrationLockMs }, (client) =>
    prepare(client, migrations),
  );
  const pool = openPool(connection, timeouts);
  const db: Database = drizzle({ client: withPoolTimeouts(pool, timeouts) });
  db.transaction = transactionsOn(pool, timeouts);
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
      used: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
      most: connections,
    }),
    close: async () => {
      await Promise.all([...stops].map((stop) => stop()));
      await pool.end();
    },
  };
}
