/**
 * The epoch of the database: cursors of another one are void. A restored database gets a new one,
 * since its transaction numbers go back to where they were, or are those of another cluster.
 */
import { randomBytes } from 'node:crypto';
import { eq, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Database } from '#server/database/database.ts';
import { evaluate } from '#server/database/evaluate.ts';
import { wallets } from '#server/database/money-schema.ts';
import { assignments, packages, serverSettings, users } from '#server/database/schema.ts';
import { writtenOnce } from '#server/database/written.ts';
import { settingOr } from '#server/modules/auth/repository.ts';

const name = 'sync_epoch';
const fresh = () => randomBytes(12).toString('base64url');

const clock = writtenOnce(
  () => sql`select ${serverSettings.value} as epoch, pg_current_snapshot()::text as snapshot
    from ${serverSettings} where ${eq(serverSettings.name, name)}`,
);

/** The epoch and what the database has seen by now, in one statement. */
export async function readClock(db: Database): Promise<{ epoch: string; snapshot: string }> {
  const [read] = await clock(db);
  if (!read) throw new Error('The database has no epoch: it was opened without ensureEpoch.');
  return { epoch: String(read.epoch), snapshot: String(read.snapshot) };
}

/** Every row as written by this transaction: what another cluster stamped means nothing here. */
async function restamp(tx: Database): Promise<void> {
  const current = sql`pg_current_xact_id()`;
  await tx.update(packages).set({ changedXid: current });
  await tx.update(assignments).set({ changedXid: current });
  await tx.update(wallets).set({ changedXid: current });
  await tx.update(users).set({ changedXid: current, partyXid: current });
}

/**
 * Voids every cursor. For whoever put another state into the database, such as a restore (whose
 * rows have the stamp of its own transaction).
 */
export async function renewEpoch(db: Database): Promise<void> {
  const value = fresh();
  await db
    .insert(serverSettings)
    .values({ name, value })
    .onConflictDoUpdate({ target: serverSettings.name, set: { value } });
}

/** Has any row the stamp of a transaction that this cluster has not begun? */
async function isFromElsewhere(tx: Database): Promise<boolean> {
  const hasFuture = (column: PgColumn): SQL =>
    sql`exists (select 1 from ${column.table} where ${column} >= pg_snapshot_xmax(pg_current_snapshot()))`;
  const columns = [
    packages.changedXid,
    users.changedXid,
    users.partyXid,
    wallets.changedXid,
    assignments.changedXid,
  ];
  const answer = sql<boolean>`${sql.join(columns.map(hasFuture), sql` or `)}`;
  return evaluate(tx, answer);
}

/** At start: there is an epoch, and it is of this cluster. */
export async function ensureEpoch(db: Database): Promise<void> {
  await settingOr(db, name, fresh());
  await db.transaction(async (tx) => {
    // Of servers that start at once, one renews.
    await tx.select().from(serverSettings).where(eq(serverSettings.name, name)).for('update');
    if (!(await isFromElsewhere(tx))) return;
    await renewEpoch(tx);
    await restamp(tx);
  });
}
