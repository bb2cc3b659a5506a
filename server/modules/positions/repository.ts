/**
 * Couriers' shared positions: the last one of each, for ten minutes and while they carry a package.
 * Expired ones are invisible immediately, and deleted within a minute (`forgetOld`).
 */
import { and, desc, eq, exists, gt, isNull, lte, not, or, type SQL, sql } from 'drizzle-orm';
import type { CourierPosition } from '#contract/position.ts';
import { oldestPosition } from '#domain/position.ts';
import type { Database } from '#server/database/database.ts';
import { positions } from '#server/database/recipient-schema.ts';
import { packages } from '#server/database/schema.ts';

export type PositionRow = typeof positions.$inferSelect;

const isCarrying = (db: Database): SQL => {
  const isTheirs = eq(packages.courierId, positions.courierId);
  // Written out, so that the planner finds the partial index.
  const isCarried = sql`${packages.status} = 'in-transit'`;
  const isThere = isNull(packages.deletedAt);
  return exists(
    db
      .select({ one: sql`1` })
      .from(packages)
      .where(and(isTheirs, isCarried, isThere)),
  );
};

const isCurrent = (db: Database, now: Date) =>
  and(gt(positions.at, oldestPosition(now)), isCarrying(db));

/** Replaces the last one. */
export async function putPosition(tx: Database, row: PositionRow): Promise<void> {
  const { courierId: _, ...changes } = row;
  await tx
    .insert(positions)
    .values(row)
    .onConflictDoUpdate({ target: positions.courierId, set: changes });
}

export async function deletePosition(tx: Database, courierId: string): Promise<void> {
  await tx.delete(positions).where(eq(positions.courierId, courierId));
}

/** As the couriers sent them, the newest first. */
export async function listPositions(db: Database, now: Date): Promise<CourierPosition[]> {
  const rows = await db
    .select()
    .from(positions)
    .where(isCurrent(db, now))
    .orderBy(desc(positions.at), positions.courierId);
  return rows.map(({ at, ...row }) => ({ ...row, at: at.toISOString() }));
}

/** Deletes what may not be seen any more. */
export async function forgetOld(db: Database, now: Date): Promise<void> {
  const isOver = lte(positions.at, oldestPosition(now));
  await db.delete(positions).where(or(isOver, not(isCarrying(db))));
}
