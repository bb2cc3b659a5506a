import type { Database } from '#server/database/database.ts';
import type { PackageRow } from '#server/database/schema.ts';
import { Refusal } from '#server/http/refusal.ts';
import { lockWallets, type Wallet } from '#server/modules/ledger/repository.ts';
import { hold, refund, release, reverse, settle } from '#server/modules/ledger/service.ts';
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
  settlementOf,
  touchesDispute,
  touchesPayout,
} from './package-money.ts';

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

/** Money that the courier has spent cannot be reversed: refuses with `too_late`. */
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

async function settleOrRefuse(tx: Database, money: Parameters<typeof settle>[1]) {
  try {
    await settle(tx, money);
  } catch (error) {
    if (error instanceof Refusal && error.code === 'insufficient_funds') {
      throw new Refusal('money_spent', error.details);
    }
    throw error;
  }
}

async function perform(
  tx: Database,
  { row, actorId, now }: Pick<Payment, 'row' | 'actorId' | 'now'>,
  step: MoneyStep,
) {
  const of = { packageId: row.id, senderId: row.senderId, actorId, now };
  if (step.kind === 'reversal') return reverseOrRefuse(tx, { ...of, reason: 'correction' });
  const { amountKobo } = step;
  if (step.kind === 'settlement') {
    const { courierId } = row;
    if (courierId === null) throw new Error('What has ended has a courier.');
    return settleOrRefuse(tx, { ...of, ...step, courierId, reason: 'dispute' });
  }
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
 * Moves the money of a decision after the payout, and returns the columns to write; null: it moves
 * nothing. Refuses with `money_spent`, naming what is missing: then nothing is moved.
 */
export async function settleDecision(
  tx: Database,
  { row, actorId, now }: Pick<Payment, 'row' | 'actorId' | 'now'>,
  courierPercent: number,
): Promise<Pick<MoneyColumns, 'paymentStatus' | 'paidOutKobo'> | null> {
  if (row.paidOutAt === null) return null;
  const settlement = settlementOf(row, courierPercent);
  if (settlement === null) return null;
  const { step, paidOutKobo } = settlement;
  await perform(tx, { row, actorId, now }, step);
  return { paymentStatus: paidOutKobo > 0 ? 'paid' : 'unpaid', paidOutKobo };
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
        // `wanted` refers to the earlier payment, which is over.
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
