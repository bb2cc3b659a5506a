import { Navigation, PackageCheck, Phone } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { callLink, navigationLink } from '#domain/contact-links.ts';
import { isOverdue, whenText } from '#domain/dates.ts';
import type { PackageView } from '#domain/overlay.ts';
import { progressOf } from '#domain/policy.ts';
import { dueAt, type Moving, nextStop, type StopName, stopNames } from '#domain/stops.ts';
import { displayName } from '#domain/user.ts';
import { packages as words } from '#messages/en/packages.ts';
import { buttonClass } from '#ui/button.tsx';
import layout from '#ui/stack.module.css';
import { useNow } from '#ui/use-now.ts';
import css from './stops.module.css';

interface WhenProps {
  iso: string | null;
  /** Whether the package is awaited at this time: then it can be late. */
  isDue: boolean;
  /** Says for what. */
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
  /** Said above already, or no longer on the way; the other one is then named. */
  except?: StopName | null;
  /** Of the other one, if it is neither a pickup nor a delivery. */
  task?: string | undefined;
  /** What the page leads with. */
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
                  {view[`${stop}Address`]}
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

/** Who is met there; no number: it may be withheld. */
export function contactAt(view: PackageView, stop: StopName) {
  return stop === 'pickup'
    ? { name: displayName(view.sender), phone: view.sender.phoneNumber }
    : { name: view.recipientName, phone: view.recipientPhone };
}

interface CallLinkProps {
  name: string;
  phone: string | null;
}

/** Nothing without a number to dial. */
export function CallLink({ name, phone }: CallLinkProps) {
  const href = phone && callLink(phone);
  if (!href) return null;
  const { call, callTo } = words.detail.contact;
  return (
    <a className={buttonClass('soft')} href={href} aria-label={callTo(name)}>
      <Phone aria-hidden size={20} />
      {call}
    </a>
  );
}

interface StopLinksProps {
  view: PackageView;
  stop: StopName;
}

/** Call, and the way there or, for who has arrived, on: two buttons of a row. */
export function StopLinks({ view, stop }: StopLinksProps) {
  return (
    <>
      <CallLink {...contactAt(view, stop)} />
      <WayLink view={view} stop={stop} isWorded />
    </>
  );
}

export function WayLink({ view, stop, isWorded }: StopLinksProps & { isWorded?: boolean }) {
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
  const address = view[`${stop}Address`];
  const { href, ...where } = navigationLink(address, view[`${stop}Location`], navigator.userAgent);
  return (
    <a
      className={buttonClass('primary')}
      href={href}
      aria-label={words.navigateTo(address)}
      {...where}
    >
      <Navigation aria-hidden size={20} />
      {isWorded && words.navigate}
    </a>
  );
}
