import { sql } from 'drizzle-orm';
import type { Database } from '#server/database/database.ts';
import { users } from '#server/database/schema.ts';
import { auditWithin } from '#server/modules/ledger/audit.ts';
import { renewEpoch } from '#server/modules/sync/epoch.ts';
import { countMigrations } from './dump.ts';
import { BackupError } from './errors.ts';
import { openBackup } from './file.ts';
import { isEmpty, load } from './load.ts';

async function insistOnEmpty(db: Database): Promise<void> {
  if (await isEmpty(db)) return;
  throw new BackupError(
    'This database has users already, and a restore would mix two pasts. Name an empty one with DATA_DIR or DATABASE_URL.',
  );
}

/**
 * Fills an empty database from the backup in `file`, whole or not at all and only if its money adds
 * up, which a whole file does not prove. Voids the cursors that devices hold: they spoke of the
 * database as it was. Resolves with the rows per table.
 */
export async function restoreBackup(db: Database, file: string): Promise<Record<string, number>> {
  const { header, lines } = await openBackup(file);
  await insistOnEmpty(db);
  const migrations = await countMigrations(db);
  if (header.migrations > migrations) {
    throw new BackupError(
      `${file} was made by a newer version of this program. Restore it with that version or a later one.`,
    );
  }
  return db.transaction(async (tx) => {
    // Of two restores at once the second waits for the first, and finds what it has brought.
    await tx.execute(sql`lock table ${users} in share row exclusive mode`);
    await insistOnEmpty(tx);
    const counts = await load(tx, lines);
    const [broken] = await auditWithin(tx);
    if (broken !== undefined) {
      throw new BackupError(
        `The money in ${file} does not add up: ${broken} Use another backup; nothing was restored.`,
      );
    }
    await renewEpoch(tx);
    return counts;
  });
}
