/**
 * When the engine works: wishes for a job are added up, one job runs at a time under the lease, and
 * after it one timer is set for whatever waits for its time.
 *
 *   requestSync ─▶ (one more queued at most) ─▶ lease ─▶ job: push, pull, push … ─▶ lease given back
 *     ▲                                                                          │
 *     └───────────── timer: a backoff that ends, or the next try of the network ◀───┘
 */
import type { UserDatabase } from '#db/user-database.ts';
import { type Failure, outcomeOf } from '#domain/outcome.ts';
import { readHeads } from '#sync/outbox/outbox.ts';
import type { Ports } from '#sync/ports.ts';
import {
  backOffMs,
  pauseMs,
  type RetryScope,
  waitAfter,
  widerScope,
} from '#sync/retry/back-off.ts';
import { type Cancellation, StoppedError } from './cancellation.ts';
import { type JobPorts, type JobResult, runJob } from './job.ts';
import { FencedError, withLease } from './lease.ts';

/** What the next job is to do; wishes that come together are added up. */
export interface SyncRequest {
  scope: RetryScope;
  /** False: pull only if something was sent. */
  wantsPull: boolean;
}

export interface Drainer {
  /** Asks for a job. Cheap; nothing happens while stopped, or paused and not `isResuming`. */
  requestSync(request: SyncRequest, isResuming: boolean): void;
  /** Resolves once no job runs and none is requested. */
  idle(): Promise<void>;
  /** No timer any more. */
  stop(): void;
}

export interface DrainerNeeds {
  db: UserDatabase;
  ports: Ports;
  lockName: string;
  cancellation: Cancellation;
  /** All that a job needs but its fence. */
  job: Omit<JobPorts, 'fence'>;
  /** A job has ended, however it did. `isPaused`: the server does not accept the session. */
  onRest(isPaused: boolean): void;
  onFault(cause: unknown): void;
}

export function createDrainer(needs: DrainerNeeds): Drainer {
  const { db, ports, lockName, cancellation, onFault } = needs;
  let requested: SyncRequest | null = null;
  let running: Promise<void> | null = null;
  let cancelWakeUp = () => {};
  /** Jobs in a row that ended in a failure; and what the last one of them met. */
  let failedJobs = 0;
  let isOffline = false;
  /** The outbox is to be looked through first: another version of the app, or a fault. */
  let isUnsorted = true;
  /** Jobs in a row that the server's 401 ended; and whether the last of them is to be waited out. */
  let deniedJobs = 0;
  let isPaused = false;
  /** `isRefused`: by the server for good, which the client's own repetition has confirmed. */
  let pullBackoff: { fromMs: number; untilMs: number; isRefused: boolean } | null = null;

  function mayPull(scope: RetryScope): boolean {
    if (pullBackoff === null || scope === 'forced') return true;
    if (pullBackoff.isRefused && scope === 'all') return true;
    const nowMs = ports.clock.now();
    return nowMs >= pullBackoff.untilMs || nowMs < pullBackoff.fromMs;
  }

  function backOffPull(failure: Failure) {
    // A refusal in somebody else's words is the network's, and may be over in a second.
    const isRefused = failure.code !== '' && outcomeOf(failure) === 'rejected';
    if (failure.retryAfterMs === undefined && !isRefused) return;
    const fromMs = ports.clock.now();
    const wait = isRefused
      ? pauseMs(failedJobs, ports.random)
      : waitAfter(failure, failedJobs, ports.random);
    pullBackoff = { fromMs, untilMs: fromMs + wait, isRefused };
  }

  function learn({ isSignedOut, pullFailure, ...result }: JobResult, wasPullBackedOff: boolean) {
    isUnsorted = false;
    isOffline = result.isOffline;
    if (isOffline || pullFailure) failedJobs += 1;
    else if (!wasPullBackedOff) failedJobs = 0;
    if (!wasPullBackedOff) pullBackoff = null;
    if (pullFailure) backOffPull(pullFailure);
    isPaused = isSignedOut;
    if (isSignedOut) deniedJobs += 1;
    else if (!isOffline && !pullFailure) deniedJobs = 0;
    // What was requested since would meet the same.
    if (isSignedOut) requested = null;
  }

  /** There is one timer: a job that was taken over may end, and plan, after the next one has. */
  function wakeUpIn(delayMs: number, wakeUp: () => void) {
    cancelWakeUp();
    cancelWakeUp = ports.clock.after(delayMs, wakeUp);
  }

  /** For the next operation whose time comes, or to try the network again. */
  async function planWakeUp(): Promise<void> {
    if (requested !== null || cancellation.signal.aborted) return;
    if (isPaused) {
      const tryAgain = () => requestSync({ scope: 'due', wantsPull: true }, true);
      wakeUpIn(pauseMs(deniedJobs, ports.random), tryAgain);
      return;
    }
    const nowMs = ports.clock.now();
    const delaysMs: number[] = [];
    if (pullBackoff) delaysMs.push(pullBackoff.untilMs - nowMs);
    else if (failedJobs > 0) delaysMs.push(backOffMs(failedJobs, ports.random));
    if (!isOffline) {
      // Without network one try for all is enough: a job that finds it again sends the rest.
      for (const { backoff } of await readHeads(db))
        if (backoff) delaysMs.push(backoff.untilMs - nowMs);
    }
    if (delaysMs.length === 0 || cancellation.signal.aborted) return;
    wakeUpIn(Math.max(0, Math.min(...delaysMs)), () =>
      requestSync({ scope: 'due', wantsPull: failedJobs > 0 }, false),
    );
  }

  /** That another tab found this one frozen and goes on with its work is no fault, only a turn lost. */
  function report(cause: unknown) {
    if (!(cause instanceof FencedError)) onFault(cause);
  }

  async function work(fence: number, { scope, wantsPull }: SyncRequest): Promise<void> {
    if (cancellation.signal.aborted) return;
    try {
      const isPullBackedOff = !mayPull(scope);
      const aim = {
        scope,
        wantsPull,
        mayPull: !isPullBackedOff,
        wasOffline: isOffline,
        isUnsorted,
        wasPaused: deniedJobs > 0,
      };
      learn(await runJob({ ...needs.job, fence }, aim), isPullBackedOff);
    } catch (cause) {
      if (cause instanceof StoppedError) return;
      failedJobs += 1;
      isUnsorted = true;
      report(cause);
    }
    needs.onRest(isPaused);
    await planWakeUp();
  }

  async function loop(): Promise<void> {
    try {
      while (requested !== null && !cancellation.signal.aborted) {
        cancelWakeUp();
        await withLease({ db, ports, lockName }, (fence) => {
          // Taken only now: what was asked for while another tab had the lock is one job too.
          const current = requested ?? { scope: 'due', wantsPull: false };
          requested = null;
          return cancellation.track(work(fence, current));
        });
      }
    } catch (cause) {
      if (cancellation.signal.aborted) return;
      // No lock, or no database to plan by: what was requested stays requested.
      failedJobs += 1;
      const again = requested ?? { scope: 'due', wantsPull: true };
      requested = null;
      wakeUpIn(backOffMs(failedJobs, ports.random), () => requestSync(again, false));
      report(cause);
    }
  }

  function requestSync(next: SyncRequest, isResuming: boolean) {
    if (cancellation.signal.aborted || (isPaused && !isResuming)) return;
    isPaused = false;
    requested = {
      scope: requested ? widerScope(requested.scope, next.scope) : next.scope,
      wantsPull: next.wantsPull || (requested?.wantsPull ?? false),
    };
    running ??= loop().finally(() => {
      running = null;
    });
  }

  return {
    requestSync,
    idle: async () => {
      while (running) await running;
    },
    stop: () => cancelWakeUp(),
  };
}
