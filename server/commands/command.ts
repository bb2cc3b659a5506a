import path from 'node:path';
import { type Config, readConfig } from '#server/config/config.ts';
import { exitOnStartupError } from '#server/config/startup-error.ts';
import type { Database } from '#server/database/database.ts';
import { openDatabase, requireData } from '#server/database/open.ts';
import { commandTimeouts } from '#server/database/postgres.ts';

/**
 * Runs `work` on the configured database, which must exist unless `requireFirst` checks something
 * else. A StartupError exits with its sentence.
 */
export function runCommand(
  work: (db: Database, config: Config) => Promise<void>,
  requireFirst: (config: Config) => Promise<void> = requireData,
): Promise<void> {
  return exitOnStartupError(async () => {
    const config = readConfig(process.env);
    await requireFirst(config);
    const database = await openDatabase(config, commandTimeouts);
    try {
      await work(database.db, config);
    } finally {
      await database.close();
    }
  });
}

/** The only argument: a file, relative to the folder npm was called from. */
export function fileArgument(usage: string): string {
  const [named, ...more] = process.argv.slice(2);
  if (!named || more.length > 0) {
    process.stderr.write(`Name one file: ${usage}\n`);
    process.exit(1);
  }
  return path.resolve(process.env.INIT_CWD ?? process.cwd(), named);
}

const counted = (count = 0, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;

/** '1 user, 2 packages and 3 transfers', of the rows per table. */
export const contentOf = ({ users, packages, transfers }: Record<string, number>): string =>
  `${counted(users, 'user')}, ${counted(packages, 'package')} and ${counted(transfers, 'transfer')}`;
