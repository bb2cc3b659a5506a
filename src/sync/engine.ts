/**
 * The offline engine. It owns the outbox and the mirror of one user; screens
 * hand it intents and read the database. Same engine in a page, the service worker and under fakes.
 *
 *   intent ─▶ outbox (durable) ─▶ drainer ─▶ job ─▶ acknowledged: mirror, outbox shorter
 *                                              └──▶ refused: attention ─▶ retry, replace, discard
 *   running ──401 after refresh──▶ paused (all kept) ──a while, or somebody looks──▶ running
 */
import * as v from 'valibot';
import { NotSavedError, storageFaultOf } from '#db/failure.ts';
import { type UserDatabase, wipeMirror } from '#db/user-database.ts';
import { type Intent, type Operation, operations } from '#domain/operation.ts';
import { upgradeOperation } from '#domain/operation-migrations.ts';
import type { Failure } from '#domain/outcome.ts';
import { createCancellation, StoppedError } from './coordination/cancellation.ts';
import { createDrainer } from './coordination/drainer.ts';
import { createInFlight, type InFlight } from './outbox/in-flight.ts';
import { addOperation, discardOperation, findOperation, retryOperation } from './outbox/outbox.ts';
import { discardQuarantined } from './outbox/quarantine.ts';
import { acceptTheirs, cancelOperation, replaceOperation } from './outbox/resolution.ts';
import type { Ports } from './ports.ts';
import type { Sought } from './pull/pull.ts';
import { backOffMs, type RetryScope } from './retry/back-off.ts';

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
  /** Of the last call for the users; null: it went through, or there was none. */
  usersFailure: Failure | null;
  /** The server does not accept the session: the queue is kept, and it is tried now and then. */
  isPaused: boolean;
  /** Rows of a full list that have come so far; null: none is under way. */
  progress: number | null;
  /** What is on its way to the server just now, whichever tab sends it. */
  sending: readonly InFlight[];
}

/**
 * `acknowledged`, `refused`: in every tab, whichever sent. The dependents of a refused operation
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
  /** Puts an operation in `attention` back to `waiting`, with its dependents, under new ids. */
  retry(operationId: string): Promise<void>;
  /** Drops an operation in `attention`, with the dependents. */
  discard(operationId: string): Promise<void>;
  /**
   * Replaces an operation in `attention` with an intent of the same kind; its dependents
   * come along. Null: it was decided on in another tab, nothing was done. Rejects as enqueue.
   */
  replace(operationId: string, intent: Intent): Promise<Operation | null>;
  /**
   * Drops an edit in `attention` alone: the server's values hold, and the dependents go
   * out without it. False: it was decided on in another tab.
   */
  acceptTheirs(operationId: string): Promise<boolean>;
  /** Takes back what was certainly never sent (domain `isCancellable`); false: it no longer can be. */
  cancel(operationId: string): Promise<boolean>;
  /** Drops what this version of the app cannot read (sync/outbox/quarantine.ts). */
  discardQuarantined(seq: number): Promise<void>;
  /**
   * Asks for a package that somebody has opened and that is not in the mirror, before the lists.
   * Resolves with what its call met, null: it is there now. Never after the stop.
   */
  seek(packageId: string): Promise<Failure | null>;
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

/** Somebody looks, or the network may be back: what is backed off is tried before its time. */
const wideReasons: ReadonlySet<SyncReason> = new Set(['start', 'focus', 'visible', 'online']);

/** The intent in the shape that is stored. Throws TypeError: a screen let through what it must not. */
function checkedIntent(intent: Intent): Intent {
  const args: unknown =
    intent.name === 'createPackage' ? { _id: intent.targetId, ...intent.args } : intent.args;
  const parsed = v.safeParse(operations[intent.name].args, args);
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
type BroadcastMessage = Extract<SyncEvent, { kind: 'acknowledged' | 'refused' }>;

const broadcastSchema = v.object({
  kind: v.picklist(['acknowledged', 'refused']),
  operation: v.custom<Operation>((operation) => 'operation' in upgradeOperation(operation)),
});

/** Anything else is of another version of the app, or forged: not worth an error. */
const isBroadcast = (message: unknown): message is BroadcastMessage =>
  v.is(broadcastSchema, message);

/** The engine of one user over that user's open database. It does nothing until asked. */
export function createSyncEngine(options: SyncEngineOptions): SyncEngine {
  const { db, ports, userId, onFault = toErrorConsole } = options;
  const listeners = new Set<(event: SyncEvent) => void>();
  const cancellation = createCancellation();
  let status: SyncStatus = {
    phase: 'idle',
    lastFailure: null,
    usersFailure: null,
    isPaused: false,
    progress: null,
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

  function broadcast(event: BroadcastMessage) {
    ports.channel.post(event);
    emit(event);
  }

  function show(change: Partial<SyncStatus>) {
    const next = { ...status, ...change };
    if (JSON.stringify(next) === JSON.stringify(status)) return;
    status = next;
    emit({ kind: 'status', status });
  }

  const sought: Sought[] = [];
  const inFlight = createInFlight({ ports, onChange: (sending) => show({ sending }) });
  const drainer = createDrainer({
    db,
    ports,
    cancellation,
    onFault,
    lockName: `kaya-sync-${userId}`,
    job: {
      db,
      userId,
      ports,
      onFault,
      unlessStopped: cancellation.unlessStopped,
      onAcknowledged: (operation) => broadcast({ kind: 'acknowledged', operation }),
      onRefused: (operation) => broadcast({ kind: 'refused', operation }),
      onSending: inFlight.begin,
      sought,
      onUsers: (usersFailure) => show({ usersFailure }),
      onHeard: (lastFailure) => show({ lastFailure }),
      onPhase: (phase) => show({ phase }),
      onProgress: (progress) => show({ progress }),
    },
    onRest: (isPaused) => show({ phase: 'idle', isPaused }),
  });
  const stopListening = ports.channel.listen((message) => {
    if (isBroadcast(message)) emit(message);
    else inFlight.hear(message);
  });

  function request(reason: SyncReason) {
    if (cancellation.signal.aborted) return;
    const wide: RetryScope = wideReasons.has(reason) ? 'all' : 'due';
    // Somebody pressed a button: also what the server asked to wait with (Retry-After).
    const scope = reason === 'retry' ? 'forced' : wide;
    // What people do ends a pause; timers and events would turn it into a storm of refusals.
    drainer.requestSync({ scope, wantsPull: reason !== 'enqueue' }, scope !== 'due');
  }

  let repairs = 0;
  let isRepairing = false;
  let cancelRepair = () => {};

  /** The mirror is a copy: it is emptied and pulled again; the outbox stays. */
  async function repairMirror() {
    await cancellation.track(wipeMirror(db)).catch(onFault);
    isRepairing = false;
    request('pull');
  }

  db.onUnreadable = () => {
    if (isRepairing || cancellation.signal.aborted) return;
    isRepairing = true;
    // After the first time by back-off: rows that the server itself sent so would go round in circles.
    const delayMs = repairs === 0 ? 0 : backOffMs(repairs, ports.random);
    repairs += 1;
    if (delayMs === 0) void repairMirror();
    else cancelRepair = ports.clock.after(delayMs, () => void repairMirror());
  };

  /**
   * A write of the person's, refused once stopped. Rejects with NotSavedError, unless `find` shows
   * that it was made after all: a browser that loses its storage fails what it has just written.
   */
  async function saving<T>(write: () => Promise<T>, find?: () => Promise<T | null>): Promise<T> {
    try {
      if (cancellation.signal.aborted) throw new StoppedError();
      const writing = write().catch(async (cause: unknown) => {
        // A person's work goes before everything else that this phone keeps for the app.
        const isFull = storageFaultOf(cause) === 'full';
        if (!isFull || !(await ports.makeRoom?.().catch(() => false))) throw cause;
        return write();
      });
      return await cancellation.track(writing);
    } catch (cause) {
      const error = new NotSavedError(cause, db.storage.fault());
      const isWorthALook = find && error.fault !== 'full' && !cancellation.signal.aborted;
      const found = isWorthALook ? await cancellation.track(find()).catch(() => null) : null;
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
      request('visible');
    },
    discard: (operationId) => saving(() => discardOperation(db, operationId)),
    async replace(operationId, intent) {
      const checked = checkedIntent(intent);
      const { newId, clock } = ports;
      const stamp = { id: newId(), nowMs: clock.now(), newId };
      const operation = await saving(
        () => replaceOperation(db, operationId, checked, stamp),
        () => findOperation(db, stamp.id),
      );
      if (operation) request('visible');
      return operation;
    },
    async acceptTheirs(operationId) {
      const isDone = await saving(() => acceptTheirs(db, operationId, ports.newId));
      if (isDone) request('visible');
      return isDone;
    },
    cancel: (operationId) => saving(() => cancelOperation(db, operationId)),
    discardQuarantined: (seq) => saving(() => discardQuarantined(db, seq)),
    seek(id) {
      return new Promise((settle) => {
        sought.push({ id, settle });
        request('visible');
      });
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
      cancelRepair();
      drainer.stop();
      await cancellation.stop();
      inFlight.stop();
      stopListening();
    },
  };
}
