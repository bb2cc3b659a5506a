/** What the commands beside the server share: they open its database, do one thing and end. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { type Config, readConfig } from './config.ts';
import type { Database } from './database/database.ts';
import { isPrepared, patienceOfCommands } from './database/external.ts';
import { openDatabase } from './database/open.ts';
import { orExplain, StartupError } from './startup-error.ts';

/** A mistyped setting must not pass for an empty database that is whole, or worth a backup. */
async function insistOnData({ databaseUrl, dataDir }: Config): Promise<void> {
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

/**
 * Does `work` on the configured database; a StartupError ends the process with its sentence. The
 * database must be in use already, unless something else is insisted on before it is opened.
 */
export function runCommand(
  work: (db: Database, config: Config) => Promise<void>,
  insistFirst: (config: Config) => Promise<void> = insistOnData,
): Promise<void> {
  return orExplain(async () => {
    const config = readConfig(process.env);
    await insistFirst(config);
    const database = await openDatabase(config, patienceOfCommands);
    try {
      await work(database.db, config);
    } finally {
      await database.close();
    }
  });
}

/** The file that the person named, from the folder they stood in when they called npm. */
export function fileArgument(usage: string): string {
  const [named, ...more] = process.argv.slice(2);
  if (!named || more.length > 0) {
    process.stderr.write(`Name one file: ${usage}\n`);
    process.exit(1);
  }
  return path.resolve(process.env.INIT_CWD ?? process.cwd(), named);
}

/** '1 user', '2 users'. */
export const counted = (count = 0, what: string): string =>
  `${count} ${what}${count === 1 ? '' : 's'}`;
