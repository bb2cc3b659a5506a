/**
 * Says what the server made of an operation, for the whole app: its answer may come long after the
 * screen that asked is gone.
 *
 *   soon ──▶ in the words of the specification, each by itself
 *   late ──one──▶ confirmed: its words      refused: its package and its words, leads to its card
 *     └──several together──▶ 'N changes sent', 'N changes need attention', which leads to Changes
 *
 * What was refused only because it leaned on another is not said: it is decided on with that one.
 */

import { confirmationWaitMs, sendingSubject } from '#data/submit-intent.ts';
import { dependsOnRefused, type Operation } from '#domain/operation.ts';
import { refusalOf, subjectOf } from '#features/outbox/subject.ts';
import { operations } from '#messages/en/operations.ts';
import { outbox as words } from '#messages/en/outbox.ts';
import type { SyncEngine } from '#sync/engine.ts';
import { dismissToast, showError, showSuccess } from '#ui/toast.tsx';
import type { OperationEvent } from './event-buffer.ts';
import type { SingleTab } from './single-tab.ts';

/** Answers to what was left waiting that come this close together are said as one. */
const togetherMs = 2000;
/** With something to press in it. */
const refusedMs = 8000;
/** Late refusals take each other's place. */
const refusedSubject = 'refused';

export interface OperationToastNeeds {
  engine: Pick<SyncEngine, 'subscribe'>;
  singleTab: Pick<SingleTab, 'once'>;
  /** Leads to this address of the app. */
  open(address: string): void;
  /** What the engine heard before this announcer was there. */
  early?: readonly OperationEvent[];
  now?: () => number;
}

/** How many came together, each within a moment of the one before. */
function createCounter(now: () => number) {
  let count = 0;
  let lastAtMs = Number.NEGATIVE_INFINITY;
  return {
    /** Answers the number with this one. */
    add(): number {
      const nowMs = now();
      count = nowMs - lastAtMs > togetherMs ? 1 : count + 1;
      lastAtMs = nowMs;
      return count;
    },
    reset() {
      count = 0;
      lastAtMs = Number.NEGATIVE_INFINITY;
    },
  };
}

/** What a toast has room for. */
function shortSubject(operation: Operation): string {
  const subject = operation.name === 'editProfile' ? '' : subjectOf(operation, null);
  return subject === words.lostPackage ? '' : subject;
}

/** Starts announcing; returns what stops it. */
export function startOperationToasts(needs: OperationToastNeeds): () => void {
  const { engine, singleTab, open, early = [], now = Date.now } = needs;
  const sent = createCounter(now);
  const refused = createCounter(now);

  const isLate = ({ createdAt }: Operation) => now() - Date.parse(createdAt) >= confirmationWaitMs;

  function sayRefused(operation: Operation) {
    dismissToast(sendingSubject);
    const text = refusalOf(operation);
    if (!isLate(operation)) return showError(text);
    const count = refused.add();
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
    showSuccess(text, { subject: sendingSubject });
  }

  function hear({ kind, operation }: OperationEvent) {
    const isRefused = kind === 'refused';
    if (isRefused && operation.lastError?.code === dependsOnRefused) return;
    // That it is done shows wherever somebody looks next; that it was refused has to be said.
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
