import { MapPin, PackageOpen } from 'lucide-react';
import { memo } from 'react';
import { Link } from 'react-router-dom';
import { formatDate, relativeTime } from '#domain/dates.ts';
import { distanceText } from '#domain/distance.ts';
import { formatNaira } from '#domain/money.ts';
import type { PackageView } from '#domain/overlay.ts';
import { type Actor, can, factsOf } from '#domain/policy.ts';
import type { User } from '#domain/user.ts';
import { usePackageActions } from '#features/packages/hooks/use-package-actions.ts';
import { cardButtons } from '#features/packages/list-rules.ts';
import { fields } from '#messages/en/fields.ts';
import { packages as words } from '#messages/en/packages.ts';
import { Button, buttonClass } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import layout from '#ui/stack.module.css';
import { useNow } from '#ui/use-now.ts';
import { MarkChip, StatusBadge } from './badges.tsx';
import css from './package-card.module.css';

export function WhenBoth({ iso }: { iso: string | null }) {
  const nowMs = useNow();
  const relative = relativeTime(iso, nowMs);
  const exact = formatDate(iso, words.notSpecified);
  return relative === null ? exact : `${exact} · ${relative}`;
}

const stops = [
  { name: 'pickup', Icon: PackageOpen },
  { name: 'delivery', Icon: MapPin },
] as const;

export interface PackageCardProps {
  view: PackageView;
  actor: Actor;
  /** The signed-in user's own row; undefined until loaded. */
  self: User | undefined;
  /** Metres to the pickup; null: unknown or irrelevant to this user. */
  meters: number | null;
}

/** Memoised, so that it renders only when its own props change. */
export const PackageCard = memo(function PackageCard(props: PackageCardProps) {
  const { view, meters, actor } = props;
  const number = view.packageId || words.noNumber;
  // A courier's own pending package has no details button: its number links to payment and sharing.
  const isLinked = view.sender.id === actor.id && !cardButtons(actor, factsOf(view)).details;
  const title = isLinked ? <Link to={`/package-detail/${view.id}`}>{number}</Link> : number;
  return (
    <Card as="article" title={title} aside={<StatusBadge view={view} />}>
      <MarkChip view={view} />
      <p className={`${layout.clamped} ${css.text}`}>{view.description}</p>
      <p>
        <span className={css.price}>{formatNaira(view.priceOfferKobo)}</span>{' '}
        <span className={layout.soft}>
          {fields.methods[view.paymentMethod] ?? words.notSpecified}
        </span>
      </p>
      <div className={css.stops}>
        {stops.map(({ name, Icon }) => (
          <div key={name} className={css.stop}>
            <Icon aria-hidden size={20} />
            <div>
              <p className={layout.clamped}>
                <span className="visually-hidden">{words[name]}: </span>
                {view[`${name}Address`]}
              </p>
              {name === 'pickup' && meters !== null && (
                <p className={css.away}>{words.away(distanceText(meters))}</p>
              )}
              <p className={layout.note}>
                <WhenBoth iso={view[`${name}Date`]} />
              </p>
            </div>
          </div>
        ))}
      </div>
      <CardButtons {...props} />
    </Card>
  );
});

function CardButtons({ view, actor, self }: PackageCardProps) {
  const { accept, isBusy } = usePackageActions(view, actor);
  const facts = factsOf(view);
  const buttons = cardButtons(actor, facts);
  const decision = can(actor, 'accept', facts);
  return (
    <div className={layout.actions}>
      {buttons.accept && (
        <Button
          tone="accent"
          isBusy={isBusy}
          disabled={!self || (!decision.isAllowed && decision.code !== 'profile_incomplete')}
          onClick={() => self && accept(self)}
        >
          {words.accept}
        </Button>
      )}
      {buttons.assigned && (
        <Button tone="quiet" disabled>
          {words.alreadyAssigned}
        </Button>
      )}
      {buttons.details && (
        <Link className={buttonClass('quiet')} to={`/package-detail/${view.id}`}>
          {words.viewDetails}
        </Link>
      )}
    </div>
  );
}
