/**
 * The effect of a package's change on its sender's money. Pure: takes the package before and after,
 * returns the ledger's steps and the row's money columns.
 *
 *   unpaid ──hold──▶ held (paid) ──release──▶ paid out (paid)
 *     ▲ ◀──refund──────┘ │   ▲ ◀──reversal──────┘ only where a delivery is taken back
 *                        └─ while held, the hold is always the price
 *
 * A verified delivery is paid immediately, any other `releaseAfterMs` after all its pictures are
 * there. Returns and decided disputes divide the held money between courier and sender; a return
 * declared only by the sender waits as long (docs/decisions/0089). A reopened one is unpaid.
 */
import { attemptReasons, type Fault } from '#contract/event.ts';
import type { PaymentMethod, PaymentStatus } from '#contract/package.ts';
import type { TransferCause } from '#contract/payment.ts';
import { shareKoboOf } from '#domain/money.ts';
import type { StoredPackage } from '#domain/package.ts';
import type { DeliveryStatus } from '#domain/status.ts';

export interface MoneyTerms {
  /** 0: immediately. */
  releaseAfterMs: number;
  returnFeePercent: number;
}

export interface MoneyBefore {
  status: DeliveryStatus;
  courierId: string | null;
  priceKobo: number;
  paymentMethod: PaymentMethod;
  paymentStatus: PaymentStatus;
  heldKobo: number;
  releaseAt: Date | null;
  paidOutAt: Date | null;
  paidOutKobo: number | null;
  dispute: object | null;
}

/** The courier's part of what is held; the rest goes back to the sender. */
export interface Division {
  courierPercent: number;
  cause?: TransferCause;
}

export interface MoneyAfter {
  priceKobo: number;
  paymentMethod: PaymentMethod;
  status: DeliveryStatus;
  courierId: string | null;
  isDeleted: boolean;
  wanted: PaymentStatus | undefined;
  /** The delivery is certain: by code, scan, the sender's or a dispatcher's word. */
  isVerified: boolean;
  /** Pictures of the delivery that have not arrived. */
  photosMissing: number;
  /** The sender alone says that it came back. */
  isClaim?: boolean;
  /** Held money is divided now, regardless of the other rules. */
  division?: Division | undefined;
  /** The delivery is taken back, with what was paid for it. */
  isTakenBack?: boolean;
}

/** A change's facts about the money besides the next state of the package. */
export type ChangedMoney = Partial<
  Pick<MoneyAfter, 'wanted' | 'isClaim' | 'division' | 'isTakenBack'>
>;

type Deciding =
  | 'courierId'
  | 'status'
  | 'paymentMethod'
  | 'priceOfferKobo'
  | 'verifiedBy'
  | 'photosMissing';

/** Nothing else of a package decides about its money. */
export function moneyAfterOf(next: Pick<StoredPackage, Deciding>) {
  const { priceOfferKobo: priceKobo, verifiedBy: by, ...same } = next;
  // This server's rows always name one.
  const paymentMethod = same.paymentMethod ?? 'cash';
  return {
    ...same,
    paymentMethod,
    priceKobo,
    isVerified: by !== null && by !== 'photo',
    isDeleted: false,
  };
}

export type MoneyStep =
  | { kind: 'hold'; amountKobo: number }
  | { kind: 'refund'; amountKobo: number; cause?: TransferCause | undefined }
  | { kind: 'release'; amountKobo: number; courierId: string; cause?: TransferCause | undefined }
  | { kind: 'reversal'; amountKobo: number }
  | { kind: 'settlement'; amountKobo: number; isToCourier: boolean };

export interface MoneyPlan {
  steps: MoneyStep[];
  paymentStatus: PaymentStatus;
  heldKobo: number;
  releaseAt: Date | null;
  /** Null: nothing is; 0: all went back to the sender. */
  paidOutKobo: number | null;
}

/** The courier's part, 0 after a full refund; valid only if `paidOutAt` is set. */
const paidOutOf = ({ paidOutKobo, priceKobo }: MoneyBefore) => paidOutKobo ?? priceKobo;

/** Would this change the price or payment, which are fixed after the payout? */
export function touchesPayout(before: MoneyBefore, after: MoneyAfter): boolean {
  if (before.paidOutAt === null) return false;
  return (
    after.priceKobo !== before.priceKobo ||
    after.paymentMethod !== before.paymentMethod ||
    (after.wanted ?? before.paymentStatus) !== before.paymentStatus
  );
}

/** The columns of a payment that has not begun. */
export const notPaid = { paymentStatus: 'unpaid', paidOutAt: null, paidOutKobo: null } as const;

/**
 * Does this open a package for another payment, after the payout of an earlier delivery or return?
 * Not for the same courier, if paid in full: they deliver for that.
 */
export function beginsPayment(before: MoneyBefore, after: MoneyAfter): boolean {
  const { status, courierId, isDeleted, isTakenBack } = after;
  const isEnded = status === 'cancelled' || (status === 'delivered' && before.status === status);
  if (before.paidOutAt === null || isEnded || isDeleted || isTakenBack) return false;
  return courierId !== before.courierId || paidOutOf(before) < before.priceKobo;
}

/** A switch to wallet payment: then paid if the balance covers it, like a new package. */
export function becomesApp(before: MoneyBefore, after: MoneyAfter): boolean {
  return before.paymentMethod === 'cash' && after.paymentMethod === 'app';
}

/** Cancelled with its money: a return that one side declared, until there is a second word. */
const isClaimed = (before: MoneyBefore, { status, isClaim }: MoneyAfter) =>
  status === 'cancelled' && (isClaim || (before.status === status && before.heldKobo > 0));

function isOver(before: MoneyBefore, after: MoneyAfter): boolean {
  const { status, isDeleted, division } = after;
  return isDeleted || (status === 'cancelled' && !division && !isClaimed(before, after));
}

function wantedHold(before: MoneyBefore, after: MoneyAfter, availableKobo: number): number {
  if (after.paymentMethod !== 'app' || isOver(before, after)) return 0;
  if (after.wanted === 'unpaid') return 0;
  const isCovered = becomesApp(before, after) && availableKobo >= after.priceKobo;
  const isHeld = before.heldKobo > 0 || isCovered || after.wanted === 'paid';
  return isHeld ? after.priceKobo : 0;
}

function cashStatus(before: MoneyBefore, after: MoneyAfter): PaymentStatus {
  if (after.wanted !== undefined) return after.wanted;
  return before.paymentMethod === 'cash' ? before.paymentStatus : 'unpaid';
}

const whole: Division = { courierPercent: 100 };

/** How what is held is divided now; null: it stays held. */
function divisionOf(before: MoneyBefore, after: MoneyAfter, terms: MoneyTerms): Division | null {
  if (after.division) return after.division;
  if (after.status !== 'delivered' || before.dispute !== null) return null;
  // Only senders and admins pay, and paying after the delivery confirms it.
  const isPaidLate = before.heldKobo === 0;
  const isDue = terms.releaseAfterMs === 0 && after.photosMissing === 0;
  return after.isVerified || isPaidLate || isDue ? whole : null;
}

/** Does time alone decide about what is held now? Not before each named picture is there. */
function isOnItsWay(before: MoneyBefore, after: MoneyAfter): boolean {
  if (before.dispute !== null) return false;
  const isProven = after.status === 'delivered' && after.photosMissing === 0;
  return isProven || isClaimed(before, after);
}

/** The steps that divide `heldKobo`, to the kobo. */
function divided(heldKobo: number, courierId: string, { courierPercent, cause }: Division) {
  const share = shareKoboOf(heldKobo, courierPercent);
  const rest = heldKobo - share;
  const steps: MoneyStep[] = [];
  if (share > 0) steps.push({ kind: 'release', amountKobo: share, courierId, cause });
  if (rest > 0) steps.push({ kind: 'refund', amountKobo: rest, cause });
  return { steps, share };
}

/**
 * The transfer of a decision after the payout, so that the courier ends with their share of the
 * price. Null: they have exactly that.
 */
export function settlementOf(
  before: MoneyBefore,
  courierPercent: number,
): { step: Extract<MoneyStep, { kind: 'settlement' }>; paidOutKobo: number } | null {
  const share = shareKoboOf(before.priceKobo, courierPercent);
  const amountKobo = Math.abs(share - paidOutOf(before));
  if (amountKobo === 0) return null;
  const isToCourier = share > paidOutOf(before);
  return { step: { kind: 'settlement', amountKobo, isToCourier }, paidOutKobo: share };
}

function planAfterPayout(before: MoneyBefore, { isTakenBack }: MoneyAfter): MoneyPlan {
  const amountKobo = paidOutOf(before);
  const kept = { paymentStatus: before.paymentStatus, releaseAt: null };
  return isTakenBack
    ? {
        ...kept,
        steps: [{ kind: 'reversal', amountKobo }],
        heldKobo: amountKobo,
        paidOutKobo: null,
      }
    : { ...kept, steps: [], heldKobo: 0, paidOutKobo: amountKobo };
}

interface Circumstances {
  /** The sender's; used only when the package switches to wallet payment. */
  availableKobo: number;
  terms: MoneyTerms;
  now: Date;
}

export function moneyPlan(
  before: MoneyBefore,
  after: MoneyAfter,
  { availableKobo, terms, now }: Circumstances,
): MoneyPlan {
  if (before.paidOutAt !== null) return planAfterPayout(before, after);
  const held = wantedHold(before, after, availableKobo);
  const steps: MoneyStep[] = [];
  if (held > before.heldKobo) steps.push({ kind: 'hold', amountKobo: held - before.heldKobo });
  if (held < before.heldKobo) steps.push({ kind: 'refund', amountKobo: before.heldKobo - held });
  const { courierId, paymentMethod } = after;
  const division = held > 0 && courierId !== null ? divisionOf(before, after, terms) : null;
  if (division && courierId !== null) {
    const { steps: dividing, share } = divided(held, courierId, division);
    return {
      steps: [...steps, ...dividing],
      paymentStatus: share > 0 ? 'paid' : 'unpaid',
      heldKobo: 0,
      releaseAt: null,
      paidOutKobo: share,
    };
  }
  const appStatus = held > 0 ? 'paid' : 'unpaid';
  return {
    steps,
    paymentStatus: paymentMethod === 'cash' ? cashStatus(before, after) : appStatus,
    heldKobo: held,
    releaseAt:
      held > 0 && isOnItsWay(before, after)
        ? (before.releaseAt ?? new Date(now.getTime() + terms.releaseAfterMs))
        : null,
    paidOutKobo: null,
  };
}

/** Would this move what an open dispute has frozen, or the package itself? */
export function touchesDispute(
  before: MoneyBefore,
  after: MoneyAfter,
  { steps }: MoneyPlan,
): boolean {
  if (before.dispute === null) return false;
  const isMoved = after.status !== before.status || after.courierId !== before.courierId;
  return isMoved || steps.length > 0 || (after.isVerified && before.heldKobo > 0);
}

/**
 * The fault of a return: by the reason of the last failed attempt; without one, the sender's if
 * they started it, else nobody's.
 */
export function faultOfReturn(reason: string | null, isStartedBySender: boolean): Fault {
  if (reason === null) return isStartedBySender ? 'sender' : 'none';
  return reason in attemptReasons
    ? attemptReasons[reason as keyof typeof attemptReasons].fault
    : 'none';
}

/** Divides held money at a return: the courier is paid if recipient or sender caused it. */
export function divisionOfReturn(fault: Fault, { returnFeePercent }: MoneyTerms): Division {
  const isPaid = fault === 'recipient' || fault === 'sender';
  return { courierPercent: isPaid ? returnFeePercent : 0, cause: 'return' };
}
