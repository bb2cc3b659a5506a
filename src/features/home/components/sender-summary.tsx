import { Package, PackagePlus, Share2 } from 'lucide-react';
import { Link } from 'react-router-dom';
import { useActor } from '#data/use-actor.ts';
import { useNow } from '#data/use-now.ts';
import { useToldRecipients } from '#data/use-told-recipients.ts';
import type { PackageView } from '#domain/overlay.ts';
import { statusLabel } from '#domain/status.ts';
import { dueAt, isLate, nextStop } from '#domain/stops.ts';
import { homeSummary as words } from '#messages/en/home-summary.ts';
import { packages } from '#messages/en/packages.ts';
import { trackingTab } from '#package-ui/list-rules.ts';
import { stateOf } from '#package-ui/package-card.tsx';
import { newestUntold } from '#package-ui/reminder-rules.ts';
import { When } from '#package-ui/stops.tsx';
import { againPath } from '#package-ui/wizard-path.ts';
import layout from '#ui/stack.module.css';
import { firstClass, Heading, looksOf, Row, useGlanced, useRoom } from './home-rows.tsx';
import css from './sender-summary.module.css';

interface Props {
  views: readonly PackageView[];
}

/** Late packages first, then accepted ones, then by due time; without a due time last. */
const bySoonest = (nowMs: number) => (a: PackageView, b: PackageView) => {
  const isInTime = (view: PackageView) => Number(!isLate(view, nowMs));
  const isWaiting = ({ status }: PackageView) => Number(status === 'pending');
  const dueMs = (view: PackageView) => Date.parse(dueAt(view) ?? '') || Infinity;
  return isInTime(a) - isInTime(b) || isWaiting(a) - isWaiting(b) || dueMs(a) - dueMs(b) || 0;
};

/** Due time, progress, courier and destination; screen readers read the icon's status. */
function SentRow({ view }: { view: PackageView }) {
  const actor = useActor();
  const stop = nextStop(view);
  const due = dueAt(view);
  // A courier with a pickup ahead has accepted it.
  const collector = due && stop === 'pickup' && view.courier?.firstName;
  const isOverdue = isLate(view, useNow());
  const unassigned = due && !view.courier && view.status === 'pending' && words.unassigned;
  return (
    <Row to={`/package-detail/${view.id}`} title={view.description} {...looksOf(view)}>
      {stop && <When iso={due} isDue say={(when) => words.due(packages[stop], when)} />}
      <span dir="auto">
        {collector || unassigned || stateOf(view, actor)}
        <span className="visually-hidden"> {statusLabel(view.status)}</span>
      </span>
      {/* 'Late · Pickup today 09:00' fills a line: what follows it shares the next. */}
      <span className={isOverdue ? undefined : firstClass} dir="auto">
        {words.to(view.deliveryAddress)}
      </span>
    </Row>
  );
}

function useSent(views: readonly PackageView[]) {
  const actor = useActor();
  const nowMs = useNow();
  const sent = [
    ...trackingTab(views, actor, 'in-transit', nowMs).views,
    ...trackingTab(views, actor, 'pending', nowMs).views,
  ];
  const isUnderWay = ({ status }: PackageView) => status === 'in-transit' || status === 'pending';
  return { sent, underWay: sent.filter(isUnderWay).sort(bySoonest(nowMs)) };
}

/** Packages under way; over a map, as many as fit. */
export function SenderGlance({ views }: Props) {
  const { underWay } = useSent(views);
  const { most } = useRoom();
  const glanced = underWay.slice(0, useGlanced());
  return (
    <>
      {glanced.length > 0 && (
        <h2 className={layout.spread}>
          {words.underWay(underWay.length)}
          {underWay.length > most && <Link to="/tracking/in-transit">{words.seeAll}</Link>}
        </h2>
      )}
      {glanced.map((view) => (
        <SentRow key={view.id} view={view} />
      ))}
    </>
  );
}

/**
 * The other packages under way, and a shortcut that repeats the last one: on top if all fit,
 * otherwise in a row that is left.
 */
export function SenderSummary({ views }: Props) {
  const actor = useActor();
  const { most, isRoomy } = useRoom();
  const told = useToldRecipients();
  const untold = newestUntold(views, { actorId: actor.id, told, nowMs: useNow() });
  const { sent, underWay: all } = useSent(views);
  const glanced = useGlanced();
  const [last] = [...sent].sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
  if (!last) {
    return (
      <div className={`${layout.tight} ${layout.soft} ${css.none}`}>
        <Package aria-hidden size={32} />
        <p>{words.nothing}</p>
      </div>
    );
  }
  // The reminder takes the place of a row; the lowest sheet has no other.
  const rows = untold && !isRoomy ? most - 1 : most;
  const underWay = all.slice(glanced, glanced + rows);
  const left = isRoomy ? most : rows - underWay.length - 1;
  const again = (
    <Row
      to={againPath(last.id)}
      title={words.sendAgain}
      icon={<PackagePlus aria-hidden size={20} />}
    >
      {/* Not the link above it, nor what failed to be sent. */}
      <span>{words.newPackage}</span>
      <span dir="auto">{last.description}</span>
    </Row>
  );
  const tell = untold && (
    <Row
      to={`/package-detail/${untold.id}`}
      title={words.sendLink(untold.recipientName)}
      icon={<Share2 aria-hidden size={20} />}
    >
      {/* Elsewhere the name has both lines. */}
      {isRoomy ? <span dir="auto">{untold.description}</span> : null}
    </Row>
  );
  return (
    <>
      {isRoomy ? <div className={css.apart}>{tell ?? again}</div> : glanced > 0 && tell}
      {isRoomy && tell && again}
      {underWay.length > 0 && <Heading>{words.underWay(all.length)}</Heading>}
      {underWay.map((view) => (
        <SentRow key={view.id} view={view} />
      ))}
      {/* On a phone on its side, what is under way is seen nowhere else. */}
      {!isRoomy && glanced === 0 && tell}
      {underWay.length < most && !isRoomy && (most > 1 || !untold) && (
        <div className={css.apart}>{again}</div>
      )}
      {left > 0 && isRoomy && <Delivered views={sent} most={left} />}
      {left > 0 && !isRoomy && (
        <div className={css.delivered}>
          <Delivered views={sent} most={left} />
        </div>
      )}
    </>
  );
}

/** Delivered packages, as many as fit. */
function Delivered({ views, most }: Props & { most: number }) {
  const { isRoomy } = useRoom();
  const delivered = views.filter(({ status }) => status === 'delivered').slice(0, most);
  if (delivered.length === 0) return null;
  return (
    <>
      <Heading>{statusLabel('delivered')}</Heading>
      {delivered.map((view) => (
        <Row
          key={view.id}
          to={`/package-detail/${view.id}`}
          title={view.description}
          {...looksOf(view)}
        >
          {!isRoomy && <span>{statusLabel('delivered')}</span>}
          <span dir="auto">{view.recipientName}</span>
          <span className={firstClass} dir="auto">
            {view.deliveryAddress}
          </span>
        </Row>
      ))}
    </>
  );
}
