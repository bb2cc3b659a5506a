import { PackageCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useNow } from '#data/use-now.ts';
import { isOverdue, whenText } from '#domain/dates.ts';
import type { PackageView } from '#domain/overlay.ts';
import { progressOf } from '#domain/package-state.ts';
import { dueAt, type Moving, nextStop, type StopName, stopNames } from '#domain/stops.ts';
import { packages as words } from '#messages/en/packages.ts';
import { buttonClass } from '#ui/button.tsx';
import layout from '#ui/stack.module.css';
import { CallLink, contactAt, NavigateLink } from './contact-buttons.tsx';
import css from './stops.module.css';

interface WhenProps {
  iso: string | null;
  /** Whether the package is awaited at this time: then it can be late. */
  isDue: boolean;
  /** Wraps the time in a sentence: 'Pickup today 09:00'. */
  say?: (when: string) => string;
}

/** 'Today 16:00', 'Late · Yesterday 23:05'; nothing without a time. */
export function When({ iso, isDue, say = (when) => when }: WhenProps) {
  const nowMs = useNow();
  const when = whenText(iso, nowMs);
  if (iso === null || when === null) return null;
  const text = say(when);
  const isLate = isDue && isOverdue(iso, nowMs);
  return (
    <time dateTime={iso} className={isLate ? css.late : undefined}>
      {isLate ? words.lateAt(text) : text}
    </time>
  );
}

interface StopsProps {
  view: Moving & Pick<PackageView, `${StopName}Address`>;
  /** Follows the time of the pickup. */
  distances?: string | null;
  /** Addresses on up to two lines instead of whole. */
  isClamped?: boolean;
  /** A stop that is left out, because it is named above or already passed; the other gets a label. */
  except?: StopName | null;
  /** Task at the other stop, if it is neither a pickup nor a delivery. */
  task?: string | undefined;
  /** The page's primary content. */
  isLead?: boolean;
  /** Beside a stop. */
  children?: (stop: StopName) => ReactNode;
}

/** Pickup joined to drop-off by a rail. */
export function Stops(props: StopsProps) {
  const { view, distances = null, isClamped = false, except = null, isLead, children } = props;
  const { task } = props;
  const due = nextStop(view);
  return (
    <div className={css.stops} data-lead={isLead}>
      {stopNames
        .filter((stop) => stop !== except)
        .map((stop) => {
          const iso = task ? null : view[`${stop}Date`];
          const far = stop === 'pickup' ? distances : null;
          return (
            <div key={stop} className={css.stop} data-stop={stop} data-due={stop === due}>
              <div className={css.said}>
                <p className={isClamped ? layout.clamped : undefined}>
                  <span className={except ? css.name : 'visually-hidden'}>
                    {task ?? words[stop]}:{' '}
                  </span>
                  <bdi>{view[`${stop}Address`]}</bdi>
                </p>
                {(iso || far) && (
                  <p className={`${layout.facts} ${layout.note}`}>
                    <When iso={iso} isDue={stop === due && dueAt(view) !== null} />
                    {far && <span>{far}</span>}
                  </p>
                )}
              </div>
              {children?.(stop)}
            </div>
          );
        })}
    </div>
  );
}

interface StopLinksProps {
  view: PackageView;
  stop: StopName;
}

/** A row of two buttons: call, and navigation or, after the arrival, the hand-over. */
export function StopLinks({ view, stop }: StopLinksProps) {
  return (
    <>
      <CallLink {...contactAt(view, stop)} />
      <WayLink view={view} stop={stop} isWorded />
    </>
  );
}

export function WayLink({ view, stop, isWorded = false }: StopLinksProps & { isWorded?: boolean }) {
  if (progressOf(view) === 'arrived') {
    const { handOver, handOverTo } = words.nextStop;
    return (
      <Link
        className={buttonClass('primary')}
        to={`/package-detail/${view.id}`}
        aria-label={handOverTo(view.recipientName)}
      >
        <PackageCheck aria-hidden size={20} />
        {isWorded && handOver}
      </Link>
    );
  }
  return <NavigateLink view={view} stop={stop} look="primary" isWorded={isWorded} />;
}
