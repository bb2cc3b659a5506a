/**
 * When the engine works: wishes for a job are added up, one job runs at a time under the lease, and
 * after it one timer is set for whatever waits for its time.
 *
 *   wish ─▶ (one more queued at most) ─▶ lease ─▶ job: push, pull, push … ─▶ lease given back
 *     ▲                                                                          │
 *     └───────────── timer: a hold that ends, or the next try of the network ◀───┘
 */
import type { UserDatabase } from '#db/user-database.ts';
import type { Failure } from '#domain/outcome.ts';
import { backOffMs, pauseMs, waitAfter } from './back-off.ts';
import { type JobPorts, type JobResult, runJob } from './job.ts';
import { FencedError, withLease } from './lease.ts';
import { readHeads } from './outbox.ts';
import type { Ports } from './ports.ts';
import { type Haste, hastier } from './push.ts';
import { StoppedError, type Stopper } from './stopper.ts';

/** What the next job is to do; wishes that come together are added up. */
export interface Wish {
  haste: Haste;
  /** False: pull only if something was sent. */
  wantsPull: boolean;
}

export interface Drainer {
  /** Asks for a job. Cheap; nothing happens while stopped, or paused and not `isResuming`. */
  wish(wish: Wish, isResuming: boolean): void;
  /** Resolves once no job runs and none is wished for. */
  idle(): Promise<void>;
  /** No timer any more. */
  stop(): void;
}

export interface DrainerNeeds {
  db: UserDatabase;
  ports: Ports;
  lockName: string;
  stopper: Stopper;
  /** All that a job needs but its fence. */
  job: Omit<JobPorts, 'fence'>;
  /** A job has ended, however it did. `isPaused`: the server does not accept the session. */
  onRest(isPaused: boolean): void;
  onFault(cause: unknown): void;
}

export function createDrainer(needs: DrainerNeeds): Drainer {
  const { db, ports, lockName, stopper, onFault } = needs;
  let wished: Wish | null = null;
  let running: Promise<void> | null = null;
  let cancelWakeUp = () => {};
  /** Jobs in a row that ended in a failure; and what the last one of them met. */
  let failedJobs = 0;
  let isOffline = false;
  /** The outbox and the mirror are to be looked through first: another version, or a fault. */
  let isUnsorted = true;
  let hasFailed = false;
  /** Jobs in a row that the server's 401 ended; and whether the last of them is to be waited out. */
  let deniedJobs = 0;
  let isPaused = false;
  let pullHold: { fromMs: number; untilMs: number } | null = null;

  function mayPull(): boolean {
    if (pullHold === null) return true;
    const nowMs = ports.clock.now();
    return nowMs >= pullHold.untilMs || nowMs < pullHold.fromMs;
  }

  function holdPull(failure: Failure) {
    if (failure.retryAfterMs === undefined) return;
    const fromMs = ports.clock.now();
    pullHold = { fromMs, untilMs: fromMs + waitAfter(failure, failedJobs, ports.random) };
  }

  function learn({ isSignedOut, pullFailure, ...result }: JobResult, wasPullHeld: boolean) {
    isUnsorted = false;
    hasFailed = false;
    isOffline = result.isOffline;
    if (isOffline || pullFailure) failedJobs += 1;
    else if (!wasPullHeld) failedJobs = 0;
    if (!wasPullHeld) pullHold = null;
    if (pullFailure) holdPull(pullFailure);
    isPaused = isSignedOut;
    if (isSignedOut) deniedJobs += 1;
    else if (!isOffline && !pullFailure) deniedJobs = 0;
    // What was asked for meanwhile would meet the same.
    if (isSignedOut) wished = null;
  }

  /** There is one timer: a job that was taken over may end, and plan, after the next one has. */
  function wakeUpIn(delayMs: number, wakeUp: () => void) {
    cancelWakeUp();
    cancelWakeUp = ports.clock.after(delayMs, wakeUp);
  }

  /** For the next operation whose time comes, or to try the network again. */
  async function planWakeUp(): Promise<void> {
    if (wished !== null || stopper.isStopped()) return;
    if (isPaused) {
      const tryAgain = () => wish({ haste: 'due', wantsPull: true }, true);
      wakeUpIn(pauseMs(deniedJobs, ports.random), tryAgain);
      return;
    }
    const nowMs = ports.clock.now();
    const delaysMs: number[] = [];
    if (pullHold) delaysMs.push(pullHold.untilMs - nowMs);
    else if (failedJobs > 0) delaysMs.push(backOffMs(failedJobs, ports.random));
    if (!isOffline) {
      // Without network one try for all is enough: a job that finds it again sends the rest.
      for (const { hold } of await readHeads(db)) if (hold) delaysMs.push(hold.untilMs - nowMs);
    }
    if (delaysMs.length === 0 || stopper.isStopped()) return;
    wakeUpIn(Math.max(0, Math.min(...delaysMs)), () =>
      wish({ haste: 'due', wantsPull: failedJobs > 0 }, false),
    );
  }

  /** That another tab found this one frozen and goes on with its work is no fault, only a turn lost. */
  function report(cause: unknown) {
    if (!(cause instanceof FencedError)) onFault(cause);
  }

  async function work(fence: number, { haste, wantsPull }: Wish): Promise<void> {
    if (stopper.isStopped()) return;
    try {
      const isPullHeld = haste !== 'now' && !mayPull();
      const aim = {
        ...{ haste, wantsPull, mayPull: !isPullHeld, wasOffline: isOffline },
        ...{ isUnsorted, hasFailed, wasPaused: deniedJobs > 0 },
      };
      learn(await runJob({ ...needs.job, fence }, aim), isPullHeld);
    } catch (cause) {
      if (cause instanceof StoppedError) return;
      failedJobs += 1;
      isUnsorted = true;
      hasFailed = true;
      report(cause);
    }
    needs.onRest(isPaused);
    await planWakeUp();
  }

  async function loop(): Promise<void> {
    try {
      while (wished !== null && !stopper.isStopped()) {
        cancelWakeUp();
        await withLease({ db, ports, lockName }, (fence) => {
          // Taken only now: what was asked for while another tab had the lock is one job too.
          const current = wished ?? { haste: 'due', wantsPull: false };
          wished = null;
          return stopper.track(work(fence, current));
        });
      }
    } catch (cause) {
      if (stopper.isStopped()) return;
      // No lock, or no database to plan by: what was wished for stays wished for.
      failedJobs += 1;
      const again = wished ?? { haste: 'due', wantsPull: true };
      wished = null;
      wakeUpIn(backOffMs(failedJobs, ports.random), () => wish(again, false));
      report(cause);
    }
  }

  function wish(next: Wish, isResuming: boolean) {
    if (stopper.isStopped() || (isPaused && !isResuming)) return;
    isPaused = false;
    wished = {
      haste: wished ? hastier(wished.haste, next.haste) : next.haste,
      wantsPull: next.wantsPull || (wished?.wantsPull ?? false),
    };
    running ??= loop().finally(() => {
      running = null;
    });
  }

  return {
    wish,
    idle: async () => {
      while (running) await running;
    },
    stop: () => cancelWakeUp(),
  };
}
