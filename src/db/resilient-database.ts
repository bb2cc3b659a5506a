/**
 * A Dexie database that recovers from lost connections and reports its faults.
 *
 *   opening ──▶ open ──connection lost──▶ lost ──reopened with back-off──▶ open
 *     │  ▲        └──another tab needs a newer version──▶ outdated (closed for good)
 *     │  ▲
 *     │  └── blocked: an older tab holds it; continues when that tab closes
 *     └──▶ newer: left by a later app version and unusable by this one
 *
 * Invariant: a write that the browser neither completes nor rejects is aborted, so that no caller
 * waits for ever and nothing reported as failed is committed later.
 */
import { Dexie, type DexieOptions, RangeSet } from 'dexie';
import { type Clock, systemClock } from './clock.ts';
import { type StorageFault, storageFaultOf } from './storage-fault.ts';
import { watchTransactions } from './transaction-watch.ts';

export type ResilientDatabaseOptions = Pick<DexieOptions, 'indexedDB' | 'IDBKeyRange'> & {
  /** Kept in this page's memory only: nothing outlives the page. */
  isInMemory?: boolean;
  clock?: Clock;
};

/** For the connection line and for explaining failed saves. */
export interface Storage {
  fault(): StorageFault | null;
  /** Called after each change of `fault`; returns unsubscribe. */
  subscribe(listener: () => void): () => void;
}

/** After this an opening counts as lost until it succeeds. */
export const openLimitMs = 5_000;
const firstRetryMs = 1_000;
const lastRetryMs = 30_000;
/** After being open this long, the retry back-off resets. */
const calmMs = 60_000;

/** Makes every live query in every tab read again, since results may predate the loss. */
export function sayAllChanged() {
  Dexie.on.storagemutated.fire({ all: new RangeSet(Number.NEGATIVE_INFINITY, [[]]) });
}

/** Named for storageFaultOf: 'newer'. */
class NewerDatabaseError extends Error {
  override name = 'NewerDatabaseError';
}

/**
 * Checks a database left by a newer app version. Dexie tolerates unknown tables and fields, and the
 * outbox quarantines unreadable rows; only changed primary keys make it unusable, and then it is
 * left untouched. `declaredVersion` is this app's. Throws NewerDatabaseError.
 */
function refuseForeignKeys(db: Dexie, declaredVersion: number): void {
  const connection = db.backendDB();
  // Dexie multiplies versions by ten.
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
  /** In its own object: Dexie derives objects from the database, whose fields would shadow these. */
  private readonly condition = {
    fault: null as StorageFault | null,
    /** Closed deliberately or for a newer version: must not be reopened. */
    isOver: false,
    isOpening: false,
    hasBeenOpen: false,
    /** Losses since it was last stable. */
    losses: 0,
    cancelRetry: () => {},
    cancelCalm: () => {},
  };
  private readonly listeners = new Set<() => void>();
  /** Captured before opening: afterwards `verno` is the version found. */
  private declaredVersion = 0;

  constructor(
    name: string,
    { isInMemory = false, clock = systemClock, ...options }: ResilientDatabaseOptions = {},
  ) {
    super(name, { ...options, chromeTransactionDurability: 'strict' });
    this.clock = clock;
    this.storage = {
      fault: () => this.condition.fault ?? (isInMemory ? 'none' : null),
      subscribe: (listener) => {
        this.listeners.add(listener);
        return () => this.listeners.delete(listener);
      },
    };
    this.on('blocked', () => {
      this.show('blocked');
      // Suppresses Dexie's console warning.
      return false;
    });
    this.on('ready', () => refuseForeignKeys(this, this.declaredVersion), true);
    this.on('versionchange', ({ newVersion }) => {
      if (!newVersion) return true;
      this.show('outdated');
      this.close();
      return false;
    });
    const abortAll = watchTransactions(this, {
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
    // Kept for Back, a page stands still, and in WebKit (2.50) its transactions stay open: every other
    // page of the app would wait for them. Dexie closes and reopens the connection.
    globalThis.addEventListener?.('pagehide', (event) => {
      if ('persisted' in event && event.persisted) abortAll();
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

  /** `disableAutoOpen: false` is Dexie reporting a broken connection, to be reopened. */
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

  /** Once per connection, however many requests fail. */
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

  /** Immediate after the first loss, then exponential. */
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
