/** The rows of Home's summaries, for all roles. */
import { useAtomValue } from 'jotai';
import {
  ChevronRight,
  type LucideIcon,
  Package,
  PackageCheck,
  PackagePlus,
  PackageX,
  Truck,
  Undo2,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useActor } from '#data/use-actor.ts';
import type { PackageView } from '#domain/overlay.ts';
import { progressOf } from '#domain/package-state.ts';
import type { DeliveryStatus } from '#domain/status.ts';
import { dueAt, nextStop, type StopName } from '#domain/stops.ts';
import { displayName } from '#domain/user.ts';
import { homeSummary as words } from '#messages/en/home-summary.ts';
import { packages } from '#messages/en/packages.ts';
import { statusTones } from '#package-ui/badges.tsx';
import { progressText } from '#package-ui/progress.ts';
import { When } from '#package-ui/stops.tsx';
import { hasMapAtom } from '#state/map.ts';
import { sheetAtom } from '#state/sheet.ts';
import type { BadgeTone } from '#ui/badge.tsx';
import layout from '#ui/stack.module.css';
import { deskMedia, useMedia } from '#ui/use-media.ts';
import css from './home-rows.module.css';

/** For how many rows: a desk's column and a full sheet are filled, and scroll. */
export function useRoom(): { most: number; isRoomy: boolean } {
  const isDesk = useMedia(deskMedia);
  const { isFullScreen, currentHeight } = useAtomValue(sheetAtom);
  if (isDesk || isFullScreen) return { most: 20, isRoomy: true };
  // The lowest sheet has room for one, beside its cards.
  return { most: currentHeight === 'collapsed' ? 1 : 3, isRoomy: false };
}

/** How many rows a phone shows over its map: many where there is none to see. */
export function useGlanced(): number {
  const { isRoomy } = useRoom();
  const hasMap = useAtomValue(hasMapAtom);
  const isHigh = useMedia('(min-height: 32rem)');
  if (isRoomy || !isHigh) return 0;
  return hasMap ? 1 : 20;
}

/** Around rows, which a desk's panel has beside each other. */
export const rowsClass = css.rows;

/** A fact that begins a line. */
export const firstClass = css.first;

interface RowProps {
  to: string;
  title: string;
  icon: ReactNode;
  tone?: BadgeTone | undefined;
  onClick?: () => void;
  children: ReactNode;
}

export function Row({ to, title, icon, tone = 'neutral', onClick, children }: RowProps) {
  return (
    <Link className={`${layout.row} ${css.row}`} to={to} onClick={onClick}>
      <span className={`${layout.tile} ${layout[tone]} ${css.icon}`}>{icon}</span>
      <span className={css.text}>
        <strong dir="auto">{title}</strong>
        {children !== null && (
          <span className={`${layout.facts} ${layout.note} ${css.note}`}>{children}</span>
        )}
      </span>
      <ChevronRight aria-hidden size={20} />
    </Link>
  );
}

const statusIcons: Record<DeliveryStatus, LucideIcon> = {
  pending: Package,
  'in-transit': Truck,
  delivered: PackageCheck,
  cancelled: PackageX,
};

/** The icon of a package's row, in the colour of its status. */
export function looksOf({ status }: PackageView) {
  const Icon = statusIcons[status];
  return { icon: <Icon aria-hidden size={20} />, tone: statusTones[status] };
}

/** Heading of the first rows; visible if there is room. */
export function Heading({ children }: { children: string }) {
  const { isRoomy } = useRoom();
  return <h2 className={isRoomy ? undefined : 'visually-hidden'}>{children}</h2>;
}

/** The way back ends at the pickup, which is none then. */
export function stopText(view: PackageView, stop: StopName): string {
  return progressOf(view) === 'returning'
    ? packages.nextStop.bringBack(displayName(view.sender))
    : packages[stop];
}

const stopIcons: Record<StopName, LucideIcon> = { pickup: PackagePlus, delivery: Truck };

interface StopRowProps {
  view: PackageView;
  /** Replaces the address if that is shown above. */
  title?: string | undefined;
  lead?: string | undefined;
}

/** Next stop, due time and courier; a dispatcher can assign a pending package from here. */
export function StopRow({ view, title, lead }: StopRowProps) {
  const isDispatcher = useActor().role === 'Admin';
  const isAssignable = isDispatcher && view.status === 'pending';
  const stop = nextStop(view);
  const { icon, tone } = looksOf(view);
  const StopIcon = progressOf(view) === 'returning' ? Undo2 : stop && stopIcons[stop];
  return (
    <Row
      to={`/package-detail/${view.id}`}
      title={title ?? (stop ? view[`${stop}Address`] : view.description)}
      tone={tone}
      icon={StopIcon && !isDispatcher ? <StopIcon aria-hidden size={20} /> : icon}
    >
      {lead && <span>{lead}</span>}
      <span dir="auto">{stop ? stopText(view, stop) : progressText(view)}</span>
      <When iso={dueAt(view)} isDue />
      {isDispatcher && view.courier && (
        <span dir="auto">{view.courier.firstName || displayName(view.courier)}</span>
      )}
      {isAssignable && <span className={css.action}>{words.assign}</span>}
      {isAssignable && (
        <span className={css.first} dir="auto">
          {words.to(view.deliveryAddress)}
        </span>
      )}
    </Row>
  );
}
