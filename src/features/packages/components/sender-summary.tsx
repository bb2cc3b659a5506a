import { Package, RotateCcw, Share2 } from 'lucide-react';
import { useActor } from '#data/use-actor.ts';
import { useToldRecipients } from '#data/use-told-recipients.ts';
import type { PackageView } from '#domain/overlay.ts';
import { statusLabel } from '#domain/status.ts';
import { dueAt, nextStop } from '#domain/stops.ts';
import { againPath } from '#features/packages/again.ts';
import { trackingTab } from '#features/packages/list-rules.ts';
import { newestUntold } from '#features/packages/reminder-rules.ts';
import { homeSummary as words } from '#messages/en/home-summary.ts';
import { packages } from '#messages/en/packages.ts';
import { useNow } from '#ui/use-now.ts';
import { Heading, looksOf, Row, useRoom } from './home-rows.tsx';
import css from './home-summary.module.css';
import { When } from './stops.tsx';

/** What is due next comes first; what has no time, last. */
function bySoonest(a: PackageView, b: PackageView): number {
  const dueMs = (view: PackageView) => Date.parse(dueAt(view) ?? '') || Infinity;
  return dueMs(a) - dueMs(b) || 0;
}

/** Due when, and where to; its icon shows the status, which screen readers read. */
function SentRow({ view }: { view: PackageView }) {
  const stop = nextStop(view);
  return (
    <Row to={`/package-detail/${view.id}`} title={view.description} {...looksOf(view)}>
      {stop && view[`${stop}Date`] && (
        <span>
          {packages[stop]} <When iso={view[`${stop}Date`]} isDue />
        </span>
      )}
      <span>{words.to(view.deliveryAddress)}</span>
      <span className="visually-hidden">{statusLabel(view.status)}</span>
    </Row>
  );
}

/**
 * What is under way; the last package as the start of the next one: first where there is room for
 * all, otherwise where a row is left.
 */
export function SenderSummary({ views }: { views: readonly PackageView[] }) {
  const actor = useActor();
  const { most, isRoomy } = useRoom();
  const told = useToldRecipients();
  const untold = newestUntold(views, { actorId: actor.id, told, nowMs: useNow() });
  const sent = [
    ...trackingTab(views, actor, 'in-transit').views,
    ...trackingTab(views, actor, 'pending').views,
  ];
  const [last] = [...sent].sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
  if (!last) {
    return (
      <div className={css.none}>
        <Package aria-hidden size={32} />
        <p>{words.nothing}</p>
      </div>
    );
  }
  // The reminder takes the place of a row; the lowest sheet has no other.
  const rows = untold && !isRoomy ? most - 1 : most;
  const underWay = sent
    .filter(({ status }) => status === 'in-transit' || status === 'pending')
    .sort(bySoonest)
    .slice(0, rows);
  const again = (
    <div className={css.apart}>
      <Row
        to={againPath(last.id)}
        title={words.sendAgain}
        icon={<RotateCcw aria-hidden size={20} />}
      >
        {last.description}
      </Row>
    </div>
  );
  return (
    <>
      {isRoomy && again}
      {untold && (
        <Row
          to={`/package-detail/${untold.id}`}
          title={words.sendLink(untold.recipientName)}
          icon={<Share2 aria-hidden size={20} />}
        >
          {untold.description}
        </Row>
      )}
      {underWay.length > 0 && <Heading>{words.underWay}</Heading>}
      {underWay.map((view) => (
        <SentRow key={view.id} view={view} />
      ))}
      {underWay.length < most && !isRoomy && (most > 1 || !untold) && again}
      {isRoomy && <Delivered views={sent.slice(0, most)} />}
    </>
  );
}

/** What was sent before, where there is room for it. */
function Delivered({ views }: { views: readonly PackageView[] }) {
  const delivered = views.filter(({ status }) => status === 'delivered');
  if (delivered.length === 0) return null;
  return (
    <>
      <h2>{statusLabel('delivered')}</h2>
      {delivered.map((view) => (
        <Row
          key={view.id}
          to={`/package-detail/${view.id}`}
          title={view.description}
          {...looksOf(view)}
        >
          <span>{view.recipientName}</span>
          <span>{view.deliveryAddress}</span>
        </Row>
      ))}
    </>
  );
}
