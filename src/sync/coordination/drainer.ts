/**
 * Schedules jobs: merges requests, runs one job at a time under the lease, then sets one timer for
 * the next due operation.
 *
 *   requestSync ─▶ (at most one queued) ─▶ lease ─▶ job: push, pull, push … ─▶ release lease
 *     ▲                                                                          │
 *     └───────────────── timer: end of a back-off, or network retry ◀────────────┘
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

export interface SyncRequest {
  scope: RetryScope;
  /** False: pull only if something was sent. */
  wantsPull: boolean;
}

export interface DrainerNeeds {
  db: UserDatabase;
  ports: Ports;
  lockName: string;
  cancellation: Cancellation;
  job: Omit<JobPorts, 'fence' | 'untilRequested'>;
  /** Called after each job. `isPaused`: the server rejects the session. */
  onRest(isPaused: boolean): void;
  onFault(cause: unknown): void;
}

export function createDrainer(needs: DrainerNeeds) {
  const { db, ports, lockName, cancellation, onFault } = needs;
  let requested: SyncRequest | null = null;
  let running: Promise<void> | null = null;
  let noteRequest = () => {};
  let cancelWakeUp = () => {};
  /** Consecutive failed jobs. */
  let failedJobs = 0;
  let isOffline = false;
  /** Sort the outbox first: another app version may have written it, or there was a fault. */
  let isUnsorted = true;
  /** Consecutive jobs ended by a 401. */
  let deniedJobs = 0;
  let isPaused = false;
  /** `isRefused`: the server rejected the pull, rather than asking for a delay. */
  let pullBackoff: { fromMs: number; untilMs: number; isRefused: boolean } | null = null;

  const untilRequested = () =>
    new Promise<void>((resolve) => {
      noteRequest = resolve;
    });

  function mayPull(scope: RetryScope): boolean {
    if (pullBackoff === null || scope === 'forced') return true;
    if (pullBackoff.isRefused && scope === 'all') return true;
    const nowMs = ports.clock.now();
    return nowMs >= pullBackoff.untilMs || nowMs < pullBackoff.fromMs;
  }

  function backOffPull(failure: Failure) {
    // A rejection without our error code comes from an intermediary and may be over in a second.
    const isRefused = failure.code !== '' && outcomeOf(failure) === 'rejected';
    if (failure.retryAfterMs === undefined && !isRefused) return;
    const fromMs = ports.clock.now();
    const wait = isRefused
      ? pauseMs(failedJobs, ports.random)
      : waitAfter(failure, failedJobs, ports.random);
    pullBackoff = { fromMs, untilMs: fromMs + wait, isRefused };
  }

  function learn(
    { isSignedOut, pullFailure, isFull, ...result }: JobResult,
    wasPullBackedOff: boolean,
  ) {
    isUnsorted = false;
    isOffline = result.isOffline;
    if (isOffline || pullFailure || isFull) failedJobs += 1;
    else if (!wasPullBackedOff) failedJobs = 0;
    if (!wasPullBackedOff) pullBackoff = null;
    if (pullFailure) backOffPull(pullFailure);
    if (isFull) {
      // Neither each event nor each of the engine's own writes that fits may fetch it all again.
      const fromMs = ports.clock.now();
      const untilMs = fromMs + backOffMs(failedJobs, ports.random);
      pullBackoff = { fromMs, untilMs, isRefused: true };
    }
    isPaused = isSignedOut;
    if (isSignedOut) deniedJobs += 1;
    else if (!isOffline && !pullFailure) deniedJobs = 0;
    // Requests queued during the job would fail the same way.
    if (isSignedOut) requested = null;
  }

  /** One timer only: a superseded job may end, and schedule, after its successor. */
  function wakeUpIn(delayMs: number, wakeUp: () => void) {
    cancelWakeUp();
    cancelWakeUp = ports.clock.after(delayMs, wakeUp);
  }

  /** Schedules the next due operation, or a retry of the network. */
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
      // While offline one retry is enough: the job that finds the network sends the rest.
      for (const { backoff } of await readHeads(db, needs.job.unstored))
        if (backoff) delaysMs.push(backoff.untilMs - nowMs);
    }
    if (delaysMs.length === 0 || cancellation.signal.aborted) return;
    wakeUpIn(Math.max(0, Math.min(...delaysMs)), () =>
      requestSync({ scope: 'due', wantsPull: failedJobs > 0 }, false),
    );
  }

  /** Being fenced off by another tab (this one was frozen) is not a fault. */
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
      learn(await runJob({ ...needs.job, fence, untilRequested }, aim), isPullBackedOff);
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
        await withLease({ db, ports, lockName, signal: cancellation.signal }, (fence) => {
          // Read under the lock, so that requests made while another tab held it become one job.
          const current = requested ?? { scope: 'due', wantsPull: false };
          requested = null;
          return cancellation.track(work(fence, current));
        });
      }
    } catch (cause) {
      if (cancellation.signal.aborted) return;
      // No lock, or no database to plan with: keep the request.
      failedJobs += 1;
      const again = requested ?? { scope: 'due', wantsPull: true };
      requested = null;
      wakeUpIn(backOffMs(failedJobs, ports.random), () => requestSync(again, false));
      report(cause);
    }
  }

  /** Requests a job. Cheap; ignored when stopped, or when paused unless `isResuming`. */
  function requestSync(next: SyncRequest, isResuming: boolean) {
    if (cancellation.signal.aborted || (isPaused && !isResuming)) return;
    isPaused = false;
    requested = {
      scope: requested ? widerScope(requested.scope, next.scope) : next.scope,
      wantsPull: next.wantsPull || (requested?.wantsPull ?? false),
    };
    noteRequest();
    running ??= loop().finally(() => {
      running = null;
    });
  }

  return {
    requestSync,
    /** Resolves once no job is running or requested. */
    idle: async () => {
      while (running) await running;
    },
    stop: () => cancelWakeUp(),
  };
}
