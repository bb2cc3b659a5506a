/**
 * Which packages a tab shows, in which order, and what an empty tab says. Pure, over the views that
 * the screens read.
 */
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

/** By code units, which is the order of times and a tenth of the work of a language's. */
function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** Newest first; the id settles equal times, so that the order never flickers. */
function newestFirst(views: readonly PackageView[]): PackageView[] {
  return [...views].sort((a, b) => compare(b.createdAt, a.createdAt) || compare(a.id, b.id));
}

/** What waits for the person, then for the network, then what is on its way, then what is over. */
function urgency({ mark, status }: PackageView): number {
  if (mark === 'attention') return 0;
  if (mark === 'waiting') return 1;
  return status === 'in-transit' ? 2 : 3;
}

/** By urgency, the latest change first; delivered and cancelled stand together at the end. */
function mostUrgentFirst(views: readonly PackageView[]): PackageView[] {
  return [...views].sort(
    (a, b) => urgency(a) - urgency(b) || compare(b.updatedAt, a.updatedAt) || compare(a.id, b.id),
  );
}

const inTabOrder = { pending: newestFirst, 'in-transit': mostUrgentFirst, all: newestFirst };

/** Packages whose sender is the user: pending ones, and those of any other status. */
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

/** Every package that the user may see. */
function allTab(all: readonly PackageView[]): TabContents {
  return { views: newestFirst(all), emptyText: words.empty.none };
}

/** All pending packages that the user may see; and those assigned to them that are not pending. */
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
  // Nothing is ever assigned to a customer: what they have is what they see.
  const theirs = role === 'Customer' ? all : assigned;
  const isOnlyPending = theirs.length > 0 && theirs.every((view) => view.status === 'pending');
  const emptyText = isOnlyPending ? words.empty.assignedOnlyPending : words.empty.assignedNone;
  return { views, emptyText };
}

/** What a card offers whom. */
export function cardButtons({ id, role }: Viewer, facts: PackageFacts) {
  const isEmployee = role === 'Employee';
  return {
    details: !isEmployee || facts.status !== 'pending',
    accept: isEmployee && isOnOffer(facts) && facts.senderId !== id,
    assigned: facts.courierId !== null,
  };
}

/** What the person has chosen to see of a tab. */
export interface Choice {
  query: string;
  sort: PackageSort;
  filters: PackageFilters;
}

const statuses = { pending: [], 'in-transit': ['in-transit', 'delivered', 'cancelled'] } as const;

/** The statuses that a tab can be narrowed to; none where it has but one. */
export function statusChoices(tab: TabName): readonly PackageView['status'][] {
  return tab === 'all' ? ['pending', ...statuses['in-transit']] : statuses[tab];
}

/** The orders that differ from the tab's own, after that; how far it is matters to who carries. */
export function sortChoices(tab: TabName, isCourier: boolean): readonly PackageSort[] {
  return packageSorts.filter(
    (sort) => (sort !== 'newest' || tab === 'in-transit') && (sort !== 'near' || isCourier),
  );
}

/** The choice as far as this tab knows it: what was chosen elsewhere does not narrow it unseen. */
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

/** How much of the choice is not the tab's own order and contents. */
export function countChosen({ sort, filters }: Choice): number {
  return [sort, filters.status, filters.senderId, filters.employeeId].filter(Boolean).length;
}

export function isNarrowed({ query, filters }: Choice): boolean {
  return [query, filters.status, filters.senderId, filters.employeeId].some(Boolean);
}

/** What 'nearest' counts from. */
export interface Here {
  /** ms since 1970 */
  nowMs: number;
  /** Null: not known. */
  place: Location | null;
}

/** Metres to the pickup of what is yet to be delivered; null where that, or its pin, is not known. */
export function metersToPickup(
  { pickupLocation, status }: PackageView,
  place: Location | null,
): number | null {
  const isOpen = status === 'pending' || status === 'in-transit';
  return place && pickupLocation && isOpen ? distanceMeters(place, pickupLocation) : null;
}

/** The nearest first; those of which it is not known keep their order, behind them. */
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

/** What of a tab is seen, in the order that was chosen. */
export function chosen(
  views: readonly PackageView[],
  { query, sort, filters }: Choice,
  here: Here,
): readonly PackageView[] {
  const found = searchPackages(views, query).filter((view) => passes(filters, view));
  return sorted(found, sort, here);
}
