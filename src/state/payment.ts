/**
 * A deposit in progress. Its reference is stored, since the provider's page replaces the app.
 *
 *   idle ─initiated─▶ processing ─redirected─▶ redirecting ─verified─▶ verified ─succeeded─▶ success
 *     │                   └───────────┬────────────┴───────────────────┘
 *     └─returned─▶ redirecting        └─failed─▶ failed          reset: from anywhere to idle
 *
 * Invariant: an event that the state does not allow changes nothing.
 */
import { atom } from 'jotai';
import { atomWithReducer } from 'jotai/utils';
import type { Payments, VerifiedPayment } from '#contract/payment.ts';
import type { Payouts } from '#contract/payout.ts';
import { forgettable, typedKeys } from './forgettable.ts';
import { safeLocalStorage } from './safe-storage.ts';

export type PaymentStep = 'idle' | 'processing' | 'redirecting' | 'verified' | 'success' | 'failed';

export interface PaymentState {
  status: PaymentStep;
  /** The provider's page; '' until known. */
  paymentUrl: string;
  /** '' until assigned. */
  reference: string;
  /** Naira; null if this page did not start it. */
  amount: number | null;
  error: string | null;
  verificationData: VerifiedPayment | null;
  /** ISO 8601: when it was verified or failed. */
  lastUpdated: string | null;
}

export const idlePayment: PaymentState = {
  status: 'idle',
  paymentUrl: '',
  reference: '',
  amount: null,
  error: null,
  verificationData: null,
  lastUpdated: null,
};

export type PaymentEvent =
  | { kind: 'initiated'; amount: number }
  | { kind: 'redirected'; paymentUrl: string; reference: string }
  /** Back from the provider in a page that only knows the reference. */
  | { kind: 'returned'; reference: string }
  | { kind: 'verified'; data: VerifiedPayment; at: string }
  | { kind: 'succeeded' }
  | { kind: 'failed'; error: string; at: string }
  | { kind: 'reset' };

const from: Record<PaymentEvent['kind'], readonly PaymentStep[]> = {
  initiated: ['idle', 'failed', 'success'],
  redirected: ['processing'],
  returned: ['idle', 'processing', 'redirecting', 'failed', 'success'],
  verified: ['redirecting'],
  succeeded: ['verified'],
  failed: ['processing', 'redirecting', 'verified'],
  reset: ['idle', 'processing', 'redirecting', 'verified', 'success', 'failed'],
};

export function nextPayment(state: PaymentState, event: PaymentEvent): PaymentState {
  if (!from[event.kind].includes(state.status)) return state;
  switch (event.kind) {
    case 'initiated':
      return { ...idlePayment, status: 'processing', amount: event.amount };
    case 'redirected': {
      const { paymentUrl, reference } = event;
      return { ...state, status: 'redirecting', paymentUrl, reference };
    }
    case 'returned': {
      const { reference } = event;
      const known = state.reference === reference ? state : idlePayment;
      const { paymentUrl, amount } = known;
      return { ...idlePayment, status: 'redirecting', reference, paymentUrl, amount };
    }
    case 'verified':
      return {
        ...state,
        status: 'verified',
        error: null,
        verificationData: event.data,
        lastUpdated: event.at,
      };
    case 'succeeded':
      return { ...state, status: 'success' };
    case 'failed':
      return { ...state, status: 'failed', error: event.error, lastUpdated: event.at };
    case 'reset':
      return idlePayment;
  }
}

export const paymentAtom = forgettable(atomWithReducer(idlePayment, nextPayment), {
  kind: 'reset',
});

export interface PendingPayment {
  reference: string;
  paymentUrl: string;
  /** Naira; null if unknown. */
  amount: number | null;
  /** The package the money was missing for, or its wizard's path; '' for none. */
  packageId: string;
  /** The price that was agreed to, and is paid once the money is there; null: nothing is. */
  payKobo: number | null;
}

function readDetails(reference: string): Omit<PendingPayment, 'reference'> {
  const unknown = { paymentUrl: '', amount: null, packageId: '', payKobo: null };
  try {
    const kept: unknown = JSON.parse(safeLocalStorage.getItem(typedKeys.pendingDetails) ?? 'null');
    if (kept === null || typeof kept !== 'object') return unknown;
    const found = kept as Partial<Record<keyof PendingPayment, unknown>>;
    if (found.reference !== reference) return unknown;
    return {
      paymentUrl: typeof found.paymentUrl === 'string' ? found.paymentUrl : '',
      amount: typeof found.amount === 'number' ? found.amount : null,
      packageId: typeof found.packageId === 'string' ? found.packageId : '',
      payKobo: typeof found.payKobo === 'number' ? found.payKobo : null,
    };
  } catch {
    return unknown;
  }
}

/** The payment of `reference`, else the stored one; null: none. */
export function readPendingPayment(reference: string | null): PendingPayment | null {
  const wanted = reference || safeLocalStorage.getItem(typedKeys.pendingReference);
  return wanted ? { reference: wanted, ...readDetails(wanted) } : null;
}

export function rememberPendingPayment(pending: PendingPayment): void {
  safeLocalStorage.setItem(typedKeys.pendingReference, pending.reference);
  safeLocalStorage.setItem(typedKeys.pendingDetails, JSON.stringify(pending));
}

/** Keeps a payment that another tab has started since. */
export function forgetPendingPayment(reference: string): void {
  if (safeLocalStorage.getItem(typedKeys.pendingReference) !== reference) return;
  safeLocalStorage.removeItem(typedKeys.pendingReference);
  safeLocalStorage.removeItem(typedKeys.pendingDetails);
}

export function wasSettledBefore(reference: string): boolean {
  return safeLocalStorage.getItem(typedKeys.settledReference) === reference;
}

export function rememberSettled(reference: string): void {
  safeLocalStorage.setItem(typedKeys.settledReference, reference);
}

/** A package that is paid without another question, unless it costs more by now. */
export interface DuePayment {
  packageId: string;
  payKobo: number;
}

/** The money for it is there. Kept until the server has answered. */
export function rememberDue({ packageId, payKobo }: PendingPayment): boolean {
  if (payKobo === null) return false;
  safeLocalStorage.setItem(typedKeys.paymentDue, JSON.stringify({ packageId, payKobo }));
  return true;
}

export function readDue(): DuePayment | null {
  try {
    const kept = JSON.parse(
      safeLocalStorage.getItem(typedKeys.paymentDue) ?? 'null',
    ) as Partial<DuePayment> | null;
    const { packageId, payKobo } = kept ?? {};
    const isDue = typeof packageId === 'string' && typeof payKobo === 'number';
    return isDue ? { packageId, payKobo } : null;
  } catch {
    return null;
  }
}

export const forgetDue = () => safeLocalStorage.removeItem(typedKeys.paymentDue);

/** Counts payments that became due on this page; a change triggers the check. */
export const dueCountAtom = atom(0);
/** The package that is not paid without a question after all, from this version on; null: none. */
export const askToPayAtom = atom<{ packageId: string; version: number } | null>(null);

/**
 * The balance and history as last heard, kept while the app is open: they are not mirrored. A
 * courier's are stored as well (data/use-kept-payments).
 */
export interface HeardPayments {
  /** Owner; another user's payments are not shown. */
  userId: string;
  payments: Payments;
  /** A courier's; null for others. */
  payouts: Payouts | null;
  /** ISO 8601: when the server said it. */
  at: string;
}

export const heardPaymentsAtom = atom<HeardPayments | null>(null);
