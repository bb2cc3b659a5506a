/**
 * Says what the server made of an operation, for the whole app: its answer may come long after the
 * screen that asked is gone.
 */
import type { Operation } from '#domain/operation.ts';
import { refusalOf, severalSent, successes } from '#features/outbox/words.ts';
import { confirmationWaitMs } from '#live/use-send.ts';
import { sendingSubject } from '#live/words.ts';
import type { SyncEngine } from '#sync/engine.ts';
import { dismissToast, showError, showSuccess } from '#ui/toast.tsx';
import type { Speaker } from './speaker.ts';

/** Confirmations of what was left waiting that come this close together are said as one. */
const togetherMs = 2000;

/** Starts announcing; returns what stops it. */
export function announce(
  engine: Pick<SyncEngine, 'subscribe'>,
  speaker: Pick<Speaker, 'once'>,
  now: () => number = Date.now,
): () => void {
  let count = 0;
  let lastAtMs = Number.NEGATIVE_INFINITY;

  function sayRefused(operation: Operation) {
    dismissToast(sendingSubject);
    showError(refusalOf(operation));
  }

  function sayDone(operation: Operation) {
    const nowMs = now();
    const isLate = nowMs - Date.parse(operation.createdAt) >= confirmationWaitMs;
    if (!isLate || nowMs - lastAtMs > togetherMs) count = 0;
    if (isLate) {
      count += 1;
      lastAtMs = nowMs;
    }
    const text = count > 1 ? severalSent(count) : successes[operation.name];
    showSuccess(text, { subject: sendingSubject });
  }

  return engine.subscribe((event) => {
    if (event.kind === 'status') return;
    const { kind, operation } = event;
    const isRefused = kind === 'refused';
    // That it is done shows wherever somebody looks next; that it was refused has to be said.
    speaker.once(
      `${kind}-${operation.id}`,
      () => (isRefused ? sayRefused(operation) : sayDone(operation)),
      { canWait: isRefused },
    );
  });
}
