/** What the commands beside the server share: they open its database, do one thing and end. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { type Config, readConfig } from './config.ts';
import type { Database } from './database/database.ts';
import { openDatabase } from './database/open.ts';
import { orExplain } from './serve.ts';
import { StartupError } from './startup-error.ts';

/** A mistyped DATA_DIR must not pass for an empty database that is whole, or worth a backup. */
function insistOnData({ databaseUrl, dataDir }: Config): void {
  if (databaseUrl !== undefined || existsSync(path.join(dataDir, 'postgres'))) return;
  throw new StartupError(
    `DATA_DIR (${dataDir}) holds no database. Set it to the folder of the server, or set DATABASE_URL.`,
  );
}

/**
 * Does `work` on the configured database; a StartupError ends the process with its sentence. Makes
 * an embedded database only for who `fills` it.
 */
export function runCommand(
  work: (db: Database, config: Config) => Promise<void>,
  { fills = false } = {},
): Promise<void> {
  return orExplain(async () => {
    const config = readConfig(process.env);
    if (!fills) insistOnData(config);
    const database = await openDatabase(config);
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
