import type { RefObject } from 'react';
import { useNow } from '#data/use-now.ts';
import { whenText } from '#domain/dates.ts';
import { distanceText } from '#domain/distance.ts';
import type { PackageView } from '#domain/overlay.ts';
import { progressOf } from '#domain/package-state.ts';
import type { Actor } from '#domain/policy.ts';
import { dueAt, nextStop, type StopName, tripMeters } from '#domain/stops.ts';
import { displayName } from '#domain/user.ts';
import { packageDetail as words } from '#messages/en/package-detail.ts';
import { packages } from '#messages/en/packages.ts';
import { MarkLink, PaymentBadge, StatusBadge } from '#package-ui/badges.tsx';
import { leadsWithProgress, leadsWithRoute, leadsWithStop } from '#package-ui/detail-rules.ts';
import { Price } from '#package-ui/price.tsx';
import { progressText } from '#package-ui/progress.ts';
import { RecipientNote } from '#package-ui/recipient-note.tsx';
import { Stops, When } from '#package-ui/stops.tsx';
import { Badge } from '#ui/badge.tsx';
import { Card } from '#ui/card.tsx';
import layout from '#ui/stack.module.css';
import { StopTools } from './detail-cards.tsx';
import css from './detail-head.module.css';
import { Timeline } from './timeline.tsx';

interface Props {
  view: PackageView;
  actor: Actor;
  /** Takes the focus of a button that has gone. */
  badges: RefObject<HTMLDivElement | null>;
}

/** Status, route or money, and this reader's next step. */
export function DetailHead({ view, actor, badges }: Props) {
  const stop = nextStop(view);
  const progress = progressText(view);
  const isWarned = view.dispute !== null || view.progress === 'attempted';
  const isLed = stop !== null && leadsWithStop(actor, view);
  const isFollowed = leadsWithProgress(actor, view);
  const hasRoute = leadsWithRoute(actor);
  const isCarried = view.courier?.id === actor.id;
  const next = isLed && <StopAhead view={view} stop={stop} isCarried={isCarried} />;
  return (
    <Card
      title={view.packageId || packages.noNumber}
      aside={
        <div className={layout.row} ref={badges} tabIndex={-1}>
          <StatusBadge view={view} />
          <PaymentBadge view={view} />
          <MarkLink view={view} />
          {progress && (!isFollowed || isWarned || view.status === 'delivered') && (
            <Badge tone={isWarned ? 'warn' : 'plain'}>{progress}</Badge>
          )}
        </div>
      }
    >
      <div className={`${layout.tight} ${css.halves}`}>
        {isCarried && next}
        <div className={`${layout.tight} ${css.half}`}>
          {hasRoute && (
            <Stops view={view} isLead>
              {(name) => <StopTools view={view} stop={name} />}
            </Stops>
          )}
          {isFollowed && <Whereabouts view={view} />}
          <Price view={view} isLead={!hasRoute && !isFollowed && !(isLed && isCarried)} />
          <RecipientNote view={view} />
        </div>
        {!isCarried && next}
        {!isLed && !isFollowed && (
          <div className={`${layout.tight} ${css.next}`}>
            <Timeline view={view} />
          </div>
        )}
      </div>
    </Card>
  );
}

/** Courier, expected time and place; or the time of delivery. */
function Whereabouts({ view }: { view: PackageView }) {
  const nowMs = useNow();
  const progress = progressOf(view);
  const { courier, recipientName } = view;
  const name = courier ? courier.firstName || displayName(courier) : '';
  const due = dueAt(view);
  const when = progress ? due && <When iso={due} isDue /> : whenText(view.deliveredAt, nowMs);
  const stop = nextStop(view) ?? 'delivery';
  const address = view[`${stop}Address`];
  return (
    <div className={`${layout.tight} ${css.whereabouts}`}>
      <p className={`${layout.row} ${css.step}`} dir="auto">
        {progress
          ? words.whereabouts[progress](name, recipientName)
          : words.deliveredTo(recipientName)}
      </p>
      <p className={css.place} dir="auto">
        {when ?? address}
      </p>
      {when && (
        <p className={`${layout.row} ${css.step}`}>
          {packages[stop]}: <bdi>{address}</bdi>
        </p>
      )}
    </div>
  );
}

interface StopAheadProps {
  view: PackageView;
  stop: StopName;
  isCarried: boolean;
}

/** Calling and navigating there are in the bar at the thumb. */
function StopAhead({ view, stop, isCarried }: StopAheadProps) {
  const trip = isCarried ? null : tripMeters(view);
  const { collect, deliver, bringBack } = packages.nextStop;
  const toSender = view.progress === 'returning' ? bringBack : collect;
  return (
    <div className={`${layout.tight} ${css.next}`}>
      <div className={`${layout.row} ${css.task}`}>
        <p className={`${layout.row} ${css.step}`} dir="auto">
          {stop === 'pickup' ? toSender(displayName(view.sender)) : deliver(view.recipientName)}
        </p>
        <StopTools view={view} stop={stop} />
      </div>
      <p className={css.place} dir="auto">
        {view[`${stop}Address`]}
      </p>
      <p className={`${layout.row} ${css.step}`}>
        <When iso={dueAt(view)} isDue />
        {trip !== null && <span>{packages.trip(distanceText(trip))}</span>}
      </p>
    </div>
  );
}
