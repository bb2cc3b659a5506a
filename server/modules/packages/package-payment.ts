import type { Database } from '#server/database/database.ts';
import { Refusal } from '#server/http/refusal.ts';
import { lockWallets, type Wallet } from '#server/modules/ledger/repository.ts';
import { hold, refund, release, reverse } from '#server/modules/ledger/service.ts';
import {
  becomesApp,
  beginsPayment,
  type MoneyAfter,
  type MoneyBefore,
  type MoneyPlan,
  type MoneyStep,
  type MoneyTerms,
  moneyPlan,
  notPaid,
  touchesDispute,
  touchesPayout,
} from './package-money.ts';
import type { PackageRow } from './repository.ts';

interface Payment {
  row: MoneyBefore & Pick<PackageRow, 'id' | 'senderId'>;
  after: MoneyAfter;
  /** Null: the server, when it is due. */
  actorId: string | null;
  now: Date;
  terms: MoneyTerms;
}

type MoneyColumns = Pick<
  PackageRow,
  'paymentStatus' | 'heldKobo' | 'releaseAt' | 'paidOutAt' | 'paidOutKobo'
>;

/** Locks every wallet that may change together, so that two changes cannot deadlock. */
function lockParties(tx: Database, { row, after, actorId }: Payment): Promise<Map<string, Wallet>> {
  const movesCourier = after.status === 'delivered' || after.division || after.isTakenBack;
  const couriers = movesCourier ? [row.courierId, after.courierId] : [];
  const parties = [row.senderId, ...couriers].filter((id) => id !== null);
  return lockWallets(tx, parties, actorId);
}

/** What the courier no longer has cannot be taken back. */
async function reverseOrRefuse(tx: Database, money: Parameters<typeof reverse>[1]) {
  try {
    await reverse(tx, money);
  } catch (error) {
    if (error instanceof Refusal && error.code === 'insufficient_funds') {
      throw new Refusal('too_late');
    }
    throw error;
  }
}

async function perform(tx: Database, { row, actorId, now }: Payment, step: MoneyStep) {
  const of = { packageId: row.id, senderId: row.senderId, actorId, now };
  if (step.kind === 'reversal') return reverseOrRefuse(tx, { ...of, reason: 'correction' });
  const { amountKobo } = step;
  if (step.kind === 'hold') return hold(tx, { ...of, amountKobo });
  const money = { ...of, amountKobo, reason: step.cause };
  if (step.kind === 'refund') return refund(tx, money);
  return release(tx, { ...money, courierId: step.courierId });
}

function columnsOf(
  { paymentStatus, heldKobo, releaseAt, paidOutKobo }: MoneyPlan,
  { row, now }: Payment,
): MoneyColumns {
  const isPaidOut = paidOutKobo !== null;
  return {
    paymentStatus,
    heldKobo,
    releaseAt,
    paidOutKobo,
    paidOutAt: isPaidOut ? (row.paidOutAt ?? now) : null,
  };
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
 * `paid_out`, `disputed`, `too_late` or `insufficient_funds`.
 */
export async function settleChange(tx: Database, change: Payment): Promise<MoneyColumns> {
  if (touchesPayout(change.row, change.after)) throw new Refusal('paid_out');
  const payment: Payment = beginsPayment(change.row, change.after)
    ? {
        ...change,
        row: { ...change.row, ...notPaid },
        // Said of the earlier payment.
        after: { ...change.after, wanted: undefined },
      }
    : change;
  const { row, after, terms, now } = payment;
  // The plan depends on the balance, so lock that first.
  const wallets = becomesApp(row, after) ? await lockParties(tx, payment) : undefined;
  const availableKobo = wallets?.get(row.senderId)?.availableKobo ?? 0;
  const plan = moneyPlan(row, after, { availableKobo, terms, now });
  if (touchesDispute(row, after, plan)) throw new Refusal('disputed');
  if (!wallets && plan.steps.length > 0) await lockParties(tx, payment);
  for (const step of plan.steps) await perform(tx, payment, step);
  return columnsOf(plan, payment);
}
