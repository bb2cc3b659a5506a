/** Which packages a tab shows, in which order, and its text when empty. Pure. */
import type { Location } from '#contract/fields.ts';
import { distanceMeters } from '#domain/distance.ts';
import type { PackageView } from '#domain/overlay.ts';
import { type Actor, isOnOffer, type PackageFacts } from '#domain/policy.ts';
import { searchPackages } from '#domain/search.ts';
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

/** By code units: correct for ISO times and ten times as fast as localeCompare. */
function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** Newest first; ties by id, so that the order is stable. */
function newestFirst(views: readonly PackageView[]): PackageView[] {
  return [...views].sort((a, b) => compare(b.createdAt, a.createdAt) || compare(a.id, b.id));
}

/** Order: needs attention, unsent, active, finished. */
function urgency({ mark, status }: PackageView): number {
  if (mark === 'attention') return 0;
  if (mark === 'waiting') return 1;
  return status === 'in-transit' ? 2 : 3;
}

/** By urgency, then by latest change; delivered and cancelled last, mixed. */
function mostUrgentFirst(views: readonly PackageView[]): PackageView[] {
  return [...views].sort(
    (a, b) => urgency(a) - urgency(b) || compare(b.updatedAt, a.updatedAt) || compare(a.id, b.id),
  );
}

const inTabOrder = { pending: newestFirst, 'in-transit': mostUrgentFirst, all: newestFirst };

/** The user's own packages: pending, or any other status. */
export function trackingTab(
  all: readonly PackageView[],
  { id: userId }: Viewer,
  tab: TabName,
): TabContents {
  const own = all.filter((view) => view.sender.id === userId);
  const views = inTabOrder[tab](
    own.filter((view) => (view.status === 'pending') === (tab === 'pending')),
  );
  if (own.length === 0) return { views, emptyText: words.empty.ownNone };
  const emptyText = tab === 'pending' ? words.empty.ownNonePending : words.empty.ownAllPending;
  return { views, emptyText };
}

function allTab(all: readonly PackageView[]): TabContents {
  return { views: newestFirst(all), emptyText: words.empty.none };
}

/** Pending: all that are visible to the user; other tabs: those assigned to them. */
export function deliveriesTab(
  all: readonly PackageView[],
  { id: userId, role }: Viewer,
  tab: TabName,
): TabContents {
  if (tab === 'all') return allTab(all);
  if (tab === 'pending') {
    const views = newestFirst(all.filter((view) => view.status === 'pending'));
    return { views, emptyText: words.empty.noPending };
  }
  const assigned = all.filter((view) => view.courier?.id === userId);
  const views = mostUrgentFirst(assigned.filter((view) => view.status !== 'pending'));
  // Customers are never assigned a package: theirs are those they see.
  const theirs = role === 'Customer' ? all : assigned;
  const isOnlyPending = theirs.length > 0 && theirs.every((view) => view.status === 'pending');
  const emptyText = isOnlyPending ? words.empty.assignedOnlyPending : words.empty.assignedNone;
  return { views, emptyText };
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

const statuses = { pending: [], 'in-transit': ['in-transit', 'delivered', 'cancelled'] } as const;

/** Statuses to filter a tab by; none if it has only one. */
export function statusChoices(tab: TabName): readonly PackageView['status'][] {
  return tab === 'all' ? ['pending', ...statuses['in-transit']] : statuses[tab];
}

/** Orders other than the tab's default; distance is for couriers only. */
export function sortChoices(tab: TabName, isCourier: boolean): readonly PackageSort[] {
  return packageSorts.filter(
    (sort) => (sort !== 'newest' || tab === 'in-transit') && (sort !== 'near' || isCourier),
  );
}

/** Drops the parts of the choice that this tab has no controls for. */
export function choiceFor(
  tab: TabName,
  { query, sort, filters }: Choice,
  isCourier = false,
): Choice {
  const status = statusChoices(tab).find((each) => each === filters.status) ?? '';
  return {
    query: query.trim(),
    sort: sortChoices(tab, isCourier).includes(sort) ? sort : '',
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
  const found = searchPackages(views, query).filter((view) => passes(filters, view));
  return sorted(found, sort, here);
}
