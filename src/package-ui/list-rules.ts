/** The packages of a tab, their order, and the tab's text when empty. Pure. */
import type { Location } from '#contract/fields.ts';
import type { PaymentMethod } from '#contract/package.ts';
import { isSameDay } from '#domain/dates.ts';
import { distanceMeters } from '#domain/distance.ts';
import type { PackageView } from '#domain/overlay.ts';
import { isOnOffer, progressOf } from '#domain/package-state.ts';
import { type Actor, factsOf, type PackageFacts } from '#domain/policy.ts';
import { searchPackages } from '#domain/search.ts';
import { statusLabel } from '#domain/status.ts';
import { dueAt, isLate } from '#domain/stops.ts';
import { packages as words } from '#messages/en/packages.ts';
import {
  noFilters,
  type PackageFilters,
  type PackageSort,
  packageSorts,
  passes,
} from '#state/package-ui.ts';

export type TabName = 'pending' | 'in-transit' | 'all';

type Viewer = Pick<Actor, 'id' | 'role'>;

export interface TabContents {
  views: readonly PackageView[];
  emptyText: string;
}

/** A tab, and the packages of the list's other tabs, which a search covers too. */
export interface SearchedTab extends TabContents {
  others: readonly PackageView[];
}

/** By code units: correct for ISO times and ten times as fast as localeCompare. */
function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** Newest first; ties by id, so that the order is stable. */
function newestFirst(views: readonly PackageView[]): PackageView[] {
  return [...views].sort((a, b) => compare(b.createdAt, a.createdAt) || compare(a.id, b.id));
}

const byChange = (a: PackageView, b: PackageView) =>
  compare(b.updatedAt, a.updatedAt) || compare(a.id, b.id);

/** A sender's groups, in their order. */
const groups: readonly PackageView['status'][] = ['in-transit', 'delivered', 'cancelled'];

/** After any ISO time. */
const noTime = '~';

/** Attention or a problem first, then late ones, longest first; the rest keep their order. */
export function lateFirst(views: readonly PackageView[], nowMs: number): PackageView[] {
  const rank = new Map(
    views.map((view) => [
      view,
      view.mark === 'attention' || view.dispute ? 0 : isLate(view, nowMs) ? 1 : 2,
    ]),
  );
  const of = (view: PackageView) => rank.get(view) ?? 2;
  return [...views].sort(
    (a, b) => of(a) - of(b) || (of(a) === 1 ? compare(dueAt(a) ?? '', dueAt(b) ?? '') : 0),
  );
}

/** By due time at the next stop; without one, the latest change first. */
function byDue(views: readonly PackageView[]) {
  const due = new Map(views.map((view) => [view, dueAt(view) ?? noTime]));
  const of = (view: PackageView) => due.get(view) ?? noTime;
  return (a: PackageView, b: PackageView) => compare(of(a), of(b)) || byChange(a, b);
}

const group = ({ status }: PackageView) => groups.indexOf(status);

/** On the way, delivered, cancelled; in each, the most urgent first. */
function grouped(views: readonly PackageView[], nowMs: number): PackageView[] {
  return lateFirst([...views].sort(byDue(views)), nowMs).sort((a, b) => group(a) - group(b));
}

/** Late, then without a courier, then on the way, each by due time; final ones last. */
function mostPressing(views: readonly PackageView[], nowMs: number): PackageView[] {
  const soonest = byDue(views);
  return lateFirst(
    [...views].sort((a, b) => group(a) - group(b) || soonest(a, b)),
    nowMs,
  );
}

/**
 * Attention first, then packages whose courier has arrived, then late ones, then by due time; final
 * ones last.
 */
function dueFirst(views: readonly PackageView[], nowMs: number): PackageView[] {
  const rank = (view: PackageView) => {
    if (view.mark === 'attention') return 0;
    if (view.status !== 'in-transit') return 4;
    if (progressOf(view) === 'arrived') return 1;
    return isLate(view, nowMs) ? 2 : 3;
  };
  // Without an agreed time, the pickup's says best how long the package has been waiting.
  const due = new Map(views.map((view) => [view, dueAt(view) ?? view.pickupDate]));
  const byTime = (a: PackageView, b: PackageView) =>
    rank(a) < 4 ? compare(due.get(a) ?? '', due.get(b) ?? '') : 0;
  return [...views].sort((a, b) => rank(a) - rank(b) || byTime(a, b) || byChange(a, b));
}

/** The user's own packages: pending, or any other status. */
export function trackingTab(
  all: readonly PackageView[],
  { id: userId }: Viewer,
  tab: TabName,
  nowMs: number,
): TabContents {
  const own = all.filter((view) => view.sender.id === userId);
  const isPending = tab === 'pending';
  const shown = own.filter((view) => (view.status === 'pending') === isPending);
  const views = grouped(shown, nowMs);
  if (own.length === 0) return { views, emptyText: words.empty.ownNone };
  const emptyText = tab === 'pending' ? words.empty.ownNonePending : words.empty.ownAllPending;
  return { views, emptyText };
}

/**
 * Pending: all that are visible to the user; in transit: those assigned to them; all: those without
 * a courier, then the others. For a dispatcher, who looks after all of them, the most urgent first.
 */
export function deliveriesTab(
  all: readonly PackageView[],
  { id: userId, role }: Viewer,
  tab: TabName,
  nowMs: number,
): TabContents {
  if (tab !== 'in-transit') {
    const pending = all.filter((view) => view.status === 'pending');
    const taken = all.filter((view) => tab === 'all' && view.status !== 'pending');
    return {
      views:
        role === 'Admin'
          ? mostPressing([...pending, ...taken], nowMs)
          : [...newestFirst(pending), ...grouped(taken, nowMs)],
      emptyText: tab === 'all' ? words.empty.none : words.empty.noPending,
    };
  }
  const assigned = all.filter((view) => view.courier?.id === userId);
  const views = dueFirst(
    assigned.filter((view) => view.status !== 'pending'),
    nowMs,
  );
  // Customers are never assigned a package: theirs are those they see.
  const theirs = role === 'Customer' ? all : assigned;
  const isOnlyPending = theirs.length > 0 && theirs.every((view) => view.status === 'pending');
  const emptyText = isOnlyPending ? words.empty.assignedOnlyPending : words.empty.assignedNone;
  return { views, emptyText };
}

/** The packages of the list's other tabs, unordered. */
export function othersOf(
  all: readonly PackageView[],
  { id: userId, role }: Viewer,
  shown: readonly PackageView[],
  isOwn: boolean,
): readonly PackageView[] {
  const known = new Set(shown);
  const isListed = ({ sender, courier, status }: PackageView) => {
    if (isOwn) return sender.id === userId;
    return role === 'Admin' || status === 'pending' || courier?.id === userId;
  };
  return all.filter((view) => !known.has(view) && isListed(view));
}

/** A courier's deliveries of today: their number, and the payments by method in kobo. */
export function deliveredToday(own: readonly PackageView[], nowMs: number) {
  const paidKobo: Record<PaymentMethod, number> = { cash: 0, app: 0 };
  const done = own.filter(
    ({ status, updatedAt }) => status === 'delivered' && isSameDay(updatedAt, nowMs),
  );
  for (const { paymentMethod, paymentStatus, priceOfferKobo } of done) {
    if (paymentStatus === 'paid') paidKobo[paymentMethod ?? 'cash'] += priceOfferKobo;
  }
  return { count: done.length, paidKobo };
}

export function cardButtons({ id, role }: Viewer, facts: PackageFacts) {
  const isEmployee = role === 'Employee';
  return {
    details: !isEmployee || facts.status !== 'pending',
    accept: isEmployee && isOnOffer(facts) && facts.senderId !== id,
    assigned: facts.courierId !== null,
  };
}

export interface Choice {
  query: string;
  sort: PackageSort;
  filters: PackageFilters;
}

/**
 * Values of the status filter. 'late' is behind its next stop's time; 'problem' waits for a
 * dispatcher's decision, whatever its status; 'photoMissing' was delivered with a picture that has
 * not arrived.
 */
export type StatusChoice = PackageView['status'] | 'late' | 'problem' | 'photoMissing';

/** Statuses to filter a tab by; one that only looks for offers needs none. */
export function statusChoices(tab: TabName, { isOfOffers }: ListReader): readonly StatusChoice[] {
  if (tab === 'pending') return isOfOffers ? [] : ['late'];
  return [
    ...(tab === 'all'
      ? (['problem', 'photoMissing', 'late', 'pending'] as const)
      : ['late' as const]),
    ...groups,
  ];
}

export const choiceLabel = (choice: StatusChoice): string =>
  choice === 'late' || choice === 'problem' || choice === 'photoMissing'
    ? words[choice]
    : statusLabel(choice);

/** The list's reader, and whether it contains offers. */
export interface ListReader {
  isCourier: boolean;
  isOfOffers: boolean;
}

/** Offers keep their order as time passes; all other lists are ordered by urgency. */
export const defaultSort = (tab: TabName, { isOfOffers }: ListReader): '' | 'newest' =>
  tab === 'pending' && isOfOffers ? 'newest' : '';

/** Orders other than the tab's default; distance is for couriers only. */
export function sortChoices(tab: TabName, reader: ListReader): readonly PackageSort[] {
  return packageSorts.filter(
    (sort) =>
      sort === '' || (sort !== defaultSort(tab, reader) && (sort !== 'near' || reader.isCourier)),
  );
}

/** False: the newest packages are those that the tab shows first. */
export const needsAll = (tab: TabName, choice: Choice, reader: ListReader): boolean =>
  defaultSort(tab, reader) === '' || isNarrowed(choice) || countChosen(choice) > 0;

/** Drops the parts of the choice that this tab has no controls for. */
export function choiceFor(
  tab: TabName,
  { query, sort, filters }: Choice,
  reader: ListReader,
): Choice {
  const status = statusChoices(tab, reader).find((each) => each === filters.status) ?? '';
  return {
    query: query.trim(),
    sort: sortChoices(tab, reader).includes(sort) ? sort : '',
    filters: tab === 'all' ? { ...filters, status } : { ...noFilters, status },
  };
}

export function countChosen({ sort, filters }: Choice): number {
  return [sort, filters.status, filters.senderId, filters.employeeId].filter(Boolean).length;
}

export function isNarrowed({ query, filters }: Choice): boolean {
  return [query, filters.status, filters.senderId, filters.employeeId].some(Boolean);
}

export interface Here {
  /** ms since 1970 */
  nowMs: number;
  /** Null: unknown. */
  place: Location | null;
}

/** Metres to the pickup of an undelivered package; null if either place is unknown. */
export function metersToPickup(
  { pickupLocation, status }: PackageView,
  place: Location | null,
): number | null {
  const isOpen = status === 'pending' || status === 'in-transit';
  return place && pickupLocation && isOpen ? distanceMeters(place, pickupLocation) : null;
}

/** Nearest first; unknown distances last, in their previous order. */
function nearestFirst(views: readonly PackageView[], place: Location): PackageView[] {
  const far = new Map(views.map((view) => [view, metersToPickup(view, place) ?? Infinity]));
  const of = (view: PackageView) => far.get(view) ?? Infinity;
  return [...views].sort((a, b) => (of(a) === of(b) ? 0 : of(a) - of(b)));
}

/** Offers this courier can accept: nearest first if the position is known, else newest. */
export function nearestOffers(
  views: readonly PackageView[],
  { id }: Viewer,
  place: Location | null,
): PackageView[] {
  const offers = newestFirst(
    views.filter((view) => view.sender.id !== id && isOnOffer(factsOf(view))),
  );
  return place ? nearestFirst(offers, place) : offers;
}

/** With a problem reported, then behind the time of its next stop, then without a courier. */
export function mostUrgent(views: readonly PackageView[], nowMs: number): PackageView[] {
  const due = (view: PackageView) => dueAt(view) ?? '';
  return views
    .filter((view) => view.dispute || view.status === 'pending' || isLate(view, nowMs))
    .sort(
      (a, b) =>
        Number(!a.dispute) - Number(!b.dispute) || compare(due(a), due(b)) || compare(a.id, b.id),
    );
}

function sorted(views: readonly PackageView[], sort: PackageSort, { nowMs, place }: Here) {
  const offAt = ({ pickupDate }: PackageView) => Math.abs(Date.parse(pickupDate) - nowMs);
  switch (sort) {
    case '':
      return views;
    case 'near':
      return place ? nearestFirst(views, place) : views;
    case 'newest':
      return newestFirst(views);
    case 'offer':
      return [...views].sort(
        (a, b) => b.priceOfferKobo - a.priceOfferKobo || compare(b.createdAt, a.createdAt),
      );
    case 'pickup': {
      const distances = new Map(views.map((view) => [view, offAt(view)]));
      const of = (view: PackageView) => distances.get(view) ?? 0;
      return [...views].sort((a, b) => of(a) - of(b) || compare(a.id, b.id));
    }
  }
}

export function chosen(
  views: readonly PackageView[],
  { query, sort, filters }: Choice,
  here: Here,
): readonly PackageView[] {
  const { status, ...others } = filters;
  const isOfStatus = (view: PackageView) => {
    if (status === 'late') return isLate(view, here.nowMs);
    if (status === 'problem') return view.dispute !== null;
    if (status === 'photoMissing') return view.photosMissing > 0;
    return passes({ ...noFilters, status }, view);
  };
  const isSought = (view: PackageView) =>
    isOfStatus(view) && passes({ ...others, status: '' }, view);
  const found = searchPackages(views, query).filter(isSought);
  return sorted(found, sort, here);
}

/** Search results from the other tabs; empty without a query. */
export function foundElsewhere(
  others: readonly PackageView[],
  choice: Choice,
  here: Here,
): readonly PackageView[] {
  if (choice.query === '') return [];
  return chosen(mostPressing(searchPackages(others, choice.query), here.nowMs), choice, here);
}
