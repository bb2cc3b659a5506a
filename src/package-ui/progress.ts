import type { PackageView } from '#domain/overlay.ts';
import { isReturnClaimed, progressOf } from '#domain/package-state.ts';
import { deliverySteps as words } from '#messages/en/delivery-steps.ts';
import { reasonOf } from './timeline-rules.ts';

/** 'Not delivered: Recipient unavailable · 2 attempts'; null if the status is enough. */
export function progressText(view: PackageView): string | null {
  const progress = progressOf(view);
  if (view.dispute) return words.disputed;
  if (isReturnClaimed(view)) return words.returnClaimed;
  if (view.outcome === 'returned') return words.returned;
  if (view.photosMissing > 0) return words.photoMissing;
  if (progress === null || progress === 'accepted') return null;
  const reason = progress === 'attempted' ? reasonOf(view.lastAttempt?.reason) : null;
  const text = reason ? words.because(words.reasons[reason]) : words.progress[progress];
  const { attempts } = view;
  if (progress !== 'attempted' && progress !== 'returning') {
    return attempts > 0 ? `${text} · ${words.nthAttempt(attempts + 1)}` : text;
  }
  return attempts > 1 ? `${text} · ${words.attempts(attempts)}` : text;
}
