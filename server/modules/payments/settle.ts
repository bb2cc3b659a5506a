/**
 * Turns the provider's charge into the stored top-up; used by verify, webhook and reconcile.
 * Invariant: a reference is credited once, with the provider's amount, and only if that is at most
 * the requested one.
 *
 *   pending ⇄ failed ⇄ abandoned ──success──▶ credited
 *      └──success in another currency, or above the requested amount──▶ review
 */
import type { Database } from '#server/database/database.ts';
import { inTransaction } from '#server/database/transaction.ts';
import { topUp } from '#server/modules/ledger/service.ts';
import type { Charge } from '#server/modules/payments/providers/paystack.ts';
import { lockTopUp, type TopUpRow, updateTopUp } from './repository.ts';

function problemOf(row: TopUpRow, { currency, amountKobo }: Charge): string | null {
  if (currency !== 'NGN') return `paid in ${currency} and not in NGN`;
  if (amountKobo > row.requestedKobo) {
    return `paid ${amountKobo} kobo where ${row.requestedKobo} were asked for`;
  }
  return null;
}

/** Is the outcome final? */
export function isSettled({ status }: Pick<TopUpRow, 'status'>): boolean {
  return status === 'credited' || status === 'review';
}

function changesBy(row: TopUpRow, charge: Charge, now: Date): Partial<TopUpRow> {
  if (charge.status === 'success') {
    const problem = problemOf(row, charge);
    if (problem !== null) return { status: 'review', problem };
    return { status: 'credited', creditedKobo: charge.amountKobo, creditedAt: now };
  }
  const isOver = charge.status === 'failed' || charge.status === 'abandoned';
  return isOver ? { status: charge.status as 'failed' | 'abandoned' } : {};
}

/**
 * Settles `charge` in its own transaction. Null: unknown reference. Calls `onReview` once if a
 * dispatcher must review it.
 */
export async function settle(
  db: Database,
  charge: Charge,
  now: Date,
  onReview: (row: TopUpRow) => void,
): Promise<TopUpRow | null> {
  const outcome = await inTransaction(db, async (tx) => {
    const row = await lockTopUp(tx, charge.reference);
    if (!row || isSettled(row)) return { row, isReview: false };
    const changes = changesBy(row, charge, now);
    await updateTopUp(tx, row.reference, { ...changes, checkedAt: now });
    if (changes.status === 'credited') {
      const { reference, userId } = row;
      await topUp(tx, { reference, userId, amountKobo: charge.amountKobo, now });
    }
    return { row: { ...row, ...changes, checkedAt: now }, isReview: changes.status === 'review' };
  });
  if (outcome.isReview && outcome.row) onReview(outcome.row);
  return outcome.row;
}

/** Marks an old top-up abandoned, unless it was settled; a later success still credits it. */
export function giveUp(db: Database, reference: string): Promise<TopUpRow | null> {
  return inTransaction(db, async (tx) => {
    const row = await lockTopUp(tx, reference);
    if (!row || isSettled(row)) return row;
    await updateTopUp(tx, reference, { status: 'abandoned' });
    return { ...row, status: 'abandoned' as const };
  });
}
