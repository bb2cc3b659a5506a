import { formatNaira } from '#domain/money.ts';
import type { PackageView } from '#domain/overlay.ts';
import { moneyState } from '#features/packages/list-rules.ts';
import { packages as words } from '#messages/en/packages.ts';
import css from './price.module.css';

/** The price, read at arm's length, and where its money is. */
export function Price({ view }: { view: PackageView }) {
  const state = moneyState(view);
  return (
    <p className={css.money}>
      <span className={css.price}>{formatNaira(view.priceOfferKobo)}</span>
      <span className={css.state} data-state={state}>
        {words.money[state]}
      </span>
    </p>
  );
}
