import { useAtomValue } from 'jotai';
import { ChevronRight } from 'lucide-react';
import { memo, useId } from 'react';
import { Link } from 'react-router-dom';
import { distanceText } from '#domain/distance.ts';
import type { PackageView } from '#domain/overlay.ts';
import { progressOf } from '#domain/package-state.ts';
import { type Actor, can, factsOf } from '#domain/policy.ts';
import { nextStop, type StopName, tripMeters } from '#domain/stops.ts';
import { displayName, type User } from '#domain/user.ts';
import { packageDetail } from '#messages/en/package-detail.ts';
import { packages as words } from '#messages/en/packages.ts';
import { cardButtons } from '#package-ui/list-rules.ts';
import { progressText } from '#package-ui/progress.ts';
import { usePackageActions } from '#package-ui/use-package-actions.ts';
import { createdPackageAtom } from '#state/package-ui.ts';
import { Badge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import layout from '#ui/stack.module.css';
import { MarkChip, StatusBadge } from './badges.tsx';
import css from './package-card.module.css';
import { Price } from './price.tsx';
import { RecipientNoteLine } from './recipient-note.tsx';
import { Stops } from './stops.tsx';

/** '2.1 km away · trip 6 km', or the known part; '' if none is known. */
export function distancesOf(view: PackageView, awayMeters: number | null): string {
  const trip = tripMeters(view);
  const away = awayMeters === null ? '' : words.away(distanceText(awayMeters));
  return [away, trip === null ? '' : words.trip(distanceText(trip))].filter(Boolean).join(' · ');
}

/** Progress and, unless a courier reads it, the courier: 'Picked up · Sani'. */
export function stateOf(view: PackageView, actor: Actor): string {
  const { courier, status } = view;
  const progress = progressText(view);
  if (actor.role === 'Employee') return progress ?? '';
  if (!courier && status === 'pending') return words.detail.noCourier;
  const accepted = status === 'in-transit' ? packageDetail.timeline.done.accepted : null;
  // Beside a problem, a name would be who reported it.
  const who = view.dispute ? null : courier?.firstName;
  return [progress ?? accepted, who].filter(Boolean).join(' · ');
}

export interface PackageCardProps {
  view: PackageView;
  actor: Actor;
  /** The signed-in user's own row; undefined until loaded. */
  self: User | undefined;
  /** Metres to the pickup; null: unknown or irrelevant to this user. */
  meters: number | null;
  /** Heading level: 3 below a group's heading. */
  level?: 2 | 3;
  /** The stop shown on top by the surrounding card. */
  led?: StopName | null;
}

/** Memoised, so that it renders only when its own props change. */
export const PackageCard = memo(function PackageCard(props: PackageCardProps) {
  const { view, meters, actor, level = 2, led = null } = props;
  const Heading = `h${level}` as const;
  const number = view.packageId || words.noNumber;
  // A courier's own pending package has no details button: its number links to payment and sharing.
  const isLinked = view.sender.id === actor.id && !cardButtons(actor, factsOf(view)).details;
  const title = isLinked ? <Link to={`/package-detail/${view.id}`}>{number}</Link> : number;
  const titleId = useId();
  const state = stateOf(view, actor);
  const isReturned = !led && progressOf(view) === 'returning';
  const isCollected = view.courier?.id === actor.id && nextStop(view) === 'delivery';
  const isNew = useAtomValue(createdPackageAtom) === view.id;
  const isOpen = view.status === 'pending' || view.status === 'in-transit';
  // A sender reads the progress first, a courier the price.
  const isFollowed = view.sender.id === actor.id && view.status !== 'pending';
  return (
    <article
      className={`${layout.surface} ${layout.row} ${css.card}`}
      aria-labelledby={titleId}
      data-led={led}
      data-new={isNew}
    >
      <div className={`${layout.row} ${css.top}`}>
        <div className={`${layout.row} ${css.names}`}>
          <Heading className={`${layout.note} ${css.title}`} id={titleId}>
            {title}
          </Heading>
          {state && (
            <p className={css.state} dir="auto">
              {state}
            </p>
          )}
          <StatusBadge view={view} />
        </div>
        {isNew && <Badge tone="good">{words.justCreated}</Badge>}
        <MarkChip view={view} />
      </div>
      <div className={css.price}>
        <Price view={view} hasMethod isLead={!isFollowed} />
      </div>
      <div className={css.what}>
        <RecipientNoteLine view={view} />
        <p className={layout.clamped} dir="auto">
          {view.description}
        </p>
        {view.notes && (
          <p className={`${layout.clamped} ${layout.note} ${css.notes}`} dir="auto">
            {view.notes.split('\n')[0]}
          </p>
        )}
      </div>
      {/* A courier has no more to do with a pickup that is done. */}
      {led !== 'delivery' && (
        <div className={css.where}>
          <Stops
            view={view}
            distances={actor.role === 'Employee' && isOpen ? distancesOf(view, meters) : null}
            isClamped
            except={isReturned ? 'delivery' : isCollected ? 'pickup' : led}
            task={isReturned ? words.nextStop.bringBack(displayName(view.sender)) : undefined}
          />
        </div>
      )}
      <CardButtons {...props} />
    </article>
  );
});

function CardButtons({ view, actor, self }: PackageCardProps) {
  const { accept, isBusy } = usePackageActions(view, actor);
  const facts = factsOf(view);
  const buttons = cardButtons(actor, facts);
  const decision = can(actor, 'accept', facts);
  if (!Object.values(buttons).some(Boolean)) return null;
  return (
    <div className={`${layout.row} ${css.buttons}`} data-accept={buttons.accept || undefined}>
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
        // The whole card is its target; drawn quietly, so that the card's content stands out.
        <Link className={css.details} to={`/package-detail/${view.id}`}>
          {words.viewDetails}
          <ChevronRight aria-hidden size={18} />
        </Link>
      )}
    </div>
  );
}
