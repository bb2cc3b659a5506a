/**
 * A model of the money without steps or ledger: wallets and packages in memory. The property test
 * compares the server with it.
 */
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
  isPaidOut: boolean;
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
}

/** The server's expected answer, as far as money determines it. */
export type Verdict = { is: 'fine' } | { is: 'paid_out' } | { is: 'short'; missing: number };

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
      ...{ courierId: null, status: 'pending', cashPaid: false },
      held: isHeld ? pkg.price : 0,
      ...{ isPaidOut: false, isDeleted: false },
    });
  }

  /** The verdict, and a function that applies the change if the server accepted it. */
  judge(pkg: ModelPackage, change: Change): { verdict: Verdict; apply: () => void } {
    const price = change.price ?? pkg.price;
    const method = change.method ?? pkg.method;
    const status = change.status ?? pkg.status;
    const courierId = change.courierId === undefined ? pkg.courierId : change.courierId;
    const isDeleted = change.isDeleted ?? pkg.isDeleted;
    const plain = { status, courierId, isDeleted };
    if (pkg.isPaidOut) {
      const isTouched = price !== pkg.price || method !== pkg.method || change.wanted === 'unpaid';
      return {
        verdict: { is: isTouched ? 'paid_out' : 'fine' },
        apply: () => void Object.assign(pkg, plain),
      };
    }
    const isSwitched = method !== pkg.method;
    // As if fully refunded first, then possibly paid again.
    const purse = this.has(pkg.senderId) + pkg.held;
    const isMeant =
      pkg.held > 0 || change.wanted === 'paid' || (isSwitched && this.has(pkg.senderId) >= price);
    const isOver = status === 'cancelled' || isDeleted;
    const pays = method === 'app' && !isOver && change.wanted !== 'unpaid' && isMeant;
    const missing = pays ? price - purse : 0;
    const cashPaid =
      method === 'cash' && (change.wanted ? change.wanted === 'paid' : !isSwitched && pkg.cashPaid);
    return {
      verdict: missing > 0 ? { is: 'short', missing } : { is: 'fine' },
      apply: () => {
        this.available.set(pkg.senderId, purse - (pays ? price : 0));
        const goesOut = pays && status === 'delivered' && courierId !== null;
        if (goesOut) this.give(courierId, price);
        Object.assign(pkg, { ...plain, price, method, cashPaid });
        pkg.held = pays && !goesOut ? price : 0;
        pkg.isPaidOut = goesOut;
      },
    };
  }

  settle(topUp: ModelTopUp): void {
    if (!topUp.isPaid || topUp.isCredited) return;
    topUp.isCredited = true;
    this.give(topUp.userId, topUp.amount);
  }
}
