import { useAtomValue, useSetAtom } from 'jotai';
import {
  ChevronRight,
  type LucideIcon,
  Package,
  PackageCheck,
  PackageX,
  RotateCcw,
  Share2,
  Truck,
  UserRoundPen,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { paymentMethods } from '#contract/package.ts';
import { useActor } from '#data/use-actor.ts';
import { useArePackagesWhole, usePackageViews } from '#data/use-packages.ts';
import { useToldRecipients } from '#data/use-told-recipients.ts';
import { distanceText } from '#domain/distance.ts';
import { formatCount, formatNaira } from '#domain/money.ts';
import type { PackageView } from '#domain/overlay.ts';
import type { Actor } from '#domain/policy.ts';
import { type DeliveryStatus, statusLabel } from '#domain/status.ts';
import { dueAt, isLate, nextStop } from '#domain/stops.ts';
import { displayName, isProfileComplete } from '#domain/user.ts';
import { againPath } from '#features/packages/again.ts';
import { usePlace } from '#features/packages/hooks/use-place.ts';
import {
  deliveredToday,
  deliveriesTab,
  metersToPickup,
  mostUrgent,
  nearestOffers,
  trackingTab,
} from '#features/packages/list-rules.ts';
import { progressText } from '#features/packages/progress.ts';
import { newestUntold } from '#features/packages/reminder-rules.ts';
import { homeSummary as words } from '#messages/en/home-summary.ts';
import { packages } from '#messages/en/packages.ts';
import { selectedPackageAtom } from '#state/package-ui.ts';
import { sheetAtom } from '#state/sheet.ts';
import { ownUserAtom } from '#state/users.ts';
import type { BadgeTone } from '#ui/badge.tsx';
import layout from '#ui/stack.module.css';
import { deskMedia, useMedia } from '#ui/use-media.ts';
import { useNow } from '#ui/use-now.ts';
import { statusTones } from './badges.tsx';
import css from './home-summary.module.css';
import { distancesOf } from './package-card.tsx';
import { StopLinks, When } from './stops.tsx';

const mostRows = 3;
/** A desk's column and a full sheet are filled, and scroll. */
const mostRowsWhereRoomy = 20;

/** The lowest sheet has room for one, beside its cards. */
function useMostRows(): number {
  const isDesk = useMedia(deskMedia);
  const { isFullScreen, currentHeight } = useAtomValue(sheetAtom);
  if (isDesk || isFullScreen) return mostRowsWhereRoomy;
  return currentHeight === 'collapsed' ? 1 : mostRows;
}

interface RowProps {
  to: string;
  title: string;
  icon: ReactNode;
  tone?: BadgeTone | undefined;
  onClick?: () => void;
  /** Instead of the chevron: what a press leads to. */
  action?: string | undefined;
  children: ReactNode;
}

function Row({ to, title, icon, tone = 'neutral', onClick, action, children }: RowProps) {
  return (
    <Link className={css.row} to={to} onClick={onClick}>
      <span className={css.icon} data-tone={tone}>
        {icon}
      </span>
      <span className={css.text}>
        <strong>{title}</strong>
        <span className={css.note}>{children}</span>
      </span>
      {action ? (
        <span className={css.action}>{action}</span>
      ) : (
        <ChevronRight aria-hidden size={20} />
      )}
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
function looksOf({ status }: PackageView) {
  const Icon = statusIcons[status];
  return { icon: <Icon aria-hidden size={20} />, tone: statusTones[status] };
}

/** Of the first rows: seen where there is room for it. */
function Heading({ children }: { children: string }) {
  const isRoomy = useMostRows() > mostRows;
  return <h2 className={isRoomy ? undefined : 'visually-hidden'}>{children}</h2>;
}

const isInTransit = ({ status }: PackageView) => status === 'in-transit';

interface PartProps {
  views: readonly PackageView[];
}

/** By what is due next; what has no time comes last. */
function soonestFirst(views: readonly PackageView[]): PackageView[] {
  const dueMs = (view: PackageView) => Date.parse(dueAt(view) ?? '') || Infinity;
  return [...views].sort((a, b) => dueMs(a) - dueMs(b) || 0);
}

function sentUnderWay(views: readonly PackageView[], actor: Actor): PackageView[] {
  return soonestFirst([
    ...trackingTab(views, actor, 'in-transit').views.filter(isInTransit),
    ...trackingTab(views, actor, 'pending').views,
  ]);
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
      <span>{view.deliveryAddress}</span>
      <span className="visually-hidden">{statusLabel(view.status)}</span>
    </Row>
  );
}

/**
 * What is under way; the last package as the start of the next one: first where there is room for
 * all, otherwise where a row is left.
 */
function SenderPart({ views }: PartProps) {
  const actor = useActor();
  const most = useMostRows();
  const moving = trackingTab(views, actor, 'in-transit').views;
  const pending = trackingTab(views, actor, 'pending').views;
  const told = useToldRecipients();
  const nowMs = useNow();
  const untold = newestUntold(pending.concat(moving), { actorId: actor.id, told, nowMs });
  // It takes the place of a row.
  const rows = untold && most === mostRows ? most - 1 : most;
  const underWay = sentUnderWay(views, actor).slice(0, rows);
  const [last] = [...moving, ...pending].sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
  if (!last) {
    return (
      <div className={css.none}>
        <Package aria-hidden size={32} />
        <p>{words.nothing}</p>
      </div>
    );
  }
  const isRoomy = most > mostRows;
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
      {underWay.length < most && !isRoomy && again}
      {isRoomy && <Delivered views={moving.slice(0, most)} />}
    </>
  );
}

/** What was sent before, where there is room for it. */
function Delivered({ views }: PartProps) {
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

/** In characters: more than two lines of a phone's headline. */
const longAddress = 32;

function CourierPart({ views }: PartProps) {
  const actor = useActor();
  const place = usePlace(true);
  const own = deliveriesTab(views, actor, 'in-transit').views;
  const [next, ...later] = own.filter(isInTransit);
  const most = useMostRows();
  const isRoomy = most > mostRows;
  const stop = next && nextStop(next);
  const offers = nearestOffers(views, actor, place).slice(0, most);
  const isTiled = next && !isRoomy;
  const Offer = isTiled ? OfferTile : OfferRow;
  if (next && most === 1) return <StopRow view={next} />;
  return (
    <div className={css.courier}>
      <div className={css.own}>
        {next && stop && (
          <div className={css.next} data-next>
            <Link className={css.stop} to={`/package-detail/${next.id}`}>
              <h2>
                {packages.nextStop.title}: {packages[stop]}
              </h2>
              <strong
                className={layout.clamped}
                data-long={next[`${stop}Address`].length > longAddress}
              >
                {next[`${stop}Address`]}
              </strong>
              <When iso={next[`${stop}Date`]} isDue />
            </Link>
            <div className={css.reach}>
              <StopLinks view={next} stop={stop} />
            </div>
          </div>
        )}
        {isRoomy && <Today own={own} />}
        {isRoomy && later.length > 0 && <h2>{words.afterwards}</h2>}
        {isRoomy && later.map((view) => <StopRow key={view.id} view={view} />)}
      </div>
      <div className={css.offers} data-whole={isTiled || undefined}>
        <Heading>{place ? words.nearest : words.newest}</Heading>
        {offers.length === 0 && <p className={css.note}>{words.noOffers}</p>}
        <div className={isTiled ? css.tiles : css.rows}>
          {offers.map((view) => (
            <Offer key={view.id} view={view} meters={metersToPickup(view, place)} />
          ))}
        </div>
      </div>
    </div>
  );
}

interface OfferProps {
  view: PackageView;
  meters: number | null;
}

/** Leads to the offer in its list. */
function useOffer({ view }: OfferProps) {
  const select = useSetAtom(selectedPackageAtom);
  return { to: '/delivery/pending', onClick: () => select(view.id) };
}

function OfferRow(props: OfferProps) {
  const { view, meters } = props;
  return (
    <Row title={formatNaira(view.priceOfferKobo)} {...looksOf(view)} {...useOffer(props)}>
      <span>{distancesOf(view, meters)}</span>
      <span>{view.pickupAddress}</span>
    </Row>
  );
}

/** Three beside each other, below the next stop: too narrow for an address. */
function OfferTile(props: OfferProps) {
  const { view, meters } = props;
  const far = meters === null ? distancesOf(view, null) : packages.away(distanceText(meters));
  return (
    <Link className={css.tile} {...useOffer(props)}>
      <strong>{formatNaira(view.priceOfferKobo)}</strong>{' '}
      {far && <span className={css.note}>{far}</span>}
      <span className={far ? 'visually-hidden' : css.note}>{view.pickupAddress}</span>
    </Link>
  );
}

/** What this courier has delivered today, and what it has brought. */
function Today({ own }: { own: readonly PackageView[] }) {
  const today = deliveredToday(own, useNow());
  return (
    <p className={css.today}>
      {words.today}: {words.delivered(today.count)}
      {paymentMethods.map(
        (method) =>
          today.paidKobo[method] > 0 && (
            <span key={method}>
              {' · '}
              <strong>{formatNaira(today.paidKobo[method])}</strong> {words.paidBy[method]}
            </span>
          ),
      )}
    </p>
  );
}

/** Over a phone's map: a courier's day, unless the sheet is full and says so. */
export function HomeGlance() {
  const views = usePackageViews();
  const isWhole = useArePackagesWhole();
  const actor = useActor();
  const isRoomy = useMostRows() > mostRows;
  if (!views || !isWhole || isRoomy || actor.role !== 'Employee') return null;
  return (
    <div className={css.glance}>
      <Today own={deliveriesTab(views, actor, 'in-transit').views} />
    </div>
  );
}

/** Where it has to be next, by when, and who carries it; a dispatcher assigns what is pending. */
function StopRow({ view }: { view: PackageView }) {
  const isDispatcher = useActor().role === 'Admin';
  const stop = nextStop(view);
  return (
    <Row
      to={`/package-detail/${view.id}`}
      title={stop ? view[`${stop}Address`] : view.description}
      action={isDispatcher && view.status === 'pending' ? words.assign : undefined}
      {...looksOf(view)}
    >
      <span>{stop ? packages[stop] : progressText(view)}</span>
      <When iso={dueAt(view)} isDue />
      <span>
        {isDispatcher && view.courier && (view.courier.firstName || displayName(view.courier))}
      </span>
    </Row>
  );
}

/** The numbers, then what is late or has no courier. */
function DispatcherPart({ views }: PartProps) {
  const nowMs = useNow();
  const most = useMostRows();
  const urgent = mostUrgent(views, nowMs).slice(0, most);
  const count = (isCounted: (view: PackageView) => boolean) => views.filter(isCounted).length;
  const late = count((view) => isLate(view, nowMs));
  const problems = count(({ dispute }) => dispute !== null);
  const numbers = [
    // They lead the list of all.
    ...(problems > 0
      ? [
          {
            to: '/delivery/all?status=',
            label: words.problems(problems),
            figure: problems,
            isBad: true,
          },
        ]
      : []),
    {
      to: '/delivery/pending?status=',
      label: words.unassigned,
      figure: count(({ status }) => status === 'pending'),
    },
    {
      to: '/delivery/all?status=late',
      label: words.late,
      figure: late,
      isBad: late > 0,
    },
    {
      to: '/delivery/all?status=in-transit',
      label: words.inTransit,
      figure: count(({ status }) => status === 'in-transit'),
    },
  ];
  return (
    <>
      {(most > 1 || urgent.length === 0) && (
        <div className={css.numbers}>
          {numbers.map(({ to, label, figure, isBad }) => (
            <Link key={label} className={css.number} to={to} data-bad={isBad}>
              <strong>{formatCount(figure)}</strong> {label}
            </Link>
          ))}
        </div>
      )}
      {urgent.length > 0 && <Heading>{words.urgent}</Heading>}
      {urgent.map((view) => (
        <StopRow key={view.id} view={view} />
      ))}
    </>
  );
}

const parts = { Customer: SenderPart, Employee: CourierPart, Admin: DispatcherPart };

/** On Home's sheet: the next action, by role; nothing until all packages are loaded. */
export function HomeSummary() {
  const views = usePackageViews();
  const isWhole = useArePackagesWhole();
  const self = useAtomValue(ownUserAtom);
  const { role } = useActor();
  const most = useMostRows();
  const Part = parts[role];
  if (!views || !isWhole) return null;
  const isAsked = self && role !== 'Admin' && !isProfileComplete(self);
  return (
    <div className={css.summary}>
      {isAsked && (
        <Row
          to={`/edit-user/${self.id}`}
          title={words.profile}
          icon={<UserRoundPen aria-hidden size={20} />}
        >
          {words.profileText}
        </Row>
      )}
      {(!isAsked || most > 1) && <Part views={views} />}
    </div>
  );
}
