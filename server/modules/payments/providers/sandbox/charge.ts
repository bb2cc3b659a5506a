/** The state of a sandbox transaction, for its page and for the protocol. */
import type { SandboxTransaction } from './repository.ts';

/** How long a page can be paid. */
export const pageLifeMs = 24 * 60 * 60 * 1000;

export type ChargeState = SandboxTransaction['status'] | 'expired';

/** For the page: an unpaid one expires. */
export function stateOf({ status, createdAt }: SandboxTransaction, now: Date): ChargeState {
  const isOld = now.getTime() - createdAt.getTime() >= pageLifeMs;
  return isOld && status !== 'success' ? 'expired' : status;
}

/** For the protocol: an expired undecided page is 'abandoned', Paystack's term. */
export function chargeOf(transaction: SandboxTransaction, now: Date) {
  const { reference, amountKobo: amount, currency, email, paidAt } = transaction;
  const isLeft = transaction.status === 'ongoing' && stateOf(transaction, now) === 'expired';
  return {
    reference,
    amount,
    currency,
    status: isLeft ? 'abandoned' : transaction.status,
    paid_at: paidAt?.toISOString() ?? null,
    customer: { email },
  };
}
