/**
 * The embedded database: PGlite in a folder, durable and alone there (DESIGN.md section 8).
 *
 *   DATA_DIR/server.lock      held while open
 *   DATA_DIR/postgres.new/    being made; thrown away by the next start if that was cut short
 *   DATA_DIR/postgres/        complete, by an atomic rename
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
} from 'node:fs';
import path from 'node:path';
import { PGlite, types } from '@electric-sql/pglite';
import { drizzle } from 'drizzle-orm/pglite';
import { migrate } from 'drizzle-orm/pglite/migrator';
import { migrationsFolder } from '#server/project-root.ts';
import { StartupError } from '#server/startup-error.ts';
import type { OpenDatabase } from './database.ts';
import { DurableNodeFS, durableStartParams } from './durable-node-fs.ts';
import { lockFile } from './folder-lock.ts';
import { parseInt8 } from './int8.ts';

const asText = (value: string) => value;

/** Moments as the text that drizzle reads, whole numbers as numbers. */
export const pgliteParsers = {
  [types.INT8]: parseInt8,
  [types.TIMESTAMPTZ]: asText,
  [types.TIMESTAMP]: asText,
  [types.DATE]: asText,
  [types.INTERVAL]: asText,
};

type Asking = Pick<PGlite, 'query'>;

/** With every query drizzle brings parsers, and PGlite would put them together with all others again. */
function withItsOwnParsers<Client extends Asking>(client: Client): Client {
  const query: Asking['query'] = (text, parameters, { rowMode } = {}) =>
    client.query(text, parameters, rowMode && { rowMode });
  return { ...client, query };
}

/** Drizzle over a running PGlite made with `pgliteParsers`, migrated. The caller closes. */
export async function openPglite(client: PGlite): Promise<OpenDatabase> {
  const transaction: PGlite['transaction'] = (work) =>
    client.transaction((tx) => work(withItsOwnParsers(tx)));
  const db = drizzle({ client: Object.assign(withItsOwnParsers(client), { transaction }) });
  await migrate(db, { migrationsFolder });
  return {
    db,
    // In the same process: nothing between that could break, so there are no gaps.
    listen: async (channel, { onMessage }) => {
      const unlisten = await client.listen(channel, onMessage);
      return () => unlisten();
    },
    close: () => client.close(),
  };
}

async function startPglite(folder: string): Promise<PGlite> {
  const fs = new DurableNodeFS(folder);
  const client = new PGlite({ fs, startParams: durableStartParams, parsers: pgliteParsers });
  await client.waitReady;
  return client;
}

/** Flushes a folder and all that is in it. */
function flushTree(entry: string, isFolder: boolean): void {
  if (isFolder) {
    for (const child of readdirSync(entry, { withFileTypes: true })) {
      flushTree(path.join(entry, child.name), child.isDirectory());
    }
    // A folder cannot be opened for flushing on Windows.
    if (process.platform === 'win32') return;
  }
  const fd = openSync(entry, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Makes the cluster aside and moves it into place whole: a kill in between leaves no half of one. */
async function makeCluster(dataDir: string, folder: string): Promise<void> {
  const unfinished = `${folder}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  const client = await startPglite(unfinished);
  await client.close();
  flushTree(unfinished, true);
  renameSync(unfinished, folder);
  flushTree(dataDir, false);
}

/** Emscripten's errors are no Error and carry a number; Node's carry a name. */
function systemCodeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return 'unknown error';
  if ('code' in error) return String(error.code);
  return 'errno' in error ? `error ${String(error.errno)}` : 'unknown error';
}

/** PGlite's own words where it has some; what it says when it gives up means nothing to a person. */
function reasonOf(error: unknown): string {
  const said = error instanceof Error ? (error.message.split('\n')[0] ?? '') : '';
  return said === '' || said.startsWith('Aborted') ? systemCodeOf(error) : said;
}

/** A cluster with its catalogue takes about 40 MB, and the first writes need room too. */
const firstStartBytes = 80 * 1024 * 1024;

function insistOnRoom(dataDir: string): void {
  const { bavail, bsize } = statfsSync(dataDir);
  if (bavail * bsize >= firstStartBytes) return;
  throw new StartupError(
    `DATA_DIR (${dataDir}) has no room for a database: about ${firstStartBytes / 1024 / 1024} MB are needed to begin. Free some or set DATA_DIR to another folder.`,
  );
}

/**
 * Only `makeCluster` may make one: PGlite itself would initialise over a folder without PG_VERSION
 * (a half-restored backup, a mount that is not there), and what it held would be gone for good.
 */
function insistOnCluster(dataDir: string, folder: string): void {
  if (existsSync(path.join(folder, 'PG_VERSION'))) return;
  throw new StartupError(
    `DATA_DIR (${dataDir}) holds a 'postgres' that is not a database (PG_VERSION is missing). Restore it from a backup, or move it away to begin with an empty one.`,
  );
}

/** Not mkdir's `recursive`: Node 20 never returns from it where a parent refuses with ENOENT (/proc). */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(path.dirname(folder));
  mkdirSync(folder);
}

function lockFolder(dataDir: string): () => void {
  let unlock: (() => void) | null;
  try {
    makeFolder(dataDir);
    readdirSync(dataDir);
    unlock = lockFile(path.join(dataDir, 'server.lock'));
  } catch (error) {
    throw new StartupError(
      `DATA_DIR cannot be used: ${dataDir} must be a folder that can be read and written (${systemCodeOf(error)}). Make it so or set DATA_DIR to another folder.`,
    );
  }
  if (!unlock) {
    throw new StartupError(
      `DATA_DIR is in use: another server is running on ${dataDir}. Stop it or set DATA_DIR to another folder.`,
    );
  }
  return unlock;
}

/**
 * Opens (and at first makes) the database in `dataDir` and brings it to the newest migration.
 * Throws StartupError where the folder cannot be used, is in use, or does not hold a database.
 */
export async function openEmbedded(dataDir: string): Promise<OpenDatabase> {
  const unlock = lockFolder(dataDir);
  try {
    const folder = path.join(dataDir, 'postgres');
    if (!existsSync(folder)) {
      insistOnRoom(dataDir);
      await makeCluster(dataDir, folder);
    }
    insistOnCluster(dataDir, folder);
    const client = await startPglite(folder);
    const opened = await openPglite(client);
    return {
      ...opened,
      close: async () => {
        await client.close();
        unlock();
      },
    };
  } catch (error) {
    unlock();
    if (error instanceof StartupError) throw error;
    throw new StartupError(
      `The database in DATA_DIR (${dataDir}) could not be opened: ${reasonOf(error)}. Restore it from a backup or set DATA_DIR to another folder.`,
      { cause: error },
    );
  }
}
