/** Whose recipient still needs the link. Pure. */
import type { PackageView } from '#domain/overlay.ts';
import { isComing } from '#domain/policy.ts';

const remindedMs = 24 * 60 * 60_000;

interface Reminding {
  actorId: string;
  /** Ids of packages; undefined while loading. */
  told: ReadonlySet<string> | undefined;
  nowMs: number;
}

/** For the sender only, in the first day of a package that is still to arrive. */
export function isUntold(view: PackageView, { actorId, told, nowMs }: Reminding): boolean {
  return (
    view.sender.id === actorId &&
    Boolean(view.trackingPath) &&
    isComing(view) &&
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
