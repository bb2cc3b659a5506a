/** What couriers are mailed about their bank account and payouts. */
import { productName } from '#contract/version.ts';
import { formatNaira } from '#domain/money.ts';
import type { Notice } from '#server/database/account-schema.ts';
import type { Database } from '#server/database/database.ts';
import { enqueueMail } from '#server/modules/mail/repository.ts';
import { findUser } from '#server/modules/users/repository.ts';
import type { PayoutRow } from './repository.ts';

/** Whoever has the session may not be its owner. */
export const accountChanged = (bankName: string, accountNumberEnd: string): Notice => ({
  title: `Your bank account on ${productName} was changed`,
  sentences: [
    `Payouts now go to ${bankName} •••• ${accountNumberEnd}.`,
    'If you didn’t change it, set a new password and change it back now, before the first payout to it.',
  ],
});

const placeOf = ({ bankName, accountNumberEnd }: PayoutRow) =>
  `${bankName} •••• ${accountNumberEnd}`;

/** `row` as it ended. */
export const payoutEnded = (row: PayoutRow): Notice =>
  row.status === 'paid'
    ? {
        title: `${formatNaira(row.amountKobo)} arrived`,
        sentences: [`Your payout of ${formatNaira(row.amountKobo)} is at ${placeOf(row)}.`],
      }
    : {
        title: `${formatNaira(row.amountKobo)} came back`,
        sentences: [
          `Your payout to ${placeOf(row)} came back. ${formatNaira(row.amountKobo + row.feeKobo)}, with the fee, is in your balance again.`,
          'Check your bank account, then try again.',
        ],
      };

/** In the transaction of what it tells of. */
export async function tellCourier(
  tx: Database,
  { userId, now, notice }: { userId: string; now: Date; notice: Notice },
): Promise<void> {
  const user = await findUser(tx, userId);
  if (!user) return;
  await enqueueMail(tx, { kind: 'account_notice', userId, to: user.email, now, ...notice });
}
