/**
 * The packages and the outbox of the signed-in user in memory, for all screens of this tab: loaded
 * once, the newest first, and from then on kept up by reading again just what has changed.
 *
 *   open ─▶ watching ─▶ newest rows ─▶ all rows ─▶ at rest ◀─▶ changed lanes
 *              └── changes that come meanwhile wait their turn ──▶ ┘
 *   a read fails ─▶ what was there stays, the failure is told ─▶ again after a while
 *
 * Invariants: it watches before it first reads, so no change is missed; what is read goes in only
 * if it is of one moment.
 */
import type { UserInfo } from '#contract/auth.ts';
import { type ChangedKeys, watchChanges } from '#db/changes.ts';
import type { Clock } from '#db/clock.ts';
import { readAllPackages, readChangedPackages, readNewestPackages } from '#db/queries.ts';
import type { UserDatabase } from '#db/user-database.ts';
import type { Operation } from '#domain/operation.ts';
import type { PackageView } from '#domain/overlay.ts';
import type { Package } from '#domain/package.ts';
import { createPackageViews } from '#domain/package-views.ts';

/** As many as a list shows before anybody has scrolled. */
const newestCount = 50;
const firstRetryMs = 1_000;
const longestRetryMs = 30_000;

export interface StoreState {
  /** In no particular order. Undefined: nothing has been read yet. */
  views: readonly PackageView[] | undefined;
  /** Oldest first. Undefined: nothing has been read yet. */
  operations: readonly Operation[] | undefined;
  /** False: the newest are there, the rest is being read. */
  isWhole: boolean;
  /** Why the last read failed; null: it did not. What was read before stays. */
  failure: unknown;
}

export interface PackageStore {
  /** Returns what ends it. */
  subscribe: (listener: () => void) => () => void;
  /** The same object until something changes. */
  state: () => StoreState;
  /** Undefined while loading; null: there is none to show. */
  view(id: string): PackageView | null | undefined;
  /** The server's last word on it. Undefined while loading; null: there is none. */
  row(id: string): Package | null | undefined;
  /** Reads this one before the rest, if it is not here yet. */
  look(id: string): void;
  /** Resolves once nothing is left to be read and it has paused, or a read has failed. */
  settled(): Promise<void>;
  /** Reads nothing any more. */
  close(): void;
}

const tables = ['packages', 'outbox', 'users'] as const;

interface Dirty {
  ids: Set<string>;
  lanes: Set<string>;
  seqs: Set<number>;
  isSelf: boolean;
  isAll: boolean;
}

const clean = (): Dirty => ({
  ids: new Set(),
  lanes: new Set(),
  seqs: new Set(),
  isSelf: false,
  isAll: false,
});

const hasChanges = ({ ids, lanes, seqs, isSelf, isAll }: Dirty) =>
  isAll || isSelf || ids.size + lanes.size + seqs.size > 0;

export interface PackageStoreNeeds {
  db: UserDatabase;
  userInfo: UserInfo;
  clock: Pick<Clock, 'after'>;
  /** From the end of one reading to the next. */
  pauseMs?: number;
  /** The newest are on the glass: reading all the rest would hold them up. */
  untilShown?: () => Promise<void>;
}

export function openPackageStore(needs: PackageStoreNeeds): PackageStore {
  const { db, userInfo, clock, pauseMs = 50, untilShown = async () => {} } = needs;
  const model = createPackageViews();
  const listeners = new Set<() => void>();
  let state: StoreState = {
    views: undefined,
    operations: undefined,
    isWhole: false,
    failure: null,
  };
  let dirty = clean();
  let looked = new Set<string>();
  let isClosed = false;
  let failures = 0;
  let cancelRetry = () => {};
  let isReading = false;
  let reading = Promise.resolve();

  function show(change: Partial<StoreState>) {
    if (isClosed) return;
    state = { ...state, ...change };
    for (const listener of [...listeners]) listener();
  }

  /** What has been read is in the model. */
  function showRead(isWhole: boolean) {
    const [views, operations] = [model.views(), model.operations()];
    show({ views, operations, isWhole, failure: null });
  }

  async function readNewest(): Promise<void> {
    const { lanes, self } = await readNewestPackages(db, newestCount, userInfo);
    model.setLanes(lanes, self);
    showRead(false);
  }

  async function readAll(): Promise<void> {
    if (!state.isWhole) await untilShown();
    // Somebody has opened one meanwhile: that goes first.
    if (looked.size > 0 && !state.isWhole) return;
    // All are of one moment after the changes that are known by now.
    dirty = clean();
    const { rows, operations, self } = await readAllPackages(db, userInfo);
    model.setAll(rows, operations, self);
    showRead(true);
  }

  async function readChanged({ ids, lanes, seqs }: Dirty): Promise<void> {
    const { lanes: contents, self } = await readChangedPackages(db, { ids, lanes, seqs }, userInfo);
    const isChanged = model.setLanes(contents, self);
    if (isChanged || state.failure !== null) showRead(state.isWhole);
  }

  /** What is to be read next; null: nothing. */
  function nextRead(): (() => Promise<void>) | null {
    if (isClosed) return null;
    if (state.operations === undefined) return readNewest;
    if (!state.isWhole && looked.size > 0) {
      const current = { ...clean(), ids: looked };
      looked = new Set();
      return () => readChanged(current);
    }
    const current = dirty;
    if (current.isAll || !state.isWhole) return readAll;
    if (!hasChanges(current)) return null;
    dirty = clean();
    return () => readChanged(current);
  }

  /** A queue that empties itself changes something all the time; what it changes is read in turns. */
  async function pause(): Promise<void> {
    if (!state.isWhole || pauseMs === 0) return;
    await new Promise<void>((resolve) => {
      clock.after(pauseMs, resolve);
    });
  }

  /** Until nothing is left to be read, or a read fails. */
  async function loop(): Promise<void> {
    try {
      for (let read = nextRead(); read; read = nextRead()) {
        await read();
        failures = 0;
        await pause();
      }
    } catch (cause) {
      dirty.isAll = true;
      failures += 1;
      show({ failure: cause });
      const delayMs = Math.min(firstRetryMs * 2 ** (failures - 1), longestRetryMs);
      if (!isClosed) cancelRetry = clock.after(delayMs, work);
    }
    isReading = false;
  }

  function work() {
    if (isClosed || isReading) return;
    cancelRetry();
    isReading = true;
    reading = loop();
  }

  function note(changes: ReadonlyMap<(typeof tables)[number], ChangedKeys>) {
    const [packages, outbox, users] = tables.map((table) => changes.get(table) ?? new Set());
    if (packages === 'all' || outbox === 'all') dirty.isAll = true;
    else {
      for (const id of packages ?? []) dirty.ids.add(String(id));
      for (const seq of outbox ?? []) {
        const lane = model.laneOfSeq(Number(seq));
        if (lane === undefined) dirty.seqs.add(Number(seq));
        else dirty.lanes.add(lane);
      }
    }
    if (users === 'all' || users?.has(userInfo.id)) dirty.isSelf = true;
    work();
  }

  const stopWatching = watchChanges(db, tables, note);
  work();

  return {
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    state: () => state,
    view: (id) => model.view(id),
    row: (id) => model.row(id),
    look(id) {
      if (model.row(id) !== undefined) return;
      looked.add(id);
      work();
    },
    settled: async () => {
      while (isReading) await reading;
    },
    close() {
      isClosed = true;
      stopWatching();
      cancelRetry();
      listeners.clear();
    },
  };
}
