/** Whose recipient still needs the link. Pure. */
import type { PackageView } from '#domain/overlay.ts';
import { progressOf } from '#domain/policy.ts';

const remindedMs = 24 * 60 * 60_000;

interface Reminding {
  actorId: string;
  /** Ids of packages; undefined while loading. */
  told: ReadonlySet<string> | undefined;
  nowMs: number;
}

/**
 * For the sender only, in the first day, until the courier has the package: from then on the
 * operator's text messages bring the link.
 */
export function isUntold(view: PackageView, { actorId, told, nowMs }: Reminding): boolean {
  return (
    view.sender.id === actorId &&
    Boolean(view.trackingPath) &&
    // Who wrote a note has it.
    view.recipientNote === null &&
    (view.status === 'pending' || progressOf(view) === 'accepted') &&
    nowMs - Date.parse(view.createdAt) < remindedMs &&
    told?.has(view.id) === false
  );
}

/** The newest of them; undefined: none. */
export function newestUntold(
  views: readonly PackageView[],
  reminding: Reminding,
): PackageView | undefined {
  return views
    .filter((view) => isUntold(view, reminding))
    .sort((a, b) => b.createdAt.localeCompare(a.createdAt))[0];
}
