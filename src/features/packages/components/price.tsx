import { formatNaira } from '#domain/money.ts';
import type { PackageView } from '#domain/overlay.ts';
import { fields } from '#messages/en/fields.ts';
import { packages as words } from '#messages/en/packages.ts';
import css from './price.module.css';

type Paid = Pick<PackageView, 'paymentMethod' | 'paymentStatus' | 'status'> &
  Partial<Pick<PackageView, 'releaseAt' | 'dispute' | 'paidOutKobo'>>;
type MoneyState = [text: string, tone: 'good' | 'warn' | 'plain'];

/** Where the money is: what a courier asks before the trip. */
export function moneyState({ paymentMethod, paymentStatus, status, ...held }: Paid): MoneyState {
  const isPaid = paymentStatus === 'paid';
  const method = fields.methods[paymentMethod] ?? words.notSpecified;
  if (paymentMethod === 'cash') return isPaid ? [words.money.cash, 'good'] : [method, 'plain'];
  const isOver =
    typeof held.paidOutKobo === 'number' ||
    (status === 'delivered' && !held.releaseAt && !held.dispute);
  if (held.paidOutKobo === 0) return [words.money.refunded, 'plain'];
  if (isPaid) return [isOver ? words.money.over : words.money.held, 'good'];
  return status === 'cancelled' ? [method, 'plain'] : [words.money.unpaid, 'warn'];
}

interface PriceProps {
  view: Paid & Pick<PackageView, 'priceOfferKobo'>;
  /** Beside it, also how it is paid. */
  hasMethod?: boolean;
  /** Else something above it is read first. */
  isLead?: boolean;
}

export function Price({ view, hasMethod = false, isLead = true }: PriceProps) {
  const [text, tone] = moneyState(view);
  const method = fields.methods[view.paymentMethod] ?? words.notSpecified;
  return (
    <p className={css.money}>
      <span className={css.price} data-lead={isLead}>
        {formatNaira(view.priceOfferKobo)}
      </span>
      <span className={css.how}>
        <span className={css.state} data-tone={tone}>
          {text}
        </span>
        {hasMethod && text !== method && <span>{method}</span>}
      </span>
    </p>
  );
}
