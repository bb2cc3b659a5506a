import { sql } from 'drizzle-orm';
import type { Database } from '#server/database/database.ts';
import type { BackupHeader } from './format.ts';
import { type BackupTable, backupTables, names } from './tables.ts';

const usualRows = 500;
/** A row of pictures may have a megabyte as text. */
const rowsPerBatch: Readonly<Record<string, number>> = { proofs: 8 };

/** Number of migrations applied to this database. */
export async function countMigrations(db: Database): Promise<number> {
  const table = sql`drizzle.__drizzle_migrations`;
  const count = sql<number>`count(*)::int`;
  const rows = await db.select({ count }).from(table);
  return rows[0]?.count ?? 0;
}

/** Batches of rows as JSON text. A cursor keeps tables of any size out of memory. */
async function* batchesOf(tx: Database, table: BackupTable): AsyncGenerator<string[]> {
  const cursor = sql.identifier(`backup_${table.name}`);
  const batchRows = rowsPerBatch[table.name] ?? usualRows;
  await tx.execute(
    sql`declare ${cursor} cursor for select to_jsonb(picked)::text as row from
      (select ${names(table.columns)} from ${sql.identifier(table.name)}) as picked`,
  );
  for (;;) {
    const fetched = await tx.execute(sql`fetch ${sql.raw(String(batchRows))} from ${cursor}`);
    const rows = rowsOf(fetched).map(({ row }) => String(row));
    if (rows.length > 0) yield rows;
    if (rows.length < batchRows) break;
  }
  await tx.execute(sql`close ${cursor}`);
}

/** Drizzle types a raw statement's result as unknown; every driver returns this shape. */
function rowsOf(result: unknown): Record<string, unknown>[] {
  return (result as { rows: Record<string, unknown>[] }).rows;
}

/** Passes the lines of a backup to `write`, from one snapshot. Resolves with rows per table. */
export function dump(
  db: Database,
  now: Date,
  write: (line: string) => Promise<void>,
): Promise<Record<string, number>> {
  return db.transaction(
    async (tx) => {
      const header: BackupHeader = {
        format: 'kaya-backup',
        version: 1,
        migrations: await countMigrations(tx),
        createdAt: now.toISOString(),
      };
      await write(JSON.stringify(header));
      const counts: Record<string, number> = {};
      for (const table of backupTables()) {
        counts[table.name] = 0;
        for await (const rows of batchesOf(tx, table)) {
          counts[table.name] = (counts[table.name] ?? 0) + rows.length;
          await write(`{"table":${JSON.stringify(table.name)},"rows":[${rows.join(',')}]}`);
        }
      }
      const rows = Object.values(counts).reduce((sum, count) => sum + count, 0);
      await write(JSON.stringify({ end: true, rows }));
      return counts;
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
}
