/**
 * The epoch of the database: cursors of another are void. A restored database gets a new one, since
 * its transaction ids start over or belong to another cluster.
 */
import { randomBytes } from 'node:crypto';
import { eq, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { type Database, selectScalar } from '#server/database/database.ts';
import { wallets } from '#server/database/money-schema.ts';
import { preparedQuery } from '#server/database/prepared-query.ts';
import { assignments, packages, serverSettings, users } from '#server/database/schema.ts';
import { getOrCreateSetting } from '#server/modules/auth/repository.ts';

const name = 'sync_epoch';
const fresh = () => randomBytes(12).toString('base64url');

const clock = preparedQuery(
  () => sql`select ${serverSettings.value} as epoch, pg_current_snapshot()::text as snapshot
    from ${serverSettings} where ${eq(serverSettings.name, name)}`,
);

/** The epoch and the current snapshot, in one statement. */
export async function readClock(db: Database): Promise<{ epoch: string; snapshot: string }> {
  const [read] = await clock(db);
  if (!read) throw new Error('The database has no epoch: it was opened without ensureEpoch.');
  return { epoch: String(read.epoch), snapshot: String(read.snapshot) };
}

/** Stamps every row with this transaction: another cluster's stamps mean nothing here. */
async function restamp(tx: Database): Promise<void> {
  const current = sql`pg_current_xact_id()`;
  await tx.update(packages).set({ changedXid: current });
  await tx.update(assignments).set({ changedXid: current });
  await tx.update(wallets).set({ changedXid: current });
  await tx.update(users).set({ changedXid: current, partyXid: current });
}

/** Voids every cursor, after a restore replaced the database's content. */
export async function renewEpoch(db: Database): Promise<void> {
  const value = fresh();
  await db
    .insert(serverSettings)
    .values({ name, value })
    .onConflictDoUpdate({ target: serverSettings.name, set: { value } });
}

/** Is any row stamped by a transaction this cluster has not started? */
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
  return selectScalar(tx, answer);
}

/** Runs at start: ensures an epoch that belongs to this cluster. */
export async function ensureEpoch(db: Database): Promise<void> {
  await getOrCreateSetting(db, name, fresh());
  await db.transaction(async (tx) => {
    // If servers start together, only one renews it.
    await tx.select().from(serverSettings).where(eq(serverSettings.name, name)).for('update');
    if (!(await isFromElsewhere(tx))) return;
    await renewEpoch(tx);
    await restamp(tx);
  });
}
