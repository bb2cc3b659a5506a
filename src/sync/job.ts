/**
 * One job under the lock: push, then pull, then push again what was enqueued meanwhile.
 *
 *   first of all, once: sort the outbox (sync/quarantine.ts)
 *   push ──no server──▶ end, offline        push ──session over──▶ end
 *     └─▶ pull, page by page ──failed──▶ end
 *           └─▶ anything due? ──yes──▶ push …      ──no──▶ end
 */
import { ApiFailure } from '#api/failure.ts';
import { type Failure, isUnanswered, outcomeOf } from '#domain/outcome.ts';
import { type PullPorts, pull } from './pull.ts';
import { type Haste, type PushPorts, push, readyHeads, sortQueue } from './push.ts';

export interface JobPorts extends PushPorts, PullPorts {
  onPhase(phase: 'pushing' | 'pulling'): void;
}

export interface JobWish {
  haste: Haste;
  /** False: pull only if something was sent. */
  wantsPull: boolean;
  /** False while the server asked to be left alone (Retry-After). */
  mayPull: boolean;
  /** The last job found no server. */
  wasOffline: boolean;
  /** The engine's first: another version of the app may have left something in the outbox. */
  isFirst: boolean;
}

export interface JobResult {
  isSignedOut: boolean;
  isOffline: boolean;
  pullFailure: Failure | null;
}

/** `isWhole`: both lists came to their ends; else something to be sent goes first. */
async function tryPull(context: JobPorts): Promise<{ isWhole: boolean } | { failure: Failure }> {
  context.onPhase('pulling');
  try {
    const isWhole = await pull(context, async () => (await readyHeads(context, 'due')).length > 0);
    context.onHeard(null);
    return { isWhole };
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    context.onHeard(error.failure);
    return { failure: error.failure };
  }
}

/** Rejects with StoppedError, or for faults of the database. */
export async function runJob(context: JobPorts, wish: JobWish): Promise<JobResult> {
  const result: JobResult = { isSignedOut: false, isOffline: false, pullFailure: null };
  let { haste, wantsPull } = wish;
  let wasServerSeen = false;
  let isRecovering = wish.wasOffline;
  if (wish.isFirst) await sortQueue(context);
  for (;;) {
    if ((await readyHeads(context, haste)).length > 0) {
      context.onPhase('pushing');
      const pushed = await push(context, haste);
      const { isSignedOut, isOffline } = pushed;
      if (isSignedOut || isOffline) return { ...result, isSignedOut, isOffline };
      // After a first push: what others did meanwhile. After a refusal: what made it one.
      if (!wasServerSeen || pushed.refused > 0) wantsPull = true;
      wasServerSeen = true;
    }
    if (wantsPull && wish.mayPull) {
      const pulled = await tryPull(context);
      if ('failure' in pulled) {
        const { failure: pullFailure } = pulled;
        const isSignedOut = outcomeOf(pullFailure) === 'signedOut';
        return { isSignedOut, isOffline: isUnanswered(pullFailure), pullFailure };
      }
      wantsPull = !pulled.isWhole;
      wasServerSeen = true;
    }
    // The network is back: what only waited for it need not wait for its own time.
    haste = isRecovering && wasServerSeen ? 'recovered' : 'due';
    if (wasServerSeen) isRecovering = false;
    const isPullDue = wantsPull && wish.mayPull;
    if (!isPullDue && (await readyHeads(context, haste)).length === 0) {
      return { ...result, isOffline: isRecovering };
    }
  }
}
