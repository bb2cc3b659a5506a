/** The last received payments. In memory only; not mirrored. */
import { atom } from 'jotai';
import type { Payments } from '#contract/payment.ts';

export interface HeardPayments {
  /** The owner, the only user they are shown to. */
  userId: string;
  payments: Payments;
  /** ISO 8601: when they were received. */
  at: string;
}

export const heardPaymentsAtom = atom<HeardPayments | null>(null);
