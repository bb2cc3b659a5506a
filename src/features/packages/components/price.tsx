import { formatNaira } from '#domain/money.ts';
import type { PackageView } from '#domain/overlay.ts';
import { fields } from '#messages/en/fields.ts';
import { packages as words } from '#messages/en/packages.ts';
import css from './price.module.css';

type Held = Pick<PackageView, 'status'> &
  Partial<Pick<PackageView, 'releaseAt' | 'dispute' | 'paidOutKobo' | 'mark'>>;
type Paid = Held & Pick<PackageView, 'paymentMethod' | 'paymentStatus'>;
type MoneyState = [text: string, tone: 'good' | 'warn' | 'plain'];

/** Whether held money has left, as the server says: what waits on this phone moves none. */
export const isPaidOut = ({ status, paidOutKobo, releaseAt, dispute, mark }: Held): boolean =>
  typeof paidOutKobo === 'number' ||
  // Rows of before do not say.
  (status === 'delivered' && !releaseAt && !dispute && mark !== 'waiting');

/** Where the money is: what a courier asks before the trip. */
export function moneyState(view: Paid): MoneyState {
  const { paymentMethod, paymentStatus, status, paidOutKobo } = view;
  const isPaid = paymentStatus === 'paid';
  const method = fields.methods[paymentMethod] ?? words.notSpecified;
  if (paymentMethod === 'cash') return isPaid ? [words.money.cash, 'good'] : [method, 'plain'];
  if (paidOutKobo === 0) return [words.money.refunded, 'plain'];
  if (isPaid) return [isPaidOut(view) ? words.money.over : words.money.held, 'good'];
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
