/**
 * The offline engine: DESIGN.md section 5. It owns the outbox and the mirror of one user; screens
 * hand it intents and read the database. Same engine in a page, the service worker and under fakes.
 *
 *   request ─▶ (one more queued at most) ─▶ lock 'kaya-sync-<user>' ─▶ push ─▶ pull ─▶ push what
 *   was enqueued meanwhile … ─▶ lock given back ─▶ a wake-up where something waits for its time
 *
 *   running ──401 after refresh──▶ paused (all kept) ──'start' or 'retry'──▶ running
 */
import * as v from 'valibot';
import type { UserDatabase } from '#db/user-database.ts';
import { type Intent, type Operation, operationArgs } from '#domain/operation.ts';
import type { Failure } from '#domain/outcome.ts';
import { backOffMs, waitAfter } from './back-off.ts';
import { type JobResult, runJob } from './job.ts';
import { NotSavedError } from './not-saved-error.ts';
import { addOperation, discardOperation, readHeads, retryOperation } from './outbox.ts';
import type { Ports } from './ports.ts';
import type { Haste } from './push.ts';
import { createStopper, StoppedError } from './stopper.ts';

/** What woke the engine. Each is only a hint that trying may be worth it. */
export type SyncReason =
  | 'start'
  | 'enqueue'
  | 'focus'
  | 'visible'
  | 'online'
  | 'timer'
  | 'pull'
  | 'retry';

export type SyncPhase = 'idle' | 'pushing' | 'pulling';

/** For the connection line. `lastFailure` is null once something went through. */
export interface SyncStatus {
  phase: SyncPhase;
  lastFailure: Failure | null;
  /** Refresh was refused: the queue is kept and waits for a sign-in. */
  isPaused: boolean;
}

/**
 * `acknowledged`, `refused`: only in the tab that sent. Those that leaned on a refused operation are
 * refused after it, with `lastError.code` 'depends_on_refused'.
 */
export type SyncEvent =
  | { kind: 'acknowledged'; operation: Operation }
  | { kind: 'refused'; operation: Operation }
  | { kind: 'status'; status: SyncStatus };

export interface SyncEngine {
  /** Makes the intent durable, then asks for a drain. Rejects with NotSavedError where it was not saved. */
  enqueue(intent: Intent): Promise<Operation>;
  /** Asks for push, then pull. Cheap; calls that come together become one. */
  request(reason: SyncReason): void;
  /** Puts an operation in `attention` back to `waiting`, with those that leaned on it, under new ids. */
  retry(operationId: string): Promise<void>;
  /** Drops an operation in `attention`, with those that leaned on it. */
  discard(operationId: string): Promise<void>;
  subscribe(listener: (event: SyncEvent) => void): () => void;
  /** The status now; the same object until it changes. */
  status(): SyncStatus;
  /** Resolves once nothing of this engine is running any more; from then on it writes nothing. */
  stop(): Promise<void>;
}

export interface SyncEngineOptions {
  /** Open for the engine's whole life; the user's own. */
  db: UserDatabase;
  ports: Ports;
  userId: string;
  /**
   * The database or the product itself failed, not the network: for the error console, where it
   * also goes by itself. The engine tries again by its back-off.
   */
  onFault?(cause: unknown): void;
}

/** Reasons of a person or of the network: held operations are tried although their time has not come. */
const eagerReasons: ReadonlySet<SyncReason> = new Set([
  'start',
  'focus',
  'visible',
  'online',
  'retry',
]);
/** Reasons that end a pause. */
const resumingReasons: ReadonlySet<SyncReason> = new Set(['start', 'retry']);

/** The intent in the shape that is stored. Throws TypeError: a screen let through what it must not. */
function checkedIntent(intent: Intent): Intent {
  const args: unknown =
    intent.name === 'createPackage' ? { _id: intent.targetId, ...intent.args } : intent.args;
  const parsed = v.safeParse(operationArgs[intent.name], args);
  if (!parsed.success) {
    throw new TypeError(`Not an intent: ${v.summarize(parsed.issues)}`);
  }
  const checked = { ...intent, args: parsed.output } as Intent;
  if (checked.name === 'createPackage' && checked.args._id !== checked.targetId) {
    throw new TypeError('A create targets the id that it gives.');
  }
  return checked;
}

/** What the next job is to do; requests that come together are added up. */
interface Wish {
  haste: Haste;
  /** False: pull only if something was sent. */
  wantsPull: boolean;
}

function toErrorConsole(cause: unknown) {
  queueMicrotask(() => {
    throw cause;
  });
}

/** The engine of one user over that user's open database. It does nothing until asked. */
export function createSyncEngine(options: SyncEngineOptions): SyncEngine {
  const { db, ports, userId, onFault = toErrorConsole } = options;
  const listeners = new Set<(event: SyncEvent) => void>();
  const stopper = createStopper();
  const lockName = `kaya-sync-${userId}`;
  let status: SyncStatus = { phase: 'idle', lastFailure: null, isPaused: false };
  let wish: Wish | null = null;
  let isLooping = false;
  let cancelWakeUp = () => {};
  /** Jobs in a row that ended in a failure; and what the last one of them met. */
  let failedJobs = 0;
  let isOffline = false;
  let pullHold: { fromMs: number; untilMs: number } | null = null;

  function emit(event: SyncEvent) {
    for (const listener of [...listeners]) {
      try {
        listener(event);
      } catch (cause) {
        onFault(cause);
      }
    }
  }

  function show(change: Partial<SyncStatus>) {
    const next = { ...status, ...change };
    if (JSON.stringify(next) === JSON.stringify(status)) return;
    status = next;
    emit({ kind: 'status', status });
  }

  const context = {
    db,
    userId,
    ports,
    unlessStopped: stopper.unlessStopped,
    onAcknowledged: (operation: Operation) => emit({ kind: 'acknowledged', operation }),
    onRefused: (operation: Operation) => emit({ kind: 'refused', operation }),
    onHeard: (lastFailure: Failure | null) => show({ lastFailure }),
    onFault,
    onPhase: (phase: SyncPhase) => show({ phase }),
  };

  function mayPull(): boolean {
    if (pullHold === null) return true;
    const nowMs = ports.clock.now();
    return nowMs >= pullHold.untilMs || nowMs < pullHold.fromMs;
  }

  function learn({ isSignedOut, pullFailure, ...result }: JobResult, wasPullHeld: boolean) {
    isOffline = result.isOffline;
    if (isOffline || pullFailure) failedJobs += 1;
    else if (!wasPullHeld) failedJobs = 0;
    if (!wasPullHeld) pullHold = null;
    if (pullFailure?.retryAfterMs !== undefined) {
      const fromMs = ports.clock.now();
      pullHold = { fromMs, untilMs: fromMs + waitAfter(pullFailure, failedJobs, ports.random) };
    }
    if (isSignedOut) show({ isPaused: true });
  }

  /** Sets the one timer: for the next operation whose time comes, or to try the network again. */
  async function planWakeUp(): Promise<void> {
    if (status.isPaused || wish !== null) return;
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
      wishFor({ haste: 'due', wantsPull: failedJobs > 0 }),
    );
  }

  async function workUnderLock({ haste, wantsPull }: Wish): Promise<void> {
    if (stopper.isStopped()) return;
    try {
      const isPullHeld = !mayPull();
      const job = { haste, wantsPull, mayPull: !isPullHeld, wasOffline: isOffline };
      learn(await runJob(context, job), isPullHeld);
    } catch (cause) {
      if (cause instanceof StoppedError) return;
      failedJobs += 1;
      onFault(cause);
    }
    show({ phase: 'idle' });
    await planWakeUp();
  }

  async function loop(): Promise<void> {
    isLooping = true;
    try {
      while (wish !== null && !stopper.isStopped()) {
        cancelWakeUp();
        await ports.locks.withLock(lockName, () => {
          // Taken only now: what was asked for while another tab had the lock is one job too.
          const current = wish ?? { haste: 'due', wantsPull: false };
          wish = null;
          return stopper.track(workUnderLock(current));
        });
      }
    } catch (cause) {
      if (stopper.isStopped()) return;
      // No lock, or no database to plan by: what was wished for stays wished for.
      failedJobs += 1;
      const again = wish ?? { haste: 'due', wantsPull: true };
      wish = null;
      cancelWakeUp = ports.clock.after(backOffMs(failedJobs, ports.random), () => wishFor(again));
      onFault(cause);
    } finally {
      isLooping = false;
    }
  }

  function wishFor(next: Wish) {
    if (stopper.isStopped() || status.isPaused) return;
    wish = {
      haste: next.haste === 'eager' ? 'eager' : (wish?.haste ?? next.haste),
      wantsPull: next.wantsPull || (wish?.wantsPull ?? false),
    };
    if (!isLooping) void loop();
  }

  function request(reason: SyncReason) {
    if (stopper.isStopped()) return;
    if (resumingReasons.has(reason)) show({ isPaused: false });
    wishFor({
      haste: eagerReasons.has(reason) ? 'eager' : 'due',
      wantsPull: reason !== 'enqueue',
    });
  }

  /** A write of the person's, refused once stopped. Rejects with NotSavedError. */
  async function saving<T>(write: () => Promise<T>): Promise<T> {
    try {
      if (stopper.isStopped()) throw new StoppedError();
      return await stopper.track(write());
    } catch (cause) {
      throw new NotSavedError(cause);
    }
  }

  return {
    async enqueue(intent) {
      const checked = checkedIntent(intent);
      const stamp = { id: ports.newId(), nowMs: ports.clock.now() };
      const operation = await saving(() => addOperation(db, checked, stamp));
      request('enqueue');
      return operation;
    },
    request,
    async retry(operationId) {
      await saving(() => retryOperation(db, operationId, ports.newId));
      request('retry');
    },
    async discard(operationId) {
      await saving(() => discardOperation(db, operationId));
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    status: () => status,
    async stop() {
      cancelWakeUp();
      await stopper.stop();
    },
  };
}
