import { MapPin, PackageOpen } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { distanceText } from '#domain/distance.ts';
import { formatNaira } from '#domain/money.ts';
import type { PackageView } from '#domain/overlay.ts';
import { type Actor, can, factsOf, isOnOffer } from '#domain/policy.ts';
import type { User } from '#domain/user.ts';
import { Button, buttonClass } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import layout from '#ui/stack.module.css';
import { MarkChip, StatusBadge } from './badges.tsx';
import css from './package-card.module.css';
import { usePackageActions } from './use-package-actions.ts';
import { WhenBoth } from './when.tsx';
import { words } from './words.ts';

interface StopProps {
  icon: ReactNode;
  label: string;
  address: string;
  date: string | null;
  /** Metres to it; null: not known. */
  meters?: number | null;
}

function Stop({ icon, label, address, date, meters = null }: StopProps) {
  return (
    <div className={css.stop}>
      {icon}
      <div>
        <p className={layout.twoLines}>
          <span className="visually-hidden">{label}: </span>
          {address}
        </p>
        {meters !== null && <p className={css.away}>{words.away(distanceText(meters))}</p>}
        <p className={css.when}>
          <WhenBoth iso={date} />
        </p>
      </div>
    </div>
  );
}

export interface PackageCardProps {
  view: PackageView;
  actor: Actor;
  /** The signed-in user's own row; undefined until it is here. */
  self: User | undefined;
  /** Metres from here to the pickup; null: not known, or nothing to this person. */
  meters: number | null;
}

/**
 * A package in a list: SPEC.md section 2, 'Package card', visibility by section 6. Drawn again only
 * for a change of its own.
 */
export const PackageCard = memo(function PackageCard(props: PackageCardProps) {
  const { view, meters } = props;
  return (
    <Card as="article" title={view.packageId || words.noNumber} aside={<StatusBadge view={view} />}>
      <MarkChip view={view} />
      <p className={css.text}>{view.description}</p>
      <p>
        <span className={css.price}>{formatNaira(view.priceOfferKobo)}</span>{' '}
        <span className={css.method}>
          {words.methods[view.paymentMethod] ?? words.notSpecified}
        </span>
      </p>
      <div className={css.stops}>
        <Stop
          icon={<PackageOpen aria-hidden size={20} />}
          label={words.pickup}
          address={view.pickupAddress}
          date={view.pickupDate}
          meters={meters}
        />
        <Stop
          icon={<MapPin aria-hidden size={20} />}
          label={words.delivery}
          address={view.deliveryAddress}
          date={view.deliveryDate}
        />
      </div>
      <CardButtons {...props} />
    </Card>
  );
});

function CardButtons({ view, actor, self }: PackageCardProps) {
  const { accept, isBusy } = usePackageActions(view, actor);
  const isEmployee = actor.role === 'Employee';
  const facts = factsOf(view);
  // Employees meet the details of a package once it is no longer merely on offer.
  const seesDetails = !isEmployee || view.status !== 'pending' || facts.senderId === actor.id;
  const isOffered = isOnOffer(facts) && facts.senderId !== actor.id;
  // It tells why there is no Accept button; of one's own delivery everything else on the card does.
  const isAnothers = facts.courierId !== null && facts.courierId !== actor.id;
  const decision = can(actor, 'accept', facts);
  return (
    <div className={layout.actions}>
      {isEmployee && isOffered && (
        <Button
          tone="accent"
          isBusy={isBusy}
          disabled={!self || (!decision.isAllowed && decision.code !== 'profile_incomplete')}
          onClick={() => self && accept(self)}
        >
          {words.accept}
        </Button>
      )}
      {isEmployee && isAnothers && (
        <Button tone="quiet" disabled>
          {words.alreadyAssigned}
        </Button>
      )}
      {seesDetails && (
        <Link className={buttonClass('quiet')} to={`/package-detail/${view.id}`}>
          {words.viewDetails}
        </Link>
      )}
    </div>
  );
}
