/**
 * The effect of a package's change on its sender's money. Pure: takes the package before and after,
 * returns the ledger's steps and the row's money columns.
 *
 *   unpaid ──hold──▶ held (paid) ──release──▶ paid out (paid, for good)
 *     ▲ ◀──refund──────┘ └─ while held, the hold is always the price
 */
import type { PaymentMethod, PaymentStatus } from '#contract/package.ts';
import type { DeliveryStatus } from '#domain/status.ts';

export interface MoneyBefore {
  priceKobo: number;
  paymentMethod: PaymentMethod;
  paymentStatus: PaymentStatus;
  heldKobo: number;
  paidOutAt: Date | null;
}

export interface MoneyAfter {
  priceKobo: number;
  paymentMethod: PaymentMethod;
  status: DeliveryStatus;
  courierId: string | null;
  isDeleted: boolean;
  wanted: PaymentStatus | undefined;
}

export type MoneyStep =
  | { kind: 'hold' | 'refund'; amountKobo: number }
  | { kind: 'release'; amountKobo: number; courierId: string };

export interface MoneyPlan {
  steps: MoneyStep[];
  paymentStatus: PaymentStatus;
  heldKobo: number;
  isPaidOut: boolean;
}

/** Would this change the price or payment, which are fixed after the payout? */
export function touchesPayout(before: MoneyBefore, after: MoneyAfter): boolean {
  if (before.paidOutAt === null) return false;
  return (
    after.priceKobo !== before.priceKobo ||
    after.paymentMethod !== before.paymentMethod ||
    after.wanted === 'unpaid'
  );
}

/** A switch to wallet payment: then paid if the balance covers it, like a new package. */
export function becomesApp(before: MoneyBefore, after: MoneyAfter): boolean {
  return before.paymentMethod === 'cash' && after.paymentMethod === 'app';
}

const isOver = ({ status, isDeleted }: MoneyAfter) => isDeleted || status === 'cancelled';

function wantedHold(before: MoneyBefore, after: MoneyAfter, availableKobo: number): number {
  if (after.paymentMethod !== 'app' || isOver(after) || after.wanted === 'unpaid') return 0;
  const isCovered = becomesApp(before, after) && availableKobo >= after.priceKobo;
  const isHeld = before.heldKobo > 0 || isCovered || after.wanted === 'paid';
  return isHeld ? after.priceKobo : 0;
}

function cashStatus(before: MoneyBefore, after: MoneyAfter): PaymentStatus {
  if (after.wanted !== undefined) return after.wanted;
  return before.paymentMethod === 'cash' ? before.paymentStatus : 'unpaid';
}

/** `availableKobo`: the sender's; used only when the package switches to wallet payment. */
export function moneyPlan(
  before: MoneyBefore,
  after: MoneyAfter,
  availableKobo: number,
): MoneyPlan {
  if (before.paidOutAt !== null) {
    return { steps: [], paymentStatus: 'paid', heldKobo: 0, isPaidOut: true };
  }
  const held = wantedHold(before, after, availableKobo);
  const steps: MoneyStep[] = [];
  if (held > before.heldKobo) steps.push({ kind: 'hold', amountKobo: held - before.heldKobo });
  if (held < before.heldKobo) steps.push({ kind: 'refund', amountKobo: before.heldKobo - held });
  const paidTo = held > 0 && after.status === 'delivered' ? after.courierId : null;
  if (paidTo !== null) steps.push({ kind: 'release', amountKobo: held, courierId: paidTo });
  const appStatus = held > 0 ? 'paid' : 'unpaid';
  return {
    steps,
    paymentStatus: after.paymentMethod === 'cash' ? cashStatus(before, after) : appStatus,
    heldKobo: paidTo === null ? held : 0,
    isPaidOut: paidTo !== null,
  };
}
