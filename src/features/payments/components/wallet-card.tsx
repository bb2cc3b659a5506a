import { useId } from 'react';
import { useLastPulledAt } from '#data/use-connection.ts';
import { formatDate } from '#domain/dates.ts';
import { formatNaira, nairaToKobo } from '#domain/money.ts';
import css from '#features/payments/payments.module.css';
import { payments as words } from '#messages/en/payments.ts';
import type { HeardPayments } from '#state/payment.ts';
import layout from '#ui/stack.module.css';

const naira = (amount: number) => formatNaira(nairaToKobo(amount));

interface PartProps {
  label: string;
  amount: number;
  hint: string;
}

function Part({ label, amount, hint }: PartProps) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{naira(amount)}</dd>
      <dd className={css.hint}>{hint}</dd>
    </div>
  );
}

interface WalletCardProps {
  heard: HeardPayments | null;
  /** The mirror's available balance in naira; null: unknown. */
  mirrored: number | null;
  /** The data is not current: show its time. */
  isStale: boolean;
}

export function WalletCard({ heard, mirrored, isStale }: WalletCardProps) {
  const id = useId();
  const lastPulledAt = useLastPulledAt() ?? null;
  const payments = heard?.payments ?? null;
  const available = payments?.available ?? mirrored;
  const at = heard?.at ?? lastPulledAt;
  return (
    <section className={`${layout.stack} ${css.wallet}`} aria-labelledby={id}>
      <div>
        <h2 id={id}>{words.payment.available}</h2>
        <p className={css.big}>
          {available === null ? words.payment.neverHeard : naira(available)}
        </p>
        {isStale && available !== null && at && (
          <p className={css.asOf}>{words.payment.asOf(formatDate(at, ''))}</p>
        )}
      </div>
      {payments && (
        <dl className={`${layout.grid} ${css.parts}`}>
          {payments.earned > 0 && (
            <Part
              label={words.payment.earned}
              amount={payments.earned}
              hint={words.payment.earnedHint}
            />
          )}
          <Part label={words.payment.held} amount={payments.held} hint={words.payment.heldHint} />
          {payments.onItsWay > 0 && (
            <Part
              label={words.payment.onItsWay}
              amount={payments.onItsWay}
              hint={words.payment.onItsWayHint}
            />
          )}
        </dl>
      )}
    </section>
  );
}
