import { useSetAtom } from 'jotai';
import { Fragment } from 'react';
import { Link } from 'react-router-dom';
import { paymentMethods } from '#contract/package.ts';
import { useActor } from '#data/use-actor.ts';
import { useNow } from '#data/use-now.ts';
import { distanceText } from '#domain/distance.ts';
import { formatNaira } from '#domain/money.ts';
import type { PackageView } from '#domain/overlay.ts';
import { progressOf } from '#domain/package-state.ts';
import { dueAt, nextStop } from '#domain/stops.ts';
import { homeSummary as words } from '#messages/en/home-summary.ts';
import { packages } from '#messages/en/packages.ts';
import { contactAt } from '#package-ui/contact-buttons.tsx';
import {
  deliveredToday,
  deliveriesTab,
  lateFirst,
  metersToPickup,
  nearestOffers,
} from '#package-ui/list-rules.ts';
import { distancesOf } from '#package-ui/package-card.tsx';
import { StopLinks, WayLink, When } from '#package-ui/stops.tsx';
import { usePlace } from '#package-ui/use-place.ts';
import { selectedPackageAtom } from '#state/package-ui.ts';
import layout from '#ui/stack.module.css';
import css from './courier-summary.module.css';
import {
  firstClass,
  Heading,
  looksOf,
  Row,
  rowsClass,
  StopRow,
  stopText,
  useGlanced,
  useRoom,
} from './home-rows.tsx';

interface Props {
  views: readonly PackageView[];
}

/** The address of its next stop; null: none. */
function addressOf(view: PackageView): string | null {
  const stop = nextStop(view);
  return stop && view[`${stop}Address`];
}

/** 'From Ada' before the pickup, then 'To Bola'. */
function whomAt(view: PackageView): string {
  const who = progressOf(view) === 'accepted' ? words.from : words.to;
  return who(contactAt(view, nextStop(view) ?? 'delivery').name);
}

function useDay(views: readonly PackageView[]) {
  const actor = useActor();
  const place = usePlace(true);
  const nowMs = useNow();
  const own = deliveriesTab(views, actor, 'in-transit', nowMs).views;
  const [next, ...rest] = own.filter(({ status }) => status === 'in-transit');
  // Two packages may go to one place: then the second is no other stop.
  const isAtNext = (view: PackageView) => next !== undefined && addressOf(view) === addressOf(next);
  const others = lateFirst(rest, nowMs);
  const later = others.filter((view) => !isAtNext(view));
  const groups = [
    { title: words.sameStop, views: others.filter(isAtNext), isNamed: true },
    { title: words.afterwards(later.length), views: later, isNamed: false },
  ];
  const offersTitle = place ? words.nearest : words.newest;
  return { place, own, next, groups, offers: nearestOffers(views, actor, place), offersTitle };
}

/** The courier's other packages, by group. */
function Others({ groups }: Pick<ReturnType<typeof useDay>, 'groups'>) {
  return groups
    .filter(({ views }) => views.length > 0)
    .map(({ title, views, isNamed }) => (
      <Fragment key={title}>
        <h2>{title}</h2>
        {views.map((view) => (
          <StopRow key={view.id} view={view} title={isNamed ? whomAt(view) : undefined} />
        ))}
      </Fragment>
    ));
}

/** Today's result and, without a map, the packages after the sheet's stop and offers. */
export function CourierGlance({ views }: Props) {
  const { place, own, next, groups, offers, offersTitle } = useDay(views);
  const { most } = useRoom();
  const shown = next && most === 1 ? 0 : most;
  const more = offers.slice(shown, 20);
  const hasRoom = useGlanced() > 1;
  if (!hasRoom) return <Today own={own} />;
  return (
    <>
      <Today own={own} />
      <Others groups={groups} />
      {more.length > 0 && <h2>{shown > 0 ? words.moreOffers : offersTitle}</h2>}
      {more.map((view) => (
        <OfferRow key={view.id} view={view} meters={metersToPickup(view, place)} />
      ))}
    </>
  );
}

/** The next stop and the ones after it, then the nearest offers. */
export function CourierSummary({ views }: Props) {
  const { place, own, next, groups, offers: all, offersTitle } = useDay(views);
  const { most, isRoomy } = useRoom();
  const stop = next && nextStop(next);
  const offers = all.slice(0, most);
  const isTiled = next && !isRoomy;
  const Offer = isTiled ? OfferTile : OfferRow;
  if (next && stop && most === 1) {
    return (
      <div className={`${layout.row} ${css.lone}`} data-next>
        <StopRow view={next} lead={packages.nextStop.title} />
        <WayLink view={next} stop={stop} />
      </div>
    );
  }
  return (
    <div className={`${layout.tight} ${css.courier}`}>
      <div className={`${rowsClass} ${css.own}`}>
        {next && stop && (
          <div className={`${layout.row} ${css.next}`} data-next>
            <Link className={css.stop} to={`/package-detail/${next.id}`}>
              <div>
                <div className={`${layout.row} ${css.head}`}>
                  <h2>
                    {packages.nextStop.title}: <bdi>{stopText(next, stop)}</bdi>
                  </h2>
                  <When iso={dueAt(next)} isDue />
                  {progressOf(next) === 'picked_up' && !dueAt(next) && <span>{words.anyTime}</span>}
                </div>
                <strong className={layout.clamped} dir="auto">
                  {next[`${stop}Address`]}
                </strong>
              </div>
              <span className={css.whom} dir="auto">
                {whomAt(next)}
              </span>
            </Link>
            <div className={css.reach}>
              <StopLinks view={next} stop={stop} />
            </div>
          </div>
        )}
        {isRoomy && <Today own={own} />}
        {isRoomy && <Others groups={groups} />}
      </div>
      <div className={`${css.offers} ${isTiled ? `${layout.row} ${css.beside}` : layout.tight}`}>
        {isTiled ? <h2>{offersTitle}</h2> : <Heading>{offersTitle}</Heading>}
        {offers.length === 0 && <p className={layout.note}>{words.noOffers}</p>}
        <div className={isTiled ? `${layout.row} ${css.tiles}` : rowsClass}>
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
function useOffer(view: PackageView) {
  const select = useSetAtom(selectedPackageAtom);
  return { to: '/delivery/pending', onClick: () => select(view.id) };
}

function OfferRow({ view, meters }: OfferProps) {
  const distances = distancesOf(view, meters);
  return (
    <Row title={formatNaira(view.priceOfferKobo)} {...looksOf(view)} {...useOffer(view)}>
      {distances && <span>{distances}</span>}
      <span className={firstClass} dir="auto">
        {view.pickupAddress}
      </span>
    </Row>
  );
}

const besidePrice = `${layout.note} ${css.far}`;

/** Three beside each other, below the next stop: too narrow for an address. */
function OfferTile({ view, meters }: OfferProps) {
  const far = meters === null ? distancesOf(view, null) : distanceText(meters);
  return (
    <Link className={css.tile} {...useOffer(view)}>
      <strong>{formatNaira(view.priceOfferKobo)}</strong>{' '}
      {far && <span className={besidePrice}>{far}</span>}
      <span className={far ? 'visually-hidden' : besidePrice} dir="auto">
        {view.pickupAddress}
      </span>
    </Link>
  );
}

/** Today's deliveries and their payments. */
export function Today({ own }: { own: readonly PackageView[] }) {
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
