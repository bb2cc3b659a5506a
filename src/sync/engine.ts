/**
 * The offline engine: DESIGN.md section 5. It owns the outbox and the mirror of one user; screens
 * hand it intents and read the database. Same engine in a page, the service worker and under fakes.
 *
 *   intent ─▶ outbox (durable) ─▶ drainer ─▶ job ─▶ acknowledged: mirror, outbox shorter
 *                                              └──▶ refused: attention ─▶ retry, replace, discard
 *   running ──401 after refresh──▶ paused (all kept) ──a while, or somebody looks──▶ running
 */
import * as v from 'valibot';
import { storageFaultOf } from '#db/failure.ts';
import type { UserDatabase } from '#db/user-database.ts';
import { type Intent, type Operation, operationArgs } from '#domain/operation.ts';
import { upgradeOperation } from '#domain/operation-migrations.ts';
import type { Failure } from '#domain/outcome.ts';
import { giveWay, replaceOperation, withdrawOperation } from './choices.ts';
import { createDrainer } from './drainer.ts';
import { createFlights, type InFlight } from './flights.ts';
import { NotSavedError } from './not-saved-error.ts';
import { addOperation, discardOperation, findOperation, retryOperation } from './outbox.ts';
import type { Ports } from './ports.ts';
import type { Haste } from './push.ts';
import { discardQuarantined } from './quarantine.ts';
import { createStopper, StoppedError } from './stopper.ts';

/** What woke the engine. Each is only a hint that trying may be worth it. */
export type SyncReason =
  | 'start'
  | 'enqueue'
  | 'focus'
  | 'visible'
  | 'online'
  | 'event'
  | 'timer'
  | 'pull'
  | 'retry';

export type SyncPhase = 'idle' | 'pushing' | 'pulling';

/** For the connection line. `lastFailure` is null once something went through. */
export interface SyncStatus {
  phase: SyncPhase;
  lastFailure: Failure | null;
  /** The server does not accept the session: the queue is kept, and it is tried now and then. */
  isPaused: boolean;
  /** Rows of a full list that have come so far; null: none is under way. */
  progress: number | null;
  /** What is on its way to the server just now, whichever tab sends it. */
  sending: readonly InFlight[];
}

/**
 * `acknowledged`, `refused`: in every tab, whichever sent. Those that leaned on a refused operation
 * are refused after it, with `lastError.code` 'depends_on_refused'. `status`: of this tab's engine.
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
  /**
   * Puts an intent of the same kind in the place of an operation in `attention`; those that leaned
   * on it come along. Null: it was decided on in another tab, nothing was done. Rejects as enqueue.
   */
  replace(operationId: string, intent: Intent): Promise<Operation | null>;
  /**
   * Drops an edit in `attention` alone: the server's values stand, and those that leaned on it go
   * out without it. False: it was decided on in another tab.
   */
  giveWay(operationId: string): Promise<boolean>;
  /** Takes back what was certainly never sent (domain `isWithdrawable`); false: it no longer can be. */
  withdraw(operationId: string): Promise<boolean>;
  /** Drops what this version of the app cannot read (sync/quarantine.ts). */
  discardQuarantined(seq: number): Promise<void>;
  /**
   * Everything that can be done now: resolves once it is, with the number of operations that still
   * wait. For a service worker, which lives no longer than what it waits for.
   */
  drain(): Promise<number>;
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

/** Somebody looks, or the network may be back: what is held is tried although it is not its time. */
const eagerReasons: ReadonlySet<SyncReason> = new Set(['start', 'focus', 'visible', 'online']);

function hasteOf(reason: SyncReason): Haste {
  // Somebody has pressed a button: also what the server asked to be left alone with.
  if (reason === 'retry') return 'now';
  return eagerReasons.has(reason) ? 'eager' : 'due';
}

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

function toErrorConsole(cause: unknown) {
  queueMicrotask(() => {
    throw cause;
  });
}

/** What the tabs of one user tell each other. */
type Told = Extract<SyncEvent, { kind: 'acknowledged' | 'refused' }>;

const toldSchema = v.object({
  kind: v.picklist(['acknowledged', 'refused']),
  operation: v.custom<Operation>((operation) => 'operation' in upgradeOperation(operation)),
});

/** Anything else is of another version of the app, or forged: not worth an error. */
const isTold = (message: unknown): message is Told => v.is(toldSchema, message);

/** The engine of one user over that user's open database. It does nothing until asked. */
export function createSyncEngine(options: SyncEngineOptions): SyncEngine {
  const { db, ports, userId, onFault = toErrorConsole } = options;
  const listeners = new Set<(event: SyncEvent) => void>();
  const stopper = createStopper();
  let status: SyncStatus = {
    ...{ phase: 'idle', lastFailure: null, isPaused: false, progress: null },
    sending: [],
  };

  function emit(event: SyncEvent) {
    for (const listener of [...listeners]) {
      try {
        listener(event);
      } catch (cause) {
        onFault(cause);
      }
    }
  }

  function tell(event: Told) {
    ports.channel.post(event);
    emit(event);
  }

  function show(change: Partial<SyncStatus>) {
    const next = { ...status, ...change };
    if (JSON.stringify(next) === JSON.stringify(status)) return;
    status = next;
    emit({ kind: 'status', status });
  }

  const flights = createFlights({ ports, onChange: (sending) => show({ sending }) });
  const drainer = createDrainer({
    ...{ db, ports, stopper, onFault, lockName: `kaya-sync-${userId}` },
    job: {
      ...{ db, userId, ports, onFault, unlessStopped: stopper.unlessStopped },
      onAcknowledged: (operation) => tell({ kind: 'acknowledged', operation }),
      onRefused: (operation) => tell({ kind: 'refused', operation }),
      onSending: flights.begin,
      onHeard: (lastFailure) => show({ lastFailure }),
      onPhase: (phase) => show({ phase }),
      onProgress: (progress) => show({ progress }),
    },
    onRest: (isPaused) => show({ phase: 'idle', isPaused }),
  });
  const stopListening = ports.channel.listen((message) => {
    if (isTold(message)) emit(message);
    else flights.hear(message);
  });

  function request(reason: SyncReason) {
    if (stopper.isStopped()) return;
    const haste = hasteOf(reason);
    // What people do ends a pause; timers and events would turn it into a storm of refusals.
    drainer.wish({ haste, wantsPull: reason !== 'enqueue' }, haste !== 'due');
  }

  /** A decision about one operation: the others are left as they are. */
  const wake = () => request('visible');

  /** Somebody's work goes before whatever else this phone keeps for us. */
  async function written<T>(write: () => Promise<T>): Promise<T> {
    try {
      return await write();
    } catch (cause) {
      const isFull = storageFaultOf(cause) === 'full';
      if (!isFull || !(await ports.makeRoom?.().catch(() => false))) throw cause;
      return write();
    }
  }

  /**
   * A write of the person's, refused once stopped. Rejects with NotSavedError, unless `find` shows
   * that it was made after all: a browser that loses its storage fails what it has just written.
   */
  async function saving<T>(write: () => Promise<T>, find?: () => Promise<T | null>): Promise<T> {
    try {
      if (stopper.isStopped()) throw new StoppedError();
      return await stopper.track(written(write));
    } catch (cause) {
      const error = new NotSavedError(cause, db.storage.fault());
      const isWorthALook = find && error.fault !== 'full' && !stopper.isStopped();
      const found = isWorthALook ? await stopper.track(find()).catch(() => null) : null;
      if (found === null) throw error;
      return found;
    }
  }

  return {
    async enqueue(intent) {
      const checked = checkedIntent(intent);
      const stamp = { id: ports.newId(), nowMs: ports.clock.now() };
      const operation = await saving(
        () => addOperation(db, checked, stamp),
        () => findOperation(db, stamp.id),
      );
      request('enqueue');
      return operation;
    },
    request,
    async retry(operationId) {
      await saving(() => retryOperation(db, operationId, ports.newId));
      wake();
    },
    async discard(operationId) {
      await saving(() => discardOperation(db, operationId));
    },
    async replace(operationId, intent) {
      const checked = checkedIntent(intent);
      const { newId, clock } = ports;
      const stamp = { id: newId(), nowMs: clock.now(), newId };
      const operation = await saving(
        () => replaceOperation(db, operationId, checked, stamp),
        () => findOperation(db, stamp.id),
      );
      if (operation) wake();
      return operation;
    },
    async giveWay(operationId) {
      const isDone = await saving(() => giveWay(db, operationId, ports.newId));
      if (isDone) wake();
      return isDone;
    },
    async withdraw(operationId) {
      return await saving(() => withdrawOperation(db, operationId));
    },
    async discardQuarantined(seq) {
      await saving(() => discardQuarantined(db, seq));
    },
    async drain() {
      request('start');
      await drainer.idle();
      return await db.outbox.filter((row) => row.state === 'waiting').count();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    status: () => status,
    async stop() {
      drainer.stop();
      await stopper.stop();
      flights.stop();
      stopListening();
    },
  };
}
