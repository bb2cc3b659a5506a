/**
 * Which packages stand under which tab, and what an empty tab says: SPEC.md sections 6 and 8.
 * Pure, over the views that the screens read.
 */
import type { PackageView } from '#domain/overlay.ts';
import { words } from './words.ts';

export type TabName = 'pending' | 'in-transit';

export interface TabContents {
  views: PackageView[];
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

const inTabOrder = { pending: newestFirst, 'in-transit': mostUrgentFirst };

/** Packages whose sender is the user: pending ones, and those of any other status. */
export function trackingTab(
  all: readonly PackageView[],
  userId: string,
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

/** All pending packages that the user may see; and those assigned to them that are not pending. */
export function deliveriesTab(
  all: readonly PackageView[],
  userId: string,
  tab: TabName,
): TabContents {
  if (tab === 'pending') {
    const views = newestFirst(all.filter((view) => view.status === 'pending'));
    return { views, emptyText: words.empty.noPending };
  }
  const assigned = all.filter((view) => view.courier?.id === userId);
  const views = mostUrgentFirst(assigned.filter((view) => view.status !== 'pending'));
  const emptyText =
    assigned.length === 0 ? words.empty.assignedNone : words.empty.assignedOnlyPending;
  return { views, emptyText };
}
