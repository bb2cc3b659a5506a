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
import { backOffMs, waitAfter } from './back-off.ts';
import { type JobPorts, type JobResult, runJob } from './job.ts';
import { FencedError, withLease } from './lease.ts';
import { readHeads } from './outbox.ts';
import type { Ports } from './ports.ts';
import type { Haste } from './push.ts';
import { StoppedError, type Stopper } from './stopper.ts';

/** What the next job is to do; wishes that come together are added up. */
export interface Wish {
  haste: Haste;
  /** False: pull only if something was sent. */
  wantsPull: boolean;
}

export interface Drainer {
  /** Asks for a job. Cheap; nothing happens while paused or stopped. */
  wish(wish: Wish): void;
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
  isPaused(): boolean;
  /** The session is over. */
  onSignedOut(): void;
  /** A job has ended, however it did. */
  onRest(): void;
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
  let isFirst = true;
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
    isFirst = false;
    isOffline = result.isOffline;
    if (isOffline || pullFailure) failedJobs += 1;
    else if (!wasPullHeld) failedJobs = 0;
    if (!wasPullHeld) pullHold = null;
    if (pullFailure) holdPull(pullFailure);
    if (isSignedOut) needs.onSignedOut();
  }

  /** Sets the one timer: for the next operation whose time comes, or to try the network again. */
  async function planWakeUp(): Promise<void> {
    if (needs.isPaused() || wished !== null) return;
    const nowMs = ports.clock.now();
    const delaysMs: number[] = [];
    if (pullHold) delaysMs.push(pullHold.untilMs - nowMs);
    else if (failedJobs > 0) delaysMs.push(backOffMs(failedJobs, ports.random));
    if (!isOffline) {
      // Without network one try for all is enough: a job that finds it again sends the rest.
      for (const { hold } of await readHeads(db)) if (hold) delaysMs.push(hold.untilMs - nowMs);
    }
    if (delaysMs.length === 0 || stopper.isStopped()) return;
    cancelWakeUp = ports.clock.after(Math.max(0, Math.min(...delaysMs)), () =>
      wish({ haste: 'due', wantsPull: failedJobs > 0 }),
    );
  }

  /** That another tab found this one frozen and goes on with its work is no fault, only a turn lost. */
  function report(cause: unknown) {
    if (!(cause instanceof FencedError)) onFault(cause);
  }

  async function work(fence: number, { haste, wantsPull }: Wish): Promise<void> {
    if (stopper.isStopped()) return;
    try {
      const isPullHeld = !mayPull();
      const aim = { haste, wantsPull, mayPull: !isPullHeld, wasOffline: isOffline, isFirst };
      learn(await runJob({ ...needs.job, fence }, aim), isPullHeld);
    } catch (cause) {
      if (cause instanceof StoppedError) return;
      failedJobs += 1;
      report(cause);
    }
    needs.onRest();
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
      cancelWakeUp = ports.clock.after(backOffMs(failedJobs, ports.random), () => wish(again));
      report(cause);
    }
  }

  function wish(next: Wish) {
    if (stopper.isStopped() || needs.isPaused()) return;
    wished = {
      haste: next.haste === 'eager' ? 'eager' : (wished?.haste ?? next.haste),
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
