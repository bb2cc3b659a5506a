/**
 * A model of the money without steps or ledger: wallets and packages in memory. The property test
 * compares the server with it.
 */
import type { Fault } from '#contract/event.ts';
import type { PaymentMethod, PaymentStatus } from '#contract/package.ts';
import type { DeliveryStatus } from '#domain/status.ts';

export interface ModelPackage {
  id: string;
  senderId: string;
  courierId: string | null;
  price: number;
  method: PaymentMethod;
  status: DeliveryStatus;
  cashPaid: boolean;
  held: number;
  /** When what is held goes to the courier; ms. */
  releaseAt: number | null;
  isVerified: boolean;
  /** A picture that the delivery names has not arrived. */
  isPictureMissing: boolean;
  isDisputed: boolean;
  /** A dispute was decided since it last moved. */
  isDecided: boolean;
  /** How often it was delivered. */
  deliveries: number;
  /** When its sender alone declared a return; ms. */
  claimedAt: number | null;
  /** What a courier got, if only 0, and for which delivery. */
  paidOut: { amount: number; courierId: string; delivery: number } | null;
  /** Who was at fault for the last failed attempt. */
  fault: Fault | null;
  isDeleted: boolean;
}

export interface ModelTopUp {
  reference: string;
  userId: string;
  amount: number;
  isPaid: boolean;
  isCredited: boolean;
}

export interface Change {
  price?: number | undefined;
  method?: PaymentMethod | undefined;
  status?: DeliveryStatus | undefined;
  courierId?: string | null | undefined;
  wanted?: PaymentStatus | undefined;
  isDeleted?: boolean;
  /** By the sender or an admin. */
  isVerified?: boolean;
}

/** The server's expected answer, as far as money determines it. */
export type Verdict =
  | { is: 'fine' | 'paid_out' | 'disputed' | 'too_late' | 'money_spent' }
  | { is: 'short'; missing: number };

export const releaseAfterMs = 24 * 3_600_000;
export const returnFeePercent = 50;
/** A phone that was away longer is not believed when something happened. */
const trustedMs = 6 * 3_600_000;

export class MoneyModel {
  readonly available = new Map<string, number>();
  readonly packages: ModelPackage[] = [];
  readonly topUps: ModelTopUp[] = [];
  adjusted = 0;

  constructor(users: readonly string[]) {
    for (const id of users) this.available.set(id, 0);
  }

  has(userId: string): number {
    return this.available.get(userId) ?? 0;
  }

  give(userId: string, kobo: number): void {
    this.available.set(userId, this.has(userId) + kobo);
  }

  held(userId: string): number {
    const own = this.packages.filter(({ senderId }) => senderId === userId);
    return own.reduce((sum, pkg) => sum + pkg.held, 0);
  }

  create(pkg: Pick<ModelPackage, 'id' | 'senderId' | 'price' | 'method'>): void {
    const isHeld = pkg.method === 'app' && this.has(pkg.senderId) >= pkg.price;
    if (isHeld) this.give(pkg.senderId, -pkg.price);
    this.packages.push({
      ...pkg,
      courierId: null,
      status: 'pending',
      cashPaid: false,
      held: isHeld ? pkg.price : 0,
      releaseAt: null,
      isVerified: false,
      isPictureMissing: false,
      isDisputed: false,
      paidOut: null,
      isDecided: false,
      deliveries: 0,
      claimedAt: null,
      fault: null,
      isDeleted: false,
    });
  }

  private payOut(pkg: ModelPackage, courierId: string, amount: number): void {
    this.give(courierId, amount);
    pkg.paidOut = { amount, courierId, delivery: pkg.deliveries };
  }

  /** What is held is divided, half a kobo in favour of the courier. */
  divide(pkg: ModelPackage, percent: number): void {
    if (pkg.held === 0 || pkg.courierId === null) return;
    const share = Math.floor((pkg.held * percent + 50) / 100);
    this.give(pkg.senderId, pkg.held - share);
    this.payOut(pkg, pkg.courierId, share);
    Object.assign(pkg, { held: 0, releaseAt: null });
  }

  private divideReturn(pkg: ModelPackage, startedBy: 'sender' | 'admin'): void {
    const fault = pkg.fault ?? (startedBy === 'sender' ? 'sender' : 'none');
    this.divide(pkg, fault === 'sender' || fault === 'recipient' ? returnFeePercent : 0);
  }

  /** Started and ended by the sender: a claim, which waits for another's word. */
  comeBack(pkg: ModelPackage, startedBy: 'sender' | 'admin', now: number): void {
    pkg.status = 'cancelled';
    pkg.claimedAt = startedBy === 'sender' ? now : null;
    if (startedBy === 'admin') this.divideReturn(pkg, startedBy);
    else if (pkg.held > 0) pkg.releaseAt = now + releaseAfterMs;
  }

  isClaimed = ({ status, held, isDisputed }: ModelPackage) =>
    status === 'cancelled' && held > 0 && !isDisputed;

  /** Does a delivery that the recipient's code proves win over the return that the sender declared? */
  givesWay({ claimedAt, paidOut }: ModelPackage, happenedAt: number, now: number): boolean {
    const isEarlier = claimedAt !== null && happenedAt < claimedAt;
    return isEarlier && now - happenedAt <= trustedMs && paidOut === null;
  }

  settleClaim(pkg: ModelPackage): void {
    this.divideReturn(pkg, 'sender');
  }

  /** Delivered with a picture that has not arrived. */
  show(pkg: ModelPackage, now: number): void {
    this.judge(pkg, { status: 'delivered' }, now).apply();
    Object.assign(pkg, { isPictureMissing: true, releaseAt: null });
  }

  pictureArrives(pkg: ModelPackage, now: number): void {
    pkg.isPictureMissing = false;
    if (pkg.held > 0 && !pkg.isDisputed) pkg.releaseAt = now + releaseAfterMs;
  }

  dispute(pkg: ModelPackage): void {
    Object.assign(pkg, { isDisputed: true, releaseAt: null });
  }

  judgeDecision(pkg: ModelPackage, percent: number): { verdict: Verdict; apply: () => void } {
    const share = Math.floor((pkg.price * percent + 50) / 100);
    const { paidOut } = pkg;
    const toCourier = paidOut ? share - paidOut.amount : 0;
    const giver = toCourier > 0 ? pkg.senderId : (paidOut?.courierId ?? '');
    const isSpent = toCourier !== 0 && this.has(giver) < Math.abs(toCourier);
    return {
      verdict: { is: isSpent ? 'money_spent' : 'fine' },
      apply: () => {
        Object.assign(pkg, { isDisputed: false, isDecided: true });
        if (!paidOut) return this.divide(pkg, percent);
        this.give(pkg.senderId, -toCourier);
        this.give(paidOut.courierId, toCourier);
        pkg.paidOut = { ...paidOut, amount: share };
      },
    };
  }

  /** The sender's word afterwards. */
  judgeWord(pkg: ModelPackage): { verdict: Verdict; apply: () => void } {
    return {
      verdict: { is: pkg.isDisputed && pkg.held > 0 ? 'disputed' : 'fine' },
      apply: () => {
        pkg.isVerified = true;
        this.divide(pkg, 100);
      },
    };
  }

  judgeTakeBack(pkg: ModelPackage): { verdict: Verdict; apply: () => void } {
    // What an earlier delivery paid stays with its courier.
    const paidOut = pkg.paidOut?.delivery === pkg.deliveries ? pkg.paidOut : null;
    const isSpent = paidOut !== null && this.has(paidOut.courierId) < paidOut.amount;
    const isLate = pkg.isDecided || (isSpent && !pkg.isDisputed);
    return {
      verdict: { is: isLate ? 'too_late' : pkg.isDisputed ? 'disputed' : 'fine' },
      apply: () => {
        if (paidOut) {
          this.give(paidOut.courierId, -paidOut.amount);
          Object.assign(pkg, { held: paidOut.amount, paidOut: null });
        }
        const anew = { isVerified: false, isPictureMissing: false, releaseAt: null };
        Object.assign(pkg, { status: 'in-transit', ...anew });
      },
    };
  }

  /** Time has passed. */
  releaseDue(now: number): void {
    for (const pkg of this.packages) {
      if (pkg.releaseAt === null || pkg.releaseAt > now) continue;
      if (pkg.status === 'cancelled') this.settleClaim(pkg);
      else this.divide(pkg, 100);
    }
  }

  /** The verdict, and a function that applies the change if the server accepted it. */
  judge(pkg: ModelPackage, change: Change, now: number): { verdict: Verdict; apply: () => void } {
    const price = change.price ?? pkg.price;
    const method = change.method ?? pkg.method;
    const status = change.status ?? pkg.status;
    const courierId = change.courierId === undefined ? pkg.courierId : change.courierId;
    const isDeleted = change.isDeleted ?? pkg.isDeleted;
    const isArriving = status === 'delivered' && pkg.status !== 'delivered';
    const isVerified =
      status === 'delivered' && (isArriving ? change.isVerified === true : pkg.isVerified);
    const fault = status === 'pending' ? null : pkg.fault;
    const isMoved = status !== pkg.status || courierId !== pkg.courierId;
    const plain = {
      status,
      courierId,
      isDeleted,
      isVerified,
      isPictureMissing: status === 'delivered' && !isArriving && pkg.isPictureMissing,
      fault,
      isDecided: pkg.isDecided && !isMoved,
      claimedAt: isMoved ? null : pkg.claimedAt,
      deliveries: pkg.deliveries + (isArriving ? 1 : 0),
    };
    if (pkg.isDisputed && isMoved) return { verdict: { is: 'disputed' }, apply: () => undefined };
    if (pkg.paidOut) {
      const isOver = status === 'cancelled' || (status === 'delivered' && !isArriving) || isDeleted;
      const isEarned = pkg.paidOut.amount === pkg.price && courierId === pkg.courierId;
      const paidOut = isOver || isEarned ? pkg.paidOut : null;
      const isOther = change.wanted && change.wanted !== (pkg.paidOut.amount ? 'paid' : 'unpaid');
      const isTouched = price !== pkg.price || method !== pkg.method || isOther;
      return {
        verdict: { is: isTouched ? 'paid_out' : 'fine' },
        apply: () => void Object.assign(pkg, { ...plain, paidOut }),
      };
    }
    const isSwitched = method !== pkg.method;
    // As if fully refunded first, then possibly paid again.
    const purse = this.has(pkg.senderId) + pkg.held;
    const isMeant =
      pkg.held > 0 || change.wanted === 'paid' || (isSwitched && this.has(pkg.senderId) >= price);
    const isClaim = status === 'cancelled' && pkg.status === status && pkg.held > 0;
    const isOver = (status === 'cancelled' && !isClaim) || isDeleted;
    const pays = method === 'app' && !isOver && change.wanted !== 'unpaid' && isMeant;
    const missing = pays ? price - purse : 0;
    if (pkg.isDisputed && (pays ? price : 0) !== pkg.held) {
      return { verdict: { is: 'disputed' }, apply: () => undefined };
    }
    const cashPaid =
      method === 'cash' && (change.wanted ? change.wanted === 'paid' : !isSwitched && pkg.cashPaid);
    return {
      verdict: missing > 0 ? { is: 'short', missing } : { is: 'fine' },
      apply: () => {
        this.available.set(pkg.senderId, purse - (pays ? price : 0));
        const isThere = pays && status === 'delivered' && !pkg.isDisputed;
        const goesOut = isThere && (isVerified || pkg.held === 0);
        const isKept = isClaim && pays && !pkg.isDisputed;
        const isDue = (isThere && !goesOut && !plain.isPictureMissing) || isKept;
        pkg.releaseAt = isDue ? (pkg.releaseAt ?? now + releaseAfterMs) : null;
        Object.assign(pkg, { ...plain, price, method, cashPaid });
        if (goesOut && courierId !== null) this.payOut(pkg, courierId, price);
        pkg.held = pays && !goesOut ? price : 0;
      },
    };
  }

  settle(topUp: ModelTopUp): void {
    if (!topUp.isPaid || topUp.isCredited) return;
    topUp.isCredited = true;
    this.give(topUp.userId, topUp.amount);
  }
}
