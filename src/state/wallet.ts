/** The last word on one's money, kept while the app is open: it is not mirrored. */
import { atom } from 'jotai';
import type { Payments } from '#contract/payment.ts';

export interface HeardPayments {
  /** Whose; another user's is not shown. */
  userId: string;
  payments: Payments;
  /** ISO 8601: when the server said it. */
  at: string;
}

export const heardPaymentsAtom = atom<HeardPayments | null>(null);
