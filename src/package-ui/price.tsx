import { formatNaira } from '#domain/money.ts';
import type { PackageView } from '#domain/overlay.ts';
import { fields } from '#messages/en/fields.ts';
import { packages as words } from '#messages/en/packages.ts';
import layout from '#ui/stack.module.css';
import css from './price.module.css';

type Held = Pick<PackageView, 'status'> &
  Partial<Pick<PackageView, 'releaseAt' | 'dispute' | 'paidOutKobo' | 'mark' | 'photosMissing'>>;
type Paid = Held & Pick<PackageView, 'paymentMethod' | 'paymentStatus'>;
type MoneyState = [text: string, tone: 'good' | 'warn' | 'plain'];

/** Has held money been paid out, according to the server? Waiting operations move none. */
export const isPaidOut = ({
  status,
  paidOutKobo,
  releaseAt,
  dispute,
  mark,
  photosMissing = 0,
}: Held): boolean =>
  typeof paidOutKobo === 'number' ||
  // A plain server does not say.
  (status === 'delivered' && !releaseAt && !dispute && photosMissing === 0 && mark !== 'waiting');

export const methodText = (method: PackageView['paymentMethod']): string =>
  method ? fields.methods[method] : words.notSpecified;

/** State of the payment, which couriers check before a trip. */
export function moneyState(view: Paid): MoneyState {
  const { paymentMethod, paymentStatus, status, paidOutKobo } = view;
  const isPaid = paymentStatus === 'paid';
  const method = methodText(paymentMethod);
  if (paymentMethod !== 'app') return isPaid ? [words.money.cash, 'good'] : [method, 'plain'];
  if (paidOutKobo === 0) return [words.money.refunded, 'plain'];
  if (isPaid) return [isPaidOut(view) ? words.money.over : words.money.held, 'good'];
  return status === 'cancelled' ? [method, 'plain'] : [words.money.unpaid, 'warn'];
}

interface PriceProps {
  view: Paid & Pick<PackageView, 'priceOfferKobo'>;
  /** Beside it, also how it is paid. */
  hasMethod?: boolean;
  /** The price is the card's first line; without it, something above is. */
  isLead?: boolean;
}

export function Price({ view, hasMethod = false, isLead = true }: PriceProps) {
  const [text, tone] = moneyState(view);
  const method = methodText(view.paymentMethod);
  return (
    <p className={`${layout.row} ${css.money}`}>
      <span className={css.price} data-lead={isLead}>
        {formatNaira(view.priceOfferKobo)}
      </span>
      <span className={`${layout.row} ${layout.note} ${css.how}`}>
        <span className={css.state} data-tone={tone}>
          {text}
        </span>
        {hasMethod && text !== method && <span>{method}</span>}
      </span>
    </p>
  );
}
