/**
 * A database that stays open on a phone in the field, and reports its faults.
 *
 *   opening ──▶ open ──connection lost──▶ lost ──opened again, by back-off──▶ open
 *     │  ▲        └──another tab needs a newer version──▶ outdated (closed for good)
 *     │  ▲
 *     │  └── blocked: an older tab holds it; continues when that tab closes
 *     └──▶ newer: of a later version of the app, and not to be used by this one
 *
 * Invariant: a write that the browser neither completes nor refuses ends by being aborted, so that
 * no caller waits for ever, and nothing is called failed that may still come true.
 */
import { Dexie, type DexieOptions, RangeSet } from 'dexie';
import { type Clock, systemClock } from './clock.ts';
import { type StorageFault, storageFaultOf } from './failure.ts';
import { watchTransactions } from './transaction-watch.ts';

export type ResilientDatabaseOptions = Pick<DexieOptions, 'indexedDB' | 'IDBKeyRange'> & {
  /** Kept in this page's memory only: nothing outlives the page. */
  isInMemory?: boolean;
  clock?: Clock;
};

/** For the connection line and for explaining why something was not saved. */
export interface Storage {
  /** What prevents it now; null: nothing. */
  fault(): StorageFault | null;
  /** Calls back after each change of `fault`; returns what ends it. */
  subscribe(listener: () => void): () => void;
}

/** A database that has not opened by then counts as lost until it has. */
export const openLimitMs = 5_000;
const firstRetryMs = 1_000;
const lastRetryMs = 30_000;
/** Open for so long, it counts as sound again. */
const calmMs = 60_000;

/** In an object of its own: Dexie makes objects that inherit from the database and would shadow it. */
interface Condition {
  fault: StorageFault | null;
  /** Closed on purpose, or for a newer version: not to be reopened. */
  isOver: boolean;
  isOpening: boolean;
  hasBeenOpen: boolean;
  /** Since it was last calm. */
  losses: number;
  cancelRetry: () => void;
  cancelCalm: () => void;
}

/** Every live query reads again, in every tab: what they last read may be from before the loss. */
export function sayAllChanged() {
  Dexie.on.storagemutated.fire({ all: new RangeSet(Number.NEGATIVE_INFINITY, [[]]) });
}

/** storageFaultOf knows it by its name: 'newer'. */
class NewerDatabaseError extends Error {
  override name = 'NewerDatabaseError';
}

/**
 * For a database that a newer version of the app has left. Dexie opens it, unknown tables and fields
 * included, and the outbox quarantines what it cannot read; only tables with another key make it
 * unusable, and then it stays as it is. `declaredVersion`: of this app, as Dexie counts. Throws
 * NewerDatabaseError.
 */
function refuseForeignKeys(db: Dexie, declaredVersion: number): void {
  const connection = db.backendDB();
  // Dexie keeps its versions times ten.
  if (connection.version <= declaredVersion * 10) return;
  const names = db.tables.map(({ name }) => name);
  const transaction = connection.transaction(names, 'readonly');
  for (const { name, schema } of db.tables) {
    const { keyPath, autoIncrement } = transaction.objectStore(name);
    const { primKey } = schema;
    const isOwn = String(keyPath) === String(primKey.keyPath) && autoIncrement === primKey.auto;
    if (!isOwn) throw new NewerDatabaseError(`The key of ${name} is that of a newer version.`);
  }
}

export class ResilientDatabase extends Dexie {
  readonly storage: Storage;
  private readonly clock: Clock;
  private readonly condition: Condition;
  private readonly listeners = new Set<() => void>();
  /** Read before the first opening: then `verno` becomes that of what was found. */
  private declaredVersion = 0;

  constructor(
    name: string,
    { isInMemory = false, clock = systemClock, ...options }: ResilientDatabaseOptions = {},
  ) {
    super(name, { ...options, chromeTransactionDurability: 'strict' });
    this.clock = clock;
    this.condition = {
      fault: null,
      isOver: false,
      isOpening: false,
      hasBeenOpen: false,
      losses: 0,
      cancelRetry: () => undefined,
      cancelCalm: () => undefined,
    };
    this.storage = {
      fault: () => this.condition.fault ?? (isInMemory ? 'none' : null),
      subscribe: (listener) => {
        this.listeners.add(listener);
        return () => this.listeners.delete(listener);
      },
    };
    this.on('blocked', () => {
      this.show('blocked');
      // Dexie's own answer is a line in the console.
      return false;
    });
    this.on('ready', () => refuseForeignKeys(this, this.declaredVersion), true);
    this.on('versionchange', ({ newVersion }) => {
      // Deleted: it may be created again.
      if (!newVersion) return true;
      this.show('outdated');
      this.close();
      return false;
    });
    watchTransactions(this, {
      clock,
      onFailed: (error, connection) => {
        const fault = storageFaultOf(error);
        if (fault === 'full') this.show('full');
        else if (fault === 'lost') this.lose(connection);
      },
      onWritten: () => {
        if (this.condition.fault === 'full') this.show(null);
      },
      onHung: (connection) => this.lose(connection),
    });
  }

  override open() {
    const { condition } = this;
    if (!this.declaredVersion) this.declaredVersion = this.verno;
    const opening = super.open();
    if (this.isOpen() || condition.isOpening || condition.fault === 'outdated') return opening;
    condition.isOver = false;
    condition.isOpening = true;
    const stopWaiting = this.clock.after(openLimitMs, () => {
      if (condition.fault === null) this.show('lost');
    });
    const settled = (cause: unknown) => {
      condition.isOpening = false;
      stopWaiting();
      this.settleOpening(cause);
    };
    opening.then(
      () => settled(null),
      (cause: unknown) => settled(cause),
    );
    return opening;
  }

  /** `disableAutoOpen: false`: the connection broke (Dexie says so itself), to be opened again. */
  override close(options?: { disableAutoOpen: boolean }) {
    const { condition } = this;
    const isLost = options?.disableAutoOpen === false && !condition.isOver;
    super.close(isLost ? options : { disableAutoOpen: true });
    condition.cancelRetry();
    condition.cancelCalm();
    if (!isLost) {
      condition.isOver = true;
      return;
    }
    this.show('lost');
    this.retryOpening();
  }

  /** Once per connection, however many of its requests say so. */
  private lose(connection: IDBDatabase) {
    if (connection === this.backendDB()) this.close({ disableAutoOpen: false });
  }

  private show(fault: StorageFault | null) {
    const { condition } = this;
    if (condition.fault === fault || condition.fault === 'outdated') return;
    condition.fault = fault;
    for (const listener of [...this.listeners]) listener();
  }

  private settleOpening(cause: unknown) {
    const { condition } = this;
    if (condition.isOver) return;
    if (cause === null) {
      const isAgain = condition.hasBeenOpen;
      condition.hasBeenOpen = true;
      condition.cancelRetry();
      condition.cancelCalm = this.clock.after(calmMs, () => {
        condition.losses = 0;
      });
      this.show(null);
      if (isAgain) sayAllChanged();
      return;
    }
    const fault = storageFaultOf(cause) ?? 'lost';
    this.show(fault);
    if (fault === 'none' || fault === 'newer') return;
    this.retryOpening();
  }

  /** At once after a first loss, later and later after several. */
  private retryOpening() {
    const { condition } = this;
    const { losses } = condition;
    const delayMs = losses === 0 ? 0 : Math.min(lastRetryMs, firstRetryMs * 2 ** (losses - 1));
    condition.losses += 1;
    condition.cancelCalm();
    condition.cancelRetry();
    condition.cancelRetry = this.clock.after(delayMs, () => {
      if (!condition.isOver && !this.isOpen()) void this.open().catch(() => undefined);
    });
  }
}
