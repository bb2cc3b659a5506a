import { sql } from 'drizzle-orm';
import { StartupError } from '#server/config/startup-error.ts';
import type { Database } from '#server/database/database.ts';
import { users } from '#server/database/schema.ts';
import { auditWithin } from '#server/modules/ledger/audit.ts';
import { renewEpoch } from '#server/modules/sync/epoch.ts';
import { countMigrations } from './dump.ts';
import { openBackup } from './file.ts';
import { isEmpty, load } from './load.ts';

async function requireEmpty(db: Database): Promise<void> {
  if (await isEmpty(db)) return;
  throw new StartupError(
    'This database has users already, and a restore would mix two histories. Name an empty one with DATA_DIR or DATABASE_URL.',
  );
}

/**
 * Restores `file` into an empty database if its ledger passes the audit, all or nothing. Voids all
 * sync cursors. Resolves with rows per table.
 */
export async function restoreBackup(db: Database, file: string): Promise<Record<string, number>> {
  const { header, lines } = await openBackup(file);
  await requireEmpty(db);
  const migrations = await countMigrations(db);
  if (header.migrations > migrations) {
    throw new StartupError(
      `${file} was made by a newer version of this program. Restore it with that version or a later one.`,
    );
  }
  return db.transaction(async (tx) => {
    // A concurrent restore waits here, then finds these rows.
    await tx.execute(sql`lock table ${users} in share row exclusive mode`);
    await requireEmpty(tx);
    const counts = await load(tx, lines);
    const [broken] = await auditWithin(tx);
    if (broken !== undefined) {
      throw new StartupError(
        `The money in ${file} does not add up: ${broken} Use another backup; nothing was restored.`,
      );
    }
    await renewEpoch(tx);
    return counts;
  });
}
