import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Config } from '#server/config/config.ts';
import { StartupError } from '#server/config/startup-error.ts';
import type { OpenDatabase } from './database.ts';
import { openEmbedded } from './pglite.ts';
import { type DatabaseTimeouts, isPrepared, openPostgres } from './postgres.ts';

/** Opens DATABASE_URL, else the embedded database in DATA_DIR. Throws StartupError. */
export function openDatabase(
  { databaseUrl, dataDir }: Config,
  timeouts: DatabaseTimeouts,
): Promise<OpenDatabase> {
  return databaseUrl === undefined ? openEmbedded(dataDir) : openPostgres(databaseUrl, timeouts);
}

/** For commands: a mistyped setting must not create an empty database. Throws StartupError. */
export async function requireData({ databaseUrl, dataDir }: Config): Promise<void> {
  if (databaseUrl !== undefined) {
    if (await isPrepared(databaseUrl)) return;
    throw new StartupError(
      'DATABASE_URL names a database that no server has used yet. Set it to the one of the server.',
    );
  }
  if (existsSync(path.join(dataDir, 'postgres'))) return;
  throw new StartupError(
    `DATA_DIR (${dataDir}) holds no database. Set it to the folder of the server, or set DATABASE_URL.`,
  );
}
