import type { Database } from '#server/database/database.ts';
import { Refusal } from '#server/http/refusal.ts';
import { lockWallets, type Wallet } from '#server/modules/ledger/repository.ts';
import { hold, refund, release } from '#server/modules/ledger/service.ts';
import {
  becomesApp,
  type MoneyAfter,
  type MoneyPlan,
  type MoneyStep,
  moneyPlan,
  touchesPayout,
} from './package-money.ts';
import type { PackageRow } from './repository.ts';

interface Payment {
  row: Pick<
    PackageRow,
    'id' | 'senderId' | 'priceKobo' | 'paymentMethod' | 'paymentStatus' | 'heldKobo' | 'paidOutAt'
  >;
  after: MoneyAfter;
  actorId: string;
  now: Date;
}

type MoneyColumns = Pick<PackageRow, 'paymentStatus' | 'heldKobo' | 'paidOutAt'>;

/** Locks every wallet that may change together, so that two changes cannot deadlock. */
function lockParties(tx: Database, { row, after, actorId }: Payment): Promise<Map<string, Wallet>> {
  const mayPayOut = after.status === 'delivered' && after.courierId !== null;
  const courier = mayPayOut && after.courierId !== null ? [after.courierId] : [];
  return lockWallets(tx, [row.senderId, ...courier], actorId);
}

async function perform(tx: Database, { row, actorId, now }: Payment, step: MoneyStep) {
  const { amountKobo } = step;
  const money = { packageId: row.id, senderId: row.senderId, amountKobo, actorId, now };
  if (step.kind === 'release') await release(tx, { ...money, courierId: step.courierId });
  else if (step.kind === 'hold') await hold(tx, money);
  else await refund(tx, money);
}

function columnsOf({ paymentStatus, heldKobo, isPaidOut }: MoneyPlan, { row, now }: Payment) {
  return { paymentStatus, heldKobo, paidOutAt: row.paidOutAt ?? (isPaidOut ? now : null) };
}

/** Does the sender's balance cover this amount? Locked until the transaction ends. */
export async function covers(
  tx: Database,
  senderId: string,
  actorId: string,
  amountKobo: number,
): Promise<boolean> {
  const wallets = await lockWallets(tx, [senderId], actorId);
  return (wallets.get(senderId)?.availableKobo ?? 0) >= amountKobo;
}

/**
 * Moves the money of a change under the package's lock; returns the columns to write. Refuses with
 * `paid_out` or `insufficient_funds`.
 */
export async function settleChange(tx: Database, payment: Payment): Promise<MoneyColumns> {
  const { row, after } = payment;
  if (touchesPayout(row, after)) throw new Refusal('paid_out');
  // The plan depends on the balance, so lock that first.
  const wallets = becomesApp(row, after) ? await lockParties(tx, payment) : undefined;
  const plan = moneyPlan(row, after, wallets?.get(row.senderId)?.availableKobo ?? 0);
  if (!wallets && plan.steps.length > 0) await lockParties(tx, payment);
  for (const step of plan.steps) await perform(tx, payment, step);
  return columnsOf(plan, payment);
}

/**
 * The same for a delivery that is taken back. Refuses with `paid_out` what a courier has already.
 */
export async function undoRelease(tx: Database, payment: Payment): Promise<MoneyColumns> {
  if (payment.row.paidOutAt !== null) throw new Refusal('paid_out');
  return settleChange(tx, payment);
}
