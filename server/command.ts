/** What the commands beside the server share: they open its database, do one thing and end. */
import path from 'node:path';
import { type Config, readConfig } from './config.ts';
import type { Database } from './database/database.ts';
import { openDatabase } from './database/open.ts';
import { orExplain } from './serve.ts';

/** Does `work` on the configured database; a StartupError ends the process with its sentence. */
export function runCommand(work: (db: Database, config: Config) => Promise<void>): Promise<void> {
  return orExplain(async () => {
    const config = readConfig(process.env);
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
  const named = process.argv[2];
  if (!named) {
    process.stderr.write(`Name the file: ${usage}\n`);
    process.exit(1);
  }
  return path.resolve(process.env.INIT_CWD ?? process.cwd(), named);
}
