/**
 * The embedded database: PGlite in a folder, durable and locked.
 *
 *   DATA_DIR/server.lock      held while open
 *   DATA_DIR/postgres.new/    under construction; deleted by the next start
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
  type StatsFs,
  statfsSync,
} from 'node:fs';
import { statfs } from 'node:fs/promises';
import path from 'node:path';
import { PGlite, types } from '@electric-sql/pglite';
import { drizzle } from 'drizzle-orm/pglite';
import { migrate } from 'drizzle-orm/pglite/migrator';
import { migrationsFolder } from '#server/config/project-root.ts';
import { exitWith, StartupError } from '#server/config/startup-error.ts';
import { parseInt8 } from './columns.ts';
import type { OpenDatabase } from './database.ts';
import { DurableNodeFS, durableStartParams } from './durable-node-fs.ts';
import { lockFile } from './folder-lock.ts';

const asText = (value: string) => value;

/** Timestamps as the text drizzle parses, int8 as numbers. */
export const pgliteParsers = {
  [types.INT8]: parseInt8,
  [types.TIMESTAMPTZ]: asText,
  [types.TIMESTAMP]: asText,
  [types.DATE]: asText,
  [types.INTERVAL]: asText,
};

type Asking = Pick<PGlite, 'query'>;

/** Drizzle passes parsers with every query, and PGlite would merge them with its own each time. */
function withFixedParsers<Client extends Asking>(client: Client): Client {
  const query: Asking['query'] = (text, parameters, { rowMode } = {}) =>
    client.query(text, parameters, rowMode && { rowMode });
  return { ...client, query };
}

/**
 * Drizzle over a PGlite created with `pgliteParsers`, migrated. The caller closes it.
 * `migrations`: their folder; tests add a next one.
 */
export async function openPglite(
  client: PGlite,
  migrations = migrationsFolder,
): Promise<OpenDatabase> {
  const transaction: PGlite['transaction'] = (work) =>
    client.transaction((tx) => work(withFixedParsers(tx)));
  const db = drizzle({ client: Object.assign(withFixedParsers(client), { transaction }) });
  await migrate(db, { migrationsFolder: migrations });
  return {
    db,
    // In-process: no connection to lose, so no gaps.
    listen: async (channel, { onMessage }) => {
      const unlisten = await client.listen(channel, onMessage);
      return () => unlisten();
    },
    close: () => client.close(),
  };
}

/** A migrated in-memory database. */
export async function openInMemory(): Promise<OpenDatabase> {
  return openPglite(await PGlite.create({ parsers: pgliteParsers }));
}

/** Explanation and remedy, by code. */
const diskTroubles: Readonly<Record<string, readonly [string, string]>> = {
  ENOSPC: ['has no room left', 'Free some'],
  EDQUOT: ['has no room left', 'Free some'],
  EIO: ['fails to read or write', 'Look at its disk'],
  EROFS: ['can only be read', 'Make it writable'],
};

function diskTrouble(dataDir: string, code = ''): string | undefined {
  const [fault, remedy] = diskTroubles[code] ?? [];
  return fault && `DATA_DIR (${dataDir}) ${fault} (${code}). ${remedy}, then start again.`;
}

/** PostgreSQL cannot continue. Acknowledged writes are flushed; the next start recovers them. */
function endProcess(dataDir: string, code: string | undefined, words: string): never {
  const reason =
    diskTrouble(dataDir, code) ??
    `PostgreSQL says '${words}'. Start again; where that does not help, restore DATA_DIR (${dataDir}) from a backup.`;
  exitWith(`The database has ended, and the process with it: ${reason}`);
}

/** Throws StartupError; a later error that ends PostgreSQL exits the process. */
async function startPglite(dataDir: string, folder: string): Promise<PGlite> {
  let isRunning = false;
  let said: string | undefined;
  const fs = new DurableNodeFS(folder, (words) => {
    if (isRunning) endProcess(dataDir, fs.refused, words);
    said ??= words;
  });
  try {
    const client = new PGlite({ fs, startParams: durableStartParams, parsers: pgliteParsers });
    await client.waitReady;
    fs.guard(client);
    isRunning = true;
    return client;
  } catch (error) {
    throw cannotOpen(dataDir, error, { code: fs.refused, said });
  }
}

function flushTree(entry: string, isFolder: boolean): void {
  if (isFolder) {
    for (const child of readdirSync(entry, { withFileTypes: true })) {
      flushTree(path.join(entry, child.name), child.isDirectory());
    }
    // Windows cannot open a folder to flush it.
    if (process.platform === 'win32') return;
  }
  const fd = openSync(entry, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Creates the cluster aside and renames it when complete, so that a kill leaves no partial one. */
async function makeCluster(dataDir: string, folder: string): Promise<void> {
  const unfinished = `${folder}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  const client = await startPglite(dataDir, unfinished);
  await client.close();
  flushTree(unfinished, true);
  renameSync(unfinished, folder);
  flushTree(dataDir, false);
}

/** Emscripten's errors are not Errors and carry a number; Node's carry a name. */
function systemCodeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return 'unknown error';
  if ('code' in error) return String(error.code);
  return 'errno' in error ? `error ${String(error.errno)}` : 'unknown error';
}

/** PGlite's message, unless it is 'Aborted', which says nothing. */
function reasonOf(error: unknown): string {
  const said = error instanceof Error ? (error.message.split('\n')[0] ?? '') : '';
  return said === '' || said.startsWith('Aborted') ? systemCodeOf(error) : said;
}

interface Symptoms {
  code?: string | undefined;
  said?: string | undefined;
}

/** A backup helps with damage, not with a full or failing disk. */
function cannotOpen(dataDir: string, error: unknown, { code, said }: Symptoms = {}): StartupError {
  if (error instanceof StartupError) return error;
  const sentence =
    diskTrouble(dataDir, code ?? systemCodeOf(error)) ??
    `The database in DATA_DIR (${dataDir}) could not be opened: ${said ?? reasonOf(error)}. Restore it from a backup or set DATA_DIR to another folder.`;
  return new StartupError(sentence, { cause: error });
}

const megabyte = 1024 * 1024;

const roomFor = {
  /** A new cluster takes about 40 MB, plus the first writes. */
  beginning: { bytes: 80 * megabyte, what: 'a database', elsewhere: 'another folder' },
  /** Recovery may need the next log segment (16 MB), and the first writes another. */
  starting: {
    bytes: 32 * megabyte,
    what: 'its database to start',
    elsewhere: 'a copy on a larger disk',
  },
};
/** The next log segment: without it a write may end the process. */
const roomForWriting = 16 * megabyte;

/**
 * PostgreSQL's default. Single-process mode makes none unless asked, and its log would fill the
 * disk.
 */
const checkpointMs = 5 * 60_000;

const freeOf = ({ bavail, bsize }: StatsFs) => bavail * bsize;

function requireRoom(dataDir: string, need: keyof typeof roomFor): void {
  const { bytes, what, elsewhere } = roomFor[need];
  const free = freeOf(statfsSync(dataDir));
  if (free >= bytes) return;
  throw new StartupError(
    `DATA_DIR (${dataDir}) has no room for ${what}: ${Math.floor(free / megabyte)} MB are free and ${bytes / megabyte} MB are needed. Free some or set DATA_DIR to ${elsewhere}.`,
  );
}

/**
 * Only `makeCluster` may create one: PGlite would initialise a folder without PG_VERSION (a
 * half-restored backup, a missing mount) and destroy its content.
 */
function requireCluster(dataDir: string, folder: string): void {
  if (existsSync(path.join(folder, 'PG_VERSION'))) return;
  throw new StartupError(
    `DATA_DIR (${dataDir}) holds a 'postgres' that is not a database (PG_VERSION is missing). Restore it from a backup, or move it away to start with an empty one.`,
  );
}

/** Not mkdir's `recursive`: Node 20 hangs if a parent fails with ENOENT (/proc). */
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
      `DATA_DIR cannot be used: ${dataDir} must be a readable and writable folder (${systemCodeOf(error)}). Change its permissions or set DATA_DIR to another folder.`,
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
 * Opens the database in `dataDir`, creating it if missing, and migrates it. Throws StartupError.
 */
export async function openEmbedded(dataDir: string): Promise<OpenDatabase> {
  const unlock = lockFolder(dataDir);
  try {
    const folder = path.join(dataDir, 'postgres');
    if (!existsSync(folder)) {
      requireRoom(dataDir, 'beginning');
      await makeCluster(dataDir, folder);
    }
    requireCluster(dataDir, folder);
    requireRoom(dataDir, 'starting');
    const client = await startPglite(dataDir, folder);
    const opened = await openPglite(client);
    // A checkpoint that fails for lack of space is retried at the next interval.
    const checkpoint = () => void client.exec('checkpoint').catch(() => undefined);
    const checkpoints = setInterval(checkpoint, checkpointMs).unref();
    return {
      ...opened,
      hasRoom: async () => freeOf(await statfs(dataDir)) >= roomForWriting,
      close: async () => {
        clearInterval(checkpoints);
        await client.close();
        unlock();
      },
    };
  } catch (error) {
    unlock();
    throw cannotOpen(dataDir, error);
  }
}
