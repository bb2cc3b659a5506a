/** Finds packages whose recipient still needs the link. Pure. */
import type { PackageView } from '#domain/overlay.ts';
import { replacedMark } from '#domain/package.ts';
import { isCollected, isComing } from '#domain/package-state.ts';

const remindedMs = 24 * 60 * 60_000;

interface Reminding {
  actorId: string;
  /** As `readTold` gives it; undefined while loading. */
  told: ReadonlySet<string> | undefined;
  nowMs: number;
}

/**
 * Reminds only the sender, before the delivery: after the link was replaced, and on the first day
 * until the pickup, when the operator's text messages bring the link, or until a note shows that
 * the recipient has it.
 */
export function isUntold(view: PackageView, { actorId, told, nowMs }: Reminding): boolean {
  if (!told || view.sender.id !== actorId || !view.trackingPath || !isComing(view)) return false;
  if (told.has(replacedMark(view.id))) return true;
  return (
    !isCollected(view) &&
    view.recipientNote === null &&
    nowMs - Date.parse(view.createdAt) < remindedMs &&
    !told.has(view.id)
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
