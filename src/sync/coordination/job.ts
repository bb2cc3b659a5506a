/**
 * One job under the lock: push, then pull, then push again what was enqueued since.
 *
 *   first of all, once and after a fault: sort the outbox (sync/outbox/quarantine.ts)
 *   push ──no server──▶ end, offline        push ──401──▶ end; once more after a pause: pull, end
 *     └─▶ pull, page by page ──failed──▶ end
 *           └─▶ anything due? ──yes──▶ push …      ──no──▶ end
 */
import { ApiFailure } from '#api/failure.ts';
import { type Failure, isUnanswered, outcomeOf } from '#domain/outcome.ts';
import { type PushPorts, push, readyHeads, sortQueue } from '#sync/outbox/push.ts';
import { type PullPorts, pull } from '#sync/pull/pull.ts';
import type { RetryScope } from '#sync/retry/back-off.ts';

export interface JobPorts extends PushPorts, PullPorts {
  onPhase(phase: 'pushing' | 'pulling'): void;
}

export interface JobRequest {
  scope: RetryScope;
  /** False: pull only if something was sent. */
  wantsPull: boolean;
  /** False while the server asked to be left alone (Retry-After). */
  mayPull: boolean;
  /** The last job found no server. */
  wasOffline: boolean;
  /** Nobody has looked through the outbox: another version of the app may have left something. */
  isUnsorted: boolean;
  /** The last job was ended by a 401. */
  wasPaused: boolean;
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
export async function runJob(context: JobPorts, request: JobRequest): Promise<JobResult> {
  const result: JobResult = { isSignedOut: false, isOffline: false, pullFailure: null };
  let { scope, wantsPull } = request;
  let wasServerSeen = false;
  let isRecovering = request.wasOffline;
  if (request.isUnsorted) await sortQueue(context);
  for (;;) {
    if ((await readyHeads(context, scope)).length > 0) {
      context.onPhase('pushing');
      const pushed = await push(context, scope);
      const { isSignedOut, isOffline } = pushed;
      // A 401 on what is sent, time and again, must not keep everything else from being heard.
      if (isOffline || (isSignedOut && !request.wasPaused)) {
        return { ...result, isSignedOut, isOffline };
      }
      result.isSignedOut = isSignedOut;
      // After a first push: what others did since. After a refusal: what made it one.
      if (!wasServerSeen || pushed.refused > 0) wantsPull = true;
      wasServerSeen = true;
    }
    if (wantsPull && request.mayPull) {
      const pulled = await tryPull(context);
      if ('failure' in pulled) {
        const { failure: pullFailure } = pulled;
        const isSignedOut = result.isSignedOut || outcomeOf(pullFailure) === 'signedOut';
        return { isSignedOut, isOffline: isUnanswered(pullFailure), pullFailure };
      }
      wantsPull = !pulled.isWhole;
      wasServerSeen = true;
    }
    if (result.isSignedOut) return result;
    // The network is back: what only waited for it need not wait for its own time.
    scope = isRecovering && wasServerSeen ? 'network' : 'due';
    if (wasServerSeen) isRecovering = false;
    const isPullDue = wantsPull && request.mayPull;
    if (!isPullDue && (await readyHeads(context, scope)).length === 0) {
      return { ...result, isOffline: isRecovering };
    }
  }
}
