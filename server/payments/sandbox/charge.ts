/** What a transaction of the sandbox amounts to at a moment, for its payer and for who asks. */
import type { SandboxTransaction } from './repository.ts';

/** How long a page can be paid. */
export const pageLifeMs = 24 * 60 * 60 * 1000;

export type ChargeState = SandboxTransaction['status'] | 'expired';

/** As the page shows it: what was not paid in time cannot be any more. */
export function stateOf({ status, createdAt }: SandboxTransaction, now: Date): ChargeState {
  const isOld = now.getTime() - createdAt.getTime() >= pageLifeMs;
  return isOld && status !== 'success' ? 'expired' : status;
}

/** As the protocol tells of it: a page that expired undecided was abandoned, in Paystack's words. */
export function chargeOf(transaction: SandboxTransaction, now: Date) {
  const { reference, amountKobo: amount, currency, email, paidAt } = transaction;
  const isLeft = transaction.status === 'ongoing' && stateOf(transaction, now) === 'expired';
  return {
    ...{ reference, amount, currency, status: isLeft ? 'abandoned' : transaction.status },
    paid_at: paidAt?.toISOString() ?? null,
    customer: { email },
  };
}
