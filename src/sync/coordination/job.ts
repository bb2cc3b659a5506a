/**
 * One job under the lock: push, then pull, then push what was enqueued in between.
 *
 *   at start and after a fault: sort the outbox (sync/outbox/quarantine.ts)
 *   push ──no server──▶ end, offline        push ──401──▶ end; after a pause: pull, end
 *     └─▶ pull, page by page ──failed──▶ end
 *           └─▶ anything due? ──yes──▶ push …      ──no──▶ one picture ──▶ push …, or end
 */
import { ApiFailure } from '#api/failure.ts';
import type { OutboxRow } from '#db/user-database.ts';
import { type Failure, isUnanswered, outcomeOf } from '#domain/outcome.ts';
import { type PushPorts, push, readyHeads, readyUpload, sortQueue } from '#sync/outbox/push.ts';
import { type PullPorts, pull } from '#sync/pull/pull.ts';
import { type RetryScope, widerScope } from '#sync/retry/back-off.ts';
import { isFull } from '#sync/room.ts';

export interface JobPorts extends PushPorts, PullPorts {
  onPhase(phase: 'pushing' | 'pulling'): void;
  /** Resolves as the next job is requested. */
  untilRequested(): Promise<void>;
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
  /** The phone has no room for the pulled rows. */
  isFull: boolean;
}

/** `isWhole`: both lists are complete; otherwise something to send interrupted the pull. */
async function tryPull(
  context: JobPorts,
): Promise<{ isWhole: boolean; isFull?: true } | { failure: Failure }> {
  context.onPhase('pulling');
  try {
    const isWhole = await pull(context, async () => (await readyHeads(context, 'due')).length > 0);
    context.onHeard(null);
    return { isWhole };
  } catch (error) {
    // The outbox can still be sent: that needs no room.
    if (isFull(error)) return { isWhole: true, isFull: true };
    if (!(error instanceof ApiFailure)) throw error;
    context.onHeard(error.failure);
    return { failure: error.failure };
  }
}

/** A picture may take a minute: operations queued meanwhile are sent in parallel. */
async function pushPicture(context: JobPorts, scope: RetryScope, upload: OutboxRow) {
  let requested = context.untilRequested();
  let wasRequested = false;
  const sending = push(context, scope, upload);
  try {
    for (;;) {
      const isSent = await Promise.race([sending.then(() => true), requested.then(() => false)]);
      if (isSent) return { ...(await sending), wasRequested };
      wasRequested = true;
      requested = context.untilRequested();
      await push(context, 'due');
    }
  } finally {
    await Promise.allSettled([sending]);
  }
}

/** Rejects with StoppedError or a database error. */
export async function runJob(context: JobPorts, request: JobRequest): Promise<JobResult> {
  const result: JobResult = {
    isSignedOut: false,
    isOffline: false,
    pullFailure: null,
    isFull: false,
  };
  let { scope, wantsPull } = request;
  let wasServerSeen = false;
  let isRecovering = request.wasOffline;
  /** Each picture once a job, by seq. */
  const tried = new Set<number>();
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
      // After the first push: fetch others' changes. After a refusal: fetch its cause.
      if (!wasServerSeen || pushed.refused > 0) wantsPull = true;
      wasServerSeen = true;
    }
    if (wantsPull && request.mayPull) {
      const pulled = await tryPull(context);
      if ('failure' in pulled) {
        const { failure: pullFailure } = pulled;
        const isSignedOut = result.isSignedOut || outcomeOf(pullFailure) === 'signedOut';
        return { ...result, isSignedOut, isOffline: isUnanswered(pullFailure), pullFailure };
      }
      result.isFull = pulled.isFull === true;
      wantsPull = !pulled.isWhole;
      wasServerSeen = true;
    }
    if (result.isSignedOut) return result;
    // The network is back: skip the back-off of operations that only lacked a network.
    scope = isRecovering && wasServerSeen ? 'network' : 'due';
    if (wasServerSeen) isRecovering = false;
    const isPullDue = wantsPull && request.mayPull;
    if (isPullDue || (await readyHeads(context, scope)).length > 0) continue;
    const uploadScope = widerScope(request.scope, scope);
    const upload = await readyUpload(context, uploadScope, tried);
    if (!upload) return { ...result, isOffline: isRecovering };
    tried.add(upload.seq);
    context.onPhase('pushing');
    const sent = await pushPicture(context, uploadScope, upload);
    const { isSignedOut, isOffline, wasRequested } = sent;
    if (isOffline || isSignedOut || wasRequested) return { ...result, isSignedOut, isOffline };
    wasServerSeen = true;
  }
}
