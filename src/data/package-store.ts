/**
 * The signed-in user's packages and outbox in memory, for all screens of this tab: loaded once, newest
 * first, then updated by re-reading what has changed.
 *
 *   open ─▶ watching ─▶ newest rows ─▶ all rows, if more ─▶ idle ◀─▶ changed lanes
 *              └── changes in the meantime are queued ──▶ ┘
 *   a read fails ─▶ keep the current state, report the failure, retry with back-off
 *
 * Invariants: it watches before its first read, so no change is missed; each read is one consistent
 * snapshot.
 */

import { fromPhoneTime, subscribeToClockOffset } from '#api/server-time.ts';
import type { UserInfo } from '#contract/auth.ts';
import { type ChangedKeys, watchChanges } from '#db/changes.ts';
import type { Clock } from '#db/clock.ts';
import {
  type ReadAll,
  readAllPackages,
  readChangedPackages,
  readNewestPackages,
} from '#db/queries.ts';
import type { UserDatabase } from '#db/user-database.ts';
import type { Operation } from '#domain/operation.ts';
import type { PackageView } from '#domain/overlay.ts';
import type { Package } from '#domain/package.ts';
import { createPackageViews, type LaneContents } from '#domain/package-views.ts';

/** A list's initial length. */
const newestCount = 50;
const firstRetryMs = 1_000;
const longestRetryMs = 30_000;

export interface StoreState {
  /** Unordered. Undefined: not read yet. */
  views: readonly PackageView[] | undefined;
  /** Oldest first. Undefined: not read yet. */
  operations: readonly Operation[] | undefined;
  /** False: only the newest have been read. */
  isWhole: boolean;
  /** Error of the last read; null: none. Earlier results stay. */
  failure: unknown;
}

export interface PackageStore {
  subscribe: (listener: () => void) => () => void;
  /** The same object until something changes. */
  state: () => StoreState;
  /** Undefined while loading; null: nothing to show. */
  view(id: string): PackageView | null | undefined;
  /** The mirrored row. Undefined while loading; null: none. */
  row(id: string): Package | null | undefined;
  /** Reads this package before the rest unless loaded. */
  look(id: string): void;
  /** Resolves once there is nothing left to read, or a read has failed. */
  settled(): Promise<void>;
  close(): void;
}

const tables = ['packages', 'outbox', 'users'] as const;

/** Nothing to read again. */
const clean = () => ({
  ids: new Set<string>(),
  lanes: new Set<string>(),
  seqs: new Set<number>(),
  isSelf: false,
  isAll: false,
});
type Dirty = ReturnType<typeof clean>;

const hasChanges = ({ ids, lanes, seqs, isSelf, isAll }: Dirty) =>
  isAll || isSelf || ids.size + lanes.size + seqs.size > 0;

/** Converts to server time for the screens: a waiting operation has the phone's. */
const timed = (operation: Operation): Operation => ({
  ...operation,
  createdAt: fromPhoneTime(operation.createdAt),
  phoneTime: operation.createdAt,
});

const timedLane = (lane: LaneContents): LaneContents => ({
  ...lane,
  operations: lane.operations.map(timed),
});

export interface PackageStoreNeeds {
  db: UserDatabase;
  userInfo: UserInfo;
  clock: Pick<Clock, 'after'>;
  /** Delay between two reads. */
  pauseMs?: number;
  /** Resolves once the newest are painted, which reading the rest would delay. */
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

  /** Publishes the rows read so far. `failure`: of the last read. */
  function show(isWhole: boolean, failure: unknown = null) {
    if (isClosed) return;
    state = { views: model.views(), operations: model.operations(), isWhole, failure };
    for (const listener of [...listeners]) listener();
  }

  function showAll({ rows, operations, self }: ReadAll) {
    model.setAll(rows, operations.map(timed), self);
    show(true);
  }

  async function readNewest(): Promise<void> {
    const found = await readNewestPackages(db, newestCount, userInfo);
    if ('rows' in found) return showAll(found);
    model.setLanes(found.lanes.map(timedLane), found.self);
    show(false);
  }

  async function readAll(): Promise<void> {
    if (!state.isWhole) await untilShown();
    // A package opened in the meantime goes first.
    if (looked.size > 0 && !state.isWhole) return;
    // One read covers all changes known so far.
    dirty = clean();
    showAll(await readAllPackages(db, userInfo));
  }

  async function readChanged({ ids, lanes, seqs }: Dirty): Promise<void> {
    const { lanes: contents, self } = await readChangedPackages(db, { ids, lanes, seqs }, userInfo);
    const isChanged = model.setLanes(contents.map(timedLane), self);
    if (isChanged || state.failure !== null) show(state.isWhole);
  }

  /** The next read; null: nothing. */
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

  /** Batches the many changes of a draining outbox. */
  async function pause(): Promise<void> {
    if (!state.isWhole || pauseMs === 0) return;
    await new Promise<void>((resolve) => {
      clock.after(pauseMs, resolve);
    });
  }

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
      show(state.isWhole, cause);
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
  const stopClock = subscribeToClockOffset(() => {
    dirty.isAll = true;
    work();
  });
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
      stopClock();
      cancelRetry();
      listeners.clear();
    },
  };
}
