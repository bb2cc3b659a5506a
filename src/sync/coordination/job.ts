/**
 * One job under the lock: push, then pull, then push what was enqueued in between.
 *
 *   at start and after a fault: sort the outbox (sync/outbox/quarantine.ts)
 *   push ──no server──▶ end, offline        push ──401──▶ end; after a pause: pull, end
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
  /** False during a Retry-After. */
  mayPull: boolean;
  /** The last job found no server. */
  wasOffline: boolean;
  isUnsorted: boolean;
  /** The last job ended with a 401. */
  wasPaused: boolean;
}

export interface JobResult {
  isSignedOut: boolean;
  isOffline: boolean;
  pullFailure: Failure | null;
}

/** `isWhole`: both lists are complete; otherwise something to send interrupted the pull. */
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

/** Rejects with StoppedError or a database error. */
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
      // Repeated 401s on push must not block pulling for ever.
      if (isOffline || (isSignedOut && !request.wasPaused)) {
        return { ...result, isSignedOut, isOffline };
      }
      result.isSignedOut = isSignedOut;
      // After the first push: fetch others' changes. After a refusal: fetch what caused it.
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
    // The network is back: skip the back-off of operations that only lacked a network.
    scope = isRecovering && wasServerSeen ? 'network' : 'due';
    if (wasServerSeen) isRecovering = false;
    const isPullDue = wantsPull && request.mayPull;
    if (!isPullDue && (await readyHeads(context, scope)).length === 0) {
      return { ...result, isOffline: isRecovering };
    }
  }
}
