import { and, eq, ne } from 'drizzle-orm';
import type { Database } from '#server/database/database.ts';
import { type SandboxStatus, sandboxTransactions } from '#server/database/money-schema.ts';

export type SandboxTransaction = typeof sandboxTransactions.$inferSelect;

/** False if the reference was used before. */
export async function insertTransaction(
  db: Database,
  row: typeof sandboxTransactions.$inferInsert,
): Promise<boolean> {
  const rows = await db
    .insert(sandboxTransactions)
    .values(row)
    .onConflictDoNothing({ target: sandboxTransactions.reference })
    .returning({ reference: sandboxTransactions.reference });
  return rows.length > 0;
}

/** By the server's reference, or the access code of the payer's page. */
export async function findTransaction(
  db: Database,
  by: 'reference' | 'accessCode',
  value: string,
): Promise<SandboxTransaction | null> {
  const rows = await db
    .select()
    .from(sandboxTransactions)
    .where(eq(sandboxTransactions[by], value));
  return rows[0] ?? null;
}

/** Stores the payer's decision, unless it was paid already; returns whether it did. */
export async function decide(
  db: Database,
  reference: string,
  status: SandboxStatus,
  now: Date,
): Promise<boolean> {
  const rows = await db
    .update(sandboxTransactions)
    .set({ status, ...(status === 'success' ? { paidAt: now } : {}) })
    .where(
      and(eq(sandboxTransactions.reference, reference), ne(sandboxTransactions.status, 'success')),
    )
    .returning({ reference: sandboxTransactions.reference });
  return rows.length > 0;
}

/** How long a page can be paid. */
export const pageLifeMs = 24 * 60 * 60 * 1000;

export type ChargeState = SandboxTransaction['status'] | 'expired';

/** For the page: an unpaid one expires. */
export function stateOf({ status, createdAt }: SandboxTransaction, now: Date): ChargeState {
  const isOld = now.getTime() - createdAt.getTime() >= pageLifeMs;
  return isOld && status !== 'success' ? 'expired' : status;
}

/** For the protocol: an expired undecided page is 'abandoned', in Paystack's words. */
export function chargeOf(transaction: SandboxTransaction, now: Date) {
  const { reference, amountKobo: amount, currency, email, paidAt } = transaction;
  const isLeft = transaction.status === 'ongoing' && stateOf(transaction, now) === 'expired';
  return {
    reference,
    amount,
    currency,
    status: isLeft ? 'abandoned' : transaction.status,
    paid_at: paidAt?.toISOString() ?? null,
    customer: { email },
  };
}
