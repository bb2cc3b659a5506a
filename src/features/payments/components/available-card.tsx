import type { Payments } from '#contract/payment.ts';
import type { Payout } from '#contract/payout.ts';
import { formatNaira, nairaToKobo } from '#domain/money.ts';
import css from '#features/payments/payments.module.css';
import { onItsWayKobo } from '#features/payments/payout-rules.ts';
import { payments as wallet } from '#messages/en/payments.ts';
import { payouts as words } from '#messages/en/payouts.ts';
import { Card } from '#ui/card.tsx';
import layout from '#ui/stack.module.css';

interface AvailableCardProps {
  /** Null: unknown. */
  availableKobo: number | null;
  /** Null: not loaded. */
  payments: Payments | null;
  payouts: readonly Payout[];
  /** Collected today; it never was in the balance. */
  cashKobo: number;
  /** When it was loaded; null: it is current. */
  asOf: string | null;
}

/** What can be taken out, and what else is theirs and where it is. */
export function AvailableCard(props: AvailableCardProps) {
  const { availableKobo, payments, payouts, cashKobo, asOf } = props;
  const parts = [
    { label: words.earnings.bank, kobo: onItsWayKobo(payouts), isAlways: false },
    { label: words.earnings.held, kobo: nairaToKobo(payments?.onItsWay ?? 0), isAlways: false },
    { label: wallet.payment.held, kobo: nairaToKobo(payments?.held ?? 0), isAlways: false },
    { label: words.earnings.cash, kobo: cashKobo, isAlways: true },
    {
      label: words.earnings.total,
      kobo: nairaToKobo(payments?.earned ?? 0),
      isAlways: payments !== null,
    },
  ];
  return (
    <Card
      title={wallet.payment.available}
      aside={asOf !== null && <span className={layout.note}>{wallet.payment.asOf(asOf)}</span>}
    >
      <p className={css.big}>
        {availableKobo === null ? wallet.payment.neverHeard : formatNaira(availableKobo)}
      </p>
      <dl className={layout.grid}>
        {parts
          .filter(({ kobo, isAlways }) => isAlways || kobo > 0)
          .map(({ label, kobo }) => (
            <div key={label}>
              <dt className={layout.note}>{label}</dt>
              <dd className={css.what}>{formatNaira(kobo)}</dd>
            </div>
          ))}
      </dl>
    </Card>
  );
}
