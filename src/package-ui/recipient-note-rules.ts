/** When a note of the recipient is shown, and its kind in words. Pure. */
import type { RecipientNote } from '#contract/tracking.ts';
import type { PackageView } from '#domain/overlay.ts';
import { isComing } from '#domain/package-state.ts';
import { packages } from '#messages/en/packages.ts';

/** Null: of a later version. */
export function noteKindOf(kind: string | null): string | null {
  const { kinds } = packages.recipientNote;
  return kind !== null && Object.hasOwn(kinds, kind) ? kinds[kind as keyof typeof kinds] : null;
}

/** While the recipient may still be met; afterwards the timeline keeps it. */
export function shownNote(view: PackageView): RecipientNote | null {
  return isComing(view) ? view.recipientNote : null;
}
