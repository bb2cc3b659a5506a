/**
 * The offline engine: owns one user's outbox and mirror. Screens enqueue intents and read the
 * database. Runs in a page, in the service worker and under fakes.
 *
 *   intent ─▶ outbox (durable) ─▶ drainer ─▶ job ─▶ acknowledged: mirror, outbox shorter
 *                                              └──▶ refused: attention ─▶ retry, replace, discard
 *   running ──401 after refresh──▶ paused (all kept) ──timer or user activity──▶ running
 */
import * as v from 'valibot';
import type { Area } from '#contract/area.ts';
import { addProof } from '#db/proofs.ts';
import { NotSavedError } from '#db/storage-fault.ts';
import type { UserDatabase } from '#db/user-database.ts';
import { wipeMirror } from '#db/wipe.ts';
import { writeWorkingArea } from '#db/working-area.ts';
import { type Intent, type IntentOf, type Operation, operations } from '#domain/operation.ts';
import { upgradeOperation } from '#domain/operation-migrations.ts';
import type { Failure } from '#domain/outcome.ts';
import type { ProofPicture } from '#domain/proof-picture.ts';
import { createCancellation, StoppedError } from './coordination/cancellation.ts';
import { createDrainer } from './coordination/drainer.ts';
import { createInFlight, type InFlight } from './outbox/in-flight.ts';
import {
  addOperation,
  discardOperation,
  findOperation,
  retryOperation,
  type Unstored,
} from './outbox/outbox.ts';
import type { SettledOperation } from './outbox/push.ts';
import { discardQuarantined } from './outbox/quarantine.ts';
import { acceptTheirs, cancelOperation, replaceOperation, undoStep } from './outbox/resolution.ts';
import type { Ports } from './ports.ts';
import { readHistories, readOlderEvents } from './pull/history.ts';
import type { Sought } from './pull/pull.ts';
import { type Connection, createRowStream } from './pull/row-stream.ts';
import { backOffMs, type RetryScope } from './retry/back-off.ts';
import { inRoom } from './room.ts';

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

/** For the connection line. `lastFailure` is null after a success. */
export interface SyncStatus {
  phase: SyncPhase;
  lastFailure: Failure | null;
  /** Failure of the last users request; null: it succeeded or there was none. */
  usersFailure: Failure | null;
  /** The server rejects the session: the queue is kept and retried occasionally. */
  isPaused: boolean;
  /** Rows of the running full list received so far; null: none is running. */
  progress: number | null;
  sending: readonly InFlight[];
}

/**
 * `acknowledged` and `refused` reach every tab. The dependents of a refused operation are refused
 * after it, with `lastError.code` 'depends_on_refused'. `status` concerns this tab's engine only.
 */
export type SyncEvent = SettledOperation | { kind: 'status'; status: SyncStatus };

export interface SyncEngine {
  /** Stores the intent durably, then requests a sync. Rejects with NotSavedError. */
  enqueue(intent: Intent): Promise<Operation>;
  /** Requests push, then pull. Cheap; concurrent calls are coalesced. */
  request(reason: SyncReason): void;
  retry(operationId: string): Promise<void>;
  discard(operationId: string): Promise<void>;
  /** Keeps the dependents. Null if another tab resolved it first. Rejects like `enqueue`. */
  replace(operationId: string, intent: Intent): Promise<Operation | null>;
  /** Drops an edit but not its dependents. False if another tab resolved it first. */
  acceptTheirs(operationId: string): Promise<boolean>;
  /** Cancels an operation that was certainly never sent (`isCancellable`); false: too late. */
  cancel(operationId: string): Promise<boolean>;
  /**
   * Takes back a step that was recorded here: null where it was certainly never sent and is gone,
   * otherwise its correction, which waits or has been sent. Rejects like `enqueue`.
   */
  undo(intent: IntentOf<'correctStep'>): Promise<Operation | null>;
  discardQuarantined(seq: number): Promise<void>;
  /** Keeps a picture for the delivery of its package. Rejects like `enqueue`. */
  addProof(proof: ProofPicture): Promise<void>;
  /** Removes one that no queued delivery names. Rejects like `enqueue`. */
  removeProof(id: string): Promise<void>;
  /** Fetches an unmirrored package first. Resolves with its failure or null; never after `stop`. */
  seek(packageId: string): Promise<Failure | null>;
  /** Fetches the events of mirrored packages whose row has changed; of a few at most. Never rejects. */
  readHistories(packageIds: readonly string[]): Promise<void>;
  /** Fetches events before those that are kept of a package. False: the server could not be asked. */
  readOlderEvents(packageId: string): Promise<boolean>;
  /**
   * To be called before each connection of the event stream, which then reports to the result.
   * `reconnect`: what this connection sends is no longer of use.
   */
  openStream(reconnect: () => void): Promise<Connection>;
  /** Limits the offers that are listed; null: everywhere. Rejects like `enqueue`. */
  setWorkingArea(area: Area | null): Promise<void>;
  /** Syncs all it can; resolves with the number of waiting operations. For service workers. */
  drain(): Promise<number>;
  subscribe(listener: (event: SyncEvent) => void): () => void;
  /** The same object until the status changes. */
  status(): SyncStatus;
  /** Resolves once the engine is idle; it writes nothing afterwards. */
  stop(): Promise<void>;
}

export interface SyncEngineOptions {
  db: UserDatabase;
  ports: Ports;
  userId: string;
  /** Called on database errors and bugs, not network failures; by default throws them uncaught. */
  onFault?(cause: unknown): void;
}

/** The user is looking or the network may be back: retry before back-off ends. */
const wideReasons: ReadonlySet<SyncReason> = new Set(['start', 'focus', 'visible', 'online']);

/** Normalizes the intent for storage. Throws TypeError on invalid input (a bug in a screen). */
function checkedIntent(intent: Intent): Intent {
  const args: unknown =
    intent.name === 'createPackage' ? { _id: intent.targetId, ...intent.args } : intent.args;
  const parsed = v.safeParse(operations[intent.name].args, args);
  if (!parsed.success) {
    throw new TypeError(`Invalid intent: ${v.summarize(parsed.issues)}`);
  }
  const checked = { ...intent, args: parsed.output } as Intent;
  if (checked.name === 'createPackage' && checked.args._id !== checked.targetId) {
    throw new TypeError('A create must target the id it assigns.');
  }
  return checked;
}

function toErrorConsole(cause: unknown) {
  queueMicrotask(() => {
    throw cause;
  });
}

const broadcastSchema = v.object({
  kind: v.picklist(['acknowledged', 'refused']),
  operation: v.custom<Operation>((operation) => 'operation' in upgradeOperation(operation)),
});

/** Ignores messages from other app versions or forged ones. */
const isBroadcast = (message: unknown): message is SettledOperation =>
  v.is(broadcastSchema, message);

/** Creates the engine of one user over an open database. Idle until called. */
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

  function show(change: Partial<SyncStatus>) {
    const next = { ...status, ...change };
    if (JSON.stringify(next) === JSON.stringify(status)) return;
    status = next;
    emit({ kind: 'status', status });
  }

  const sought: Sought[] = [];
  const opened = new Set<string>();
  const unstored: Unstored = new Map();
  const inFlight = createInFlight({ ports, onChange: (sending) => show({ sending }) });
  const lockName = `kaya-sync-${userId}`;
  const stream = createRowStream({
    db,
    ports,
    lockName,
    cancellation,
    onFault,
    requestPull: () => request('event'),
  });
  const drainer = createDrainer({
    db,
    ports,
    cancellation,
    onFault,
    lockName,
    job: {
      db,
      userId,
      ports,
      onFault,
      unlessStopped: cancellation.unlessStopped,
      onAnswered: (settled) => {
        ports.channel.post(settled);
        emit(settled);
      },
      onSending: inFlight.begin,
      sought,
      opened,
      unstored,
      stream,
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
    // The user pressed a button: overrides the server's Retry-After, too.
    const scope = reason === 'retry' ? 'forced' : wide;
    // User actions end a pause; with timers and events, too, it would become a storm of refusals.
    drainer.requestSync({ scope, wantsPull: reason !== 'enqueue' }, scope !== 'due');
  }

  let repairs = 0;
  let isRepairing = false;
  let cancelRepair = () => {};

  async function repairMirror() {
    await cancellation.track(wipeMirror(db)).catch(onFault);
    isRepairing = false;
    request('pull');
  }

  db.repairWith(() => {
    if (isRepairing || cancellation.signal.aborted) return;
    isRepairing = true;
    // Backs off after the first repair, or unreadable rows sent by the server would loop.
    const delayMs = repairs === 0 ? 0 : backOffMs(repairs, ports.random);
    repairs += 1;
    if (delayMs === 0) void repairMirror();
    else cancelRepair = ports.clock.after(delayMs, () => void repairMirror());
  });

  /**
   * Runs a user's write. Rejects with NotSavedError when stopped or failed, unless `find` shows
   * that it was committed: a browser losing its storage may report a committed write as failed.
   */
  async function saving<T>(write: () => Promise<T>, find?: () => Promise<T | null>): Promise<T> {
    try {
      if (cancellation.signal.aborted) throw new StoppedError();
      return await cancellation.track(inRoom({ db, ports }, write, { isWork: true }));
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
    async undo(intent) {
      const checked = checkedIntent(intent) as IntentOf<'correctStep'>;
      const stamp = { id: ports.newId(), nowMs: ports.clock.now() };
      const operation = await saving(
        () => undoStep(db, checked, stamp),
        () => findOperation(db, stamp.id),
      );
      request('enqueue');
      return operation;
    },
    discardQuarantined: (seq) => saving(() => discardQuarantined(db, seq)),
    addProof: (proof) => saving(() => addProof(db, proof)),
    removeProof: (id) => saving(() => db.proofs.delete(id)),
    seek(id) {
      return new Promise((settle) => {
        sought.push({ id, settle });
        request('visible');
      });
    },
    async readHistories(ids) {
      if (cancellation.signal.aborted) return;
      await readHistories({ db, ports, cancellation }, ids).catch((cause: unknown) => {
        if (!cancellation.signal.aborted) onFault(cause);
      });
    },
    readOlderEvents: (id) =>
      readOlderEvents({ db, ports, cancellation }, id).catch((cause: unknown) => {
        if (!cancellation.signal.aborted) onFault(cause);
        return false;
      }),
    openStream: stream.open,
    async setWorkingArea(area) {
      await saving(() => writeWorkingArea(db, area));
      request('visible');
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
