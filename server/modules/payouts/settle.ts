/**
 * Turns the provider's word on a transfer into the stored payout. Invariants: its money leaves `payouts`
 * once, to the provider or back, and comes back at most once, also after it arrived.
 *
 *   pending ──success──▶ paid ───────┐ failed, reversed, abandoned, blocked, rejected
 *      └──the same, or refused───────┴──▶ returned
 *
 * What is returned stays returned: a `success` after that is for a dispatcher to look at, and so is
 * another amount or currency than was asked for. All other words leave it pending.
 */
import type { PayoutReason } from '#contract/payout.ts';
import type { Database } from '#server/database/database.ts';
import { inTransaction } from '#server/database/transaction.ts';
import { payoutArrived, payoutCameBack } from '#server/modules/ledger/service.ts';
import type { Transfer } from '#server/modules/payments/providers/transfers.ts';
import { payoutEnded, tellCourier } from './notices.ts';
import { lockPayout, type PayoutRow, updatePayout } from './repository.ts';

type End = { status: 'paid' } | { status: 'returned'; reason: PayoutReason };

const ends: Readonly<Record<string, End>> = {
  success: { status: 'paid' },
  failed: { status: 'returned', reason: 'failed' },
  abandoned: { status: 'returned', reason: 'failed' },
  reversed: { status: 'returned', reason: 'reversed' },
  blocked: { status: 'returned', reason: 'blocked' },
  rejected: { status: 'returned', reason: 'blocked' },
};

function problemOf(row: PayoutRow, { status, currency, amountKobo }: Transfer): string | null {
  if (currency !== 'NGN') return `sent in ${currency} and not in NGN`;
  if (amountKobo !== row.amountKobo) {
    return `sent ${amountKobo} kobo where ${row.amountKobo} were asked for`;
  }
  // An older answer may overtake the one that it was reversed.
  const isLate = row.status === 'returned' && row.reason !== 'reversed';
  return isLate && status === 'success' ? 'arrived after its money was given back' : null;
}

async function end(tx: Database, row: PayoutRow, to: End, now: Date): Promise<PayoutRow> {
  const money = {
    payoutId: row.id,
    userId: row.userId,
    amountKobo: row.amountKobo + row.feeKobo,
    now,
  };
  if (to.status === 'paid') await payoutArrived(tx, money);
  else await payoutCameBack(tx, { ...money, hadArrived: row.status === 'paid' });
  const changes = { ...to, checkedAt: now, endedAt: now };
  await updatePayout(tx, row.id, changes);
  const ended = { ...row, ...changes };
  await tellCourier(tx, { userId: row.userId, now, notice: payoutEnded(ended) });
  return ended;
}

const isStep = ({ status }: PayoutRow, to: End) =>
  status === 'pending' || (status === 'paid' && to.status === 'returned');

export interface Settled {
  row: PayoutRow;
  /** This call ended it, or took its end back. */
  isNews: boolean;
  /** A new one, for a dispatcher. */
  problem: string | null;
}

/** Settles `transfer` in its own transaction. Null: not a payout's reference. */
export function settle(db: Database, transfer: Transfer, now: Date): Promise<Settled | null> {
  return inTransaction(db, async (tx) => {
    const row = await lockPayout(tx, transfer.reference);
    if (!row) return null;
    const problem = problemOf(row, transfer);
    if (problem !== null) {
      const isNew = row.problem !== problem;
      if (isNew) await updatePayout(tx, row.id, { problem });
      return { row: { ...row, problem }, isNews: false, problem: isNew ? problem : null };
    }
    const to = Object.hasOwn(ends, transfer.status) ? ends[transfer.status] : undefined;
    if (!to || !isStep(row, to)) return { row, isNews: false, problem: null };
    return { row: await end(tx, row, to, now), isNews: true, problem: null };
  });
}

/** The provider made no transfer of it and will make none. */
export function settleRefused(
  db: Database,
  { reference }: PayoutRow,
  now: Date,
): Promise<Settled | null> {
  return inTransaction(db, async (tx) => {
    const row = await lockPayout(tx, reference);
    if (!row) return null;
    const isPending = row.status === 'pending';
    const refused: End = { status: 'returned', reason: 'refused' };
    return {
      row: isPending ? await end(tx, row, refused, now) : row,
      isNews: isPending,
      problem: null,
    };
  });
}
