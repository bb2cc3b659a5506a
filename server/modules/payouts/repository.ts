import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, lt, or, sql } from 'drizzle-orm';
import type { Database } from '#server/database/database.ts';
import { bankAccounts, payouts } from '#server/database/payout-schema.ts';

export type BankAccountRow = typeof bankAccounts.$inferSelect;
export type PayoutRow = typeof payouts.$inferSelect;

export async function findBankAccount(
  db: Database,
  userId: string,
): Promise<BankAccountRow | null> {
  const rows = await db.select().from(bankAccounts).where(eq(bankAccounts.userId, userId));
  return rows[0] ?? null;
}

/** The row, locked so that two saves take turns. */
export async function lockBankAccount(
  tx: Database,
  userId: string,
): Promise<BankAccountRow | null> {
  const isTheirs = eq(bankAccounts.userId, userId);
  const rows = await tx.select().from(bankAccounts).where(isTheirs).for('update');
  return rows[0] ?? null;
}

export async function saveBankAccount(tx: Database, row: BankAccountRow): Promise<void> {
  const { userId: _userId, ...set } = row;
  await tx
    .insert(bankAccounts)
    .values(row)
    .onConflictDoUpdate({ target: bankAccounts.userId, set });
}

export async function insertPayout(
  tx: Database,
  row: typeof payouts.$inferInsert,
): Promise<PayoutRow> {
  const [inserted] = await tx.insert(payouts).values(row).returning();
  if (!inserted) throw new Error('The payout was not inserted.');
  return inserted;
}

/** Newest first. */
export function newestPayouts(db: Database, userId: string, limit: number): Promise<PayoutRow[]> {
  return db
    .select()
    .from(payouts)
    .where(eq(payouts.userId, userId))
    .orderBy(desc(payouts.createdAt), desc(payouts.id))
    .limit(limit);
}

export async function findPayout(db: Database, reference: string): Promise<PayoutRow | null> {
  const rows = await db.select().from(payouts).where(eq(payouts.reference, reference));
  return rows[0] ?? null;
}

/** The row, locked so that concurrent settlements take turns. */
export async function lockPayout(tx: Database, reference: string): Promise<PayoutRow | null> {
  const isIt = eq(payouts.reference, reference);
  const rows = await tx.select().from(payouts).where(isIt).for('update');
  return rows[0] ?? null;
}

export async function updatePayout(
  tx: Database,
  id: string,
  changes: Partial<typeof payouts.$inferInsert>,
): Promise<void> {
  await tx.update(payouts).set(changes).where(eq(payouts.id, id));
}

const isUnsent = and(eq(payouts.status, 'pending'), isNull(payouts.sentAt));

/** Claims one that was never sent; another process skips what this one claims. */
export async function claimUnsent(db: Database, now: Date): Promise<PayoutRow | null> {
  // Asked every few seconds, mostly for nothing: a read commits nothing.
  const waiting = await db.select({ id: payouts.id }).from(payouts).where(isUnsent).limit(1);
  if (waiting.length === 0) return null;
  const next = db
    .select({ id: payouts.id })
    .from(payouts)
    .where(isUnsent)
    .orderBy(asc(payouts.createdAt))
    .limit(1)
    .for('update', { skipLocked: true });
  const rows = await db
    .update(payouts)
    .set({ sentAt: now, checkedAt: now })
    .where(inArray(payouts.id, next))
    .returning();
  return rows[0] ?? null;
}

export interface Claim {
  now: Date;
  sentBefore: Date;
  /** Ones paid before this are ignored: it is too late for them to come back unheard. */
  paidAfter: Date;
  limit: number;
}

/**
 * Claims sent payouts to ask about: pending ones, and paid ones that may still come back. `checked_at`
 * marks them; older ones are asked about less often.
 */
export function claimOpen(db: Database, claim: Claim): Promise<PayoutRow[]> {
  const { now, sentBefore, paidAfter, limit } = claim;
  const at = sql`${now.toISOString()}::timestamptz`;
  const isDue = sql`${payouts.checkedAt} <= ${at}
    - greatest(interval '2 minutes', least(interval '6 hours', (${at} - ${payouts.createdAt}) / 10))`;
  const isOpen = or(
    eq(payouts.status, 'pending'),
    and(eq(payouts.status, 'paid'), gt(payouts.endedAt, paidAfter)),
  );
  const wasSent = and(isNotNull(payouts.sentAt), lt(payouts.sentAt, sentBefore));
  const due = db
    .select({ id: payouts.id })
    .from(payouts)
    .where(and(isOpen, wasSent, isDue))
    .orderBy(asc(payouts.checkedAt))
    .limit(limit)
    .for('update', { skipLocked: true });
  return db.update(payouts).set({ checkedAt: now }).where(inArray(payouts.id, due)).returning();
}
