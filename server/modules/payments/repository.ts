import { and, eq, inArray, or, sql } from 'drizzle-orm';
import type { Database } from '#server/database/database.ts';
import { topUps } from '#server/database/money-schema.ts';

export type TopUpRow = typeof topUps.$inferSelect;

export async function insertTopUp(db: Database, row: typeof topUps.$inferInsert): Promise<void> {
  await db.insert(topUps).values(row);
}

export async function findTopUp(db: Database, reference: string): Promise<TopUpRow | null> {
  const rows = await db.select().from(topUps).where(eq(topUps.reference, reference));
  return rows[0] ?? null;
}

/** The row, locked so that concurrent settlements take turns. */
export async function lockTopUp(tx: Database, reference: string): Promise<TopUpRow | null> {
  const rows = await tx.select().from(topUps).where(eq(topUps.reference, reference)).for('update');
  return rows[0] ?? null;
}

export async function updateTopUp(
  tx: Database,
  reference: string,
  changes: Partial<typeof topUps.$inferInsert>,
): Promise<void> {
  await tx.update(topUps).set(changes).where(eq(topUps.reference, reference));
}

export interface Claim {
  now: Date;
  createdBefore: Date;
  /** Ones abandoned before this are ignored. */
  abandonedAfter: Date;
  limit: number;
}

/**
 * Claims open top-ups to ask about: `checked_at` marks them, and rows claimed by another process
 * are skipped. Older ones are asked about less often.
 */
export async function claimOpenTopUps(db: Database, claim: Claim): Promise<TopUpRow[]> {
  const { now, createdBefore, abandonedAfter, limit } = claim;
  const at = sql`${now.toISOString()}::timestamptz`;
  const isDue = sql`(${topUps.checkedAt} is null or ${topUps.checkedAt} < ${at}
    - greatest(interval '4 minutes', (${at} - ${topUps.createdAt}) / 10))`;
  const isOpen = or(
    inArray(topUps.status, ['pending', 'failed']),
    and(
      eq(topUps.status, 'abandoned'),
      sql`${topUps.createdAt} > ${abandonedAfter.toISOString()}::timestamptz`,
    ),
  );
  const isOldEnough = sql`${topUps.createdAt} < ${createdBefore.toISOString()}::timestamptz`;
  const due = db
    .select({ reference: topUps.reference })
    .from(topUps)
    .where(and(isOpen, isOldEnough, isDue))
    .orderBy(topUps.createdAt)
    .limit(limit)
    .for('update', { skipLocked: true });
  return db
    .update(topUps)
    .set({ checkedAt: now })
    .where(inArray(topUps.reference, due))
    .returning();
}
