/**
 * Toasts the server's answers, which may come long after the submitting screen is gone.
 *
 *   soon ──▶ its own message
 *   late ──one──▶ confirmed: its message      refused: package and message, links to its card
 *     └──several together──▶ 'N changes sent', 'N changes need attention', which links to Changes
 *
 * An operation refused only because it depends on another counts, as on Changes, but has no toast of
 * its own. Silent about refusals on Changes itself, which shows and announces them.
 */

import { confirmationWaitMs, isStep, sendingSubject, undoMs } from '#data/submit-intent.ts';
import { dependsOnRefused, type Operation } from '#domain/operation.ts';
import { refusalOf, subjectOf } from '#features/outbox/subject.ts';
import { operations } from '#messages/en/operations.ts';
import { outbox as words } from '#messages/en/outbox.ts';
import { sending } from '#messages/en/sending.ts';
import type { SyncEngine } from '#sync/engine.ts';
import { dismissToast, showError, showSuccess } from '#ui/toast.tsx';
import type { OperationEvent } from './event-buffer.ts';
import type { SingleTab } from './single-tab.ts';

/** Late answers that come this close together share a toast. */
const groupingMs = 2000;
const refusedMs = 8000;
/** A later refusal replaces the toast of an earlier one. */
const refusedSubject = 'refused';

export interface OperationToastNeeds {
  engine: Pick<SyncEngine, 'subscribe'>;
  singleTab: Pick<SingleTab, 'once'>;
  open(address: string): void;
  /** The card of a refused operation is on the screen. */
  isShown(): boolean;
  /** Takes back a step. */
  undo(operation: Operation): void;
  early?: readonly OperationEvent[];
  now?: () => number;
}

/** Counts events, each within `groupingMs` of the previous one. */
function createCounter(now: () => number) {
  let count = 0;
  let lastAtMs = Number.NEGATIVE_INFINITY;
  return {
    add(): number {
      const nowMs = now();
      count = nowMs - lastAtMs > groupingMs ? 1 : count + 1;
      lastAtMs = nowMs;
      return count;
    },
    reset() {
      count = 0;
      lastAtMs = Number.NEGATIVE_INFINITY;
    },
  };
}

/** Package name for a toast, empty if unknown. */
function shortSubject(operation: Operation): string {
  const subject = operation.name === 'editProfile' ? '' : subjectOf(operation, null);
  return subject === words.lostPackage ? '' : subject;
}

export function startOperationToasts(needs: OperationToastNeeds): () => void {
  const { engine, singleTab, open, isShown, undo, early = [], now = Date.now } = needs;
  const sent = createCounter(now);
  const refused = createCounter(now);

  const isLate = ({ createdAt }: Operation) => now() - Date.parse(createdAt) >= confirmationWaitMs;

  function sayRefused(operation: Operation) {
    const isDependent = operation.lastError?.code === dependsOnRefused;
    if (!isDependent) dismissToast(sendingSubject);
    if (isShown() || (isDependent && !isLate(operation))) return;
    const text = refusalOf(operation);
    if (!isLate(operation)) return showError(text);
    const count = refused.add();
    if (isDependent && count === 1) return;
    const subject = shortSubject(operation);
    const single = subject ? operations.refusedLater.named(text, subject) : text;
    const address = count > 1 ? '/outbox' : `/outbox?about=${operation.targetId}`;
    showError(count > 1 ? operations.refusedLater.several(count) : single, {
      subject: refusedSubject,
      durationMs: refusedMs,
      action: { label: operations.refusedLater.look, onAct: () => open(address) },
    });
  }

  function sayDone(operation: Operation) {
    if (!isLate(operation)) sent.reset();
    const count = isLate(operation) ? sent.add() : 1;
    const text = count > 1 ? operations.severalSent(count) : operations.successes[operation.name];
    const isUndoable = count === 1 && isStep(operation);
    const action = { label: sending.undo, onAct: () => undo(operation) };
    showSuccess(text, {
      subject: sendingSubject,
      ...(isUndoable && { durationMs: undoMs, action }),
    });
  }

  function hear({ kind, operation }: OperationEvent) {
    const isRefused = kind === 'refused';
    // A success also shows on the next screen; a refusal has to be announced.
    singleTab.once(
      `${kind}-${operation.id}`,
      () => (isRefused ? sayRefused(operation) : sayDone(operation)),
      { canWait: isRefused },
    );
  }

  for (const event of early) hear(event);
  return engine.subscribe((event) => {
    if (event.kind !== 'status') hear(event);
  });
}
