/** The databases of the server tests, which run on PGlite and on PostgreSQL (vitest.config). */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { inject } from 'vitest';
import { migrationsFolder } from '#server/config/project-root.ts';
import type { OpenDatabase } from '#server/database/database.ts';
import { openPglite, pgliteParsers } from '#server/database/pglite.ts';
import { openPostgres } from '#server/database/postgres.ts';
import { startTcpProxy, type TcpProxy } from '#tests/fakes/tcp-proxy.ts';
import { createDatabase } from '#tests/postgres.mjs';
import type {} from './postgres-setup.ts';

/** The database kind of this run. */
export const testDatabase: 'pglite' | 'postgres' = inject('postgres') ? 'postgres' : 'pglite';

/**
 * The share of random runs done here. Where both databases are tested, PostgreSQL does all of them
 * in a fraction of the time, and PGlite `part`.
 */
export const shareOf = (runs: number, part: number): number =>
  testDatabase === 'pglite' && process.env.TEST_DATABASE_URL ? Math.ceil(runs * part) : runs;

/** Changes with the contents of a fresh cluster: PGlite and the migrations. */
const clusterKey = createHash('sha256')
  .update(readFileSync('node_modules/@electric-sql/pglite/package.json'))
  .update(JSON.stringify(readMigrationFiles({ migrationsFolder })))
  .digest('hex')
  .slice(0, 16);

/** Creating a cluster takes seconds, copying one a fraction: one is created for all files. */
async function freshCluster(): Promise<PGlite> {
  const folder = path.resolve('.tmp');
  const file = path.join(folder, `cluster-${clusterKey}.tar`);
  if (!existsSync(file)) {
    const first = await PGlite.create({ parsers: pgliteParsers });
    await openPglite(first);
    const cluster = await first.dumpDataDir('none');
    await first.close();
    mkdirSync(folder, { recursive: true });
    const unfinished = `${file}.${process.pid}`;
    writeFileSync(unfinished, Buffer.from(await cluster.arrayBuffer()));
    renameSync(unfinished, file);
  }
  // Node's Blob copies its bytes in 64 KiB steps: a third of the time to open a cluster.
  const arrayBuffer = async () => new Uint8Array(readFileSync(file)).buffer;
  const loadDataDir = Object.assign(new Blob(), { arrayBuffer });
  return PGlite.create({ loadDataDir, parsers: pgliteParsers });
}

const origins = {
  empty: "encoding 'UTF8' template template0",
  latin: "encoding 'LATIN1' locale 'C' template template0",
};

/** A new database on the tests' PostgreSQL: migrated, or empty. */
export function makeDatabase(from: 'migrated' | keyof typeof origins) {
  const { url, template } = inject('postgres');
  return createDatabase(url, from === 'migrated' ? `template ${template}` : origins[from]);
}

export interface Reopening {
  /** Another folder of migrations than ours. */
  migrations?: string;
  /** PostgreSQL only, as `timeouts`: connects through it. */
  proxy?: TcpProxy;
  timeouts?: Parameters<typeof openPostgres>[1];
}

/** A proxy in front of the tests' PostgreSQL. */
export function startPostgresProxy(): Promise<TcpProxy> {
  const { hostname, port } = new URL(inject('postgres').url);
  return startTcpProxy({ host: hostname, port: Number(port || 5432) });
}

export interface TestDatabase extends OpenDatabase {
  /** Opens it as a second server does: with its own connections where there are connections. */
  again(how?: Reopening): Promise<OpenDatabase>;
}

/** A migrated, empty database; removed when closed. */
export async function openTestDatabase(): Promise<TestDatabase> {
  if (testDatabase === 'pglite') {
    const client = await freshCluster();
    const database = await openPglite(client);
    return {
      ...database,
      again: async ({ migrations } = {}) => ({
        ...(migrations === undefined ? database : await openPglite(client, migrations)),
        close: () => Promise.resolve(),
      }),
    };
  }
  const { url, drop } = await makeDatabase('migrated');
  const database = await openPostgres(url);
  return {
    ...database,
    again: ({ proxy, timeouts, migrations } = {}) => {
      const place = new URL(url);
      if (proxy) place.host = `127.0.0.1:${proxy.port}`;
      return openPostgres(place.href, timeouts, migrations);
    },
    close: async () => {
      await database.close();
      await drop();
    },
  };
}
