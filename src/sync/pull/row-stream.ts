/**
 * Applies batches of changed packages that the server sends (docs/decisions/0074-row-stream.md).
 *
 *   open ─▶ hello ─▶ a pull begun after it ends ─▶ live: batch ─▶ lease ─▶ rows and `streamed`, in one
 *             ▲         ▲    batches are queued               │        transaction
 *             │         └── doubt: gap, overflow, unreadable, ┘
 *             │                    the list's state has changed
 *             └── another full list: the rows of this connection may be of another role or area
 *
 * Invariant: a batch is applied only to a mirror that has every change before it. `end`, where the
 * next batch must begin, was received before any series of pages that begins now, so such a series
 * sees everything up to it; and the list state that it left is compared in the batch's transaction,
 * since another tab or the service worker may have pulled, or the mirror may be empty.
 */

import type { RowBatch } from '#api/events.ts';
import { fromPhoneTime } from '#api/server-time.ts';
import { type Area, areaText } from '#contract/area.ts';
import { storageFaultOf } from '#db/storage-fault.ts';
import type { ListState, UserDatabase } from '#db/user-database.ts';
import { readWorkingArea } from '#db/working-area.ts';
import type { Package } from '#domain/package.ts';
import type { Cancellation } from '#sync/coordination/cancellation.ts';
import { type Fence, FencedError, fenced, withLease } from '#sync/coordination/lease.ts';
import type { Ports } from '#sync/ports.ts';
import { readListState } from './list-state.ts';
import { putRows } from './mirror.ts';

/** A pull is cheaper than more than this. */
const mostBatches = 200;
const mostLength = 4_000_000;

/** One connection of the stream, from before it is opened. */
export interface Connection {
  /** To ask the server for; null: everywhere. */
  area: Area | null;
  hello(at: string): void;
  rows(batch: RowBatch): void;
  unreadable(): void;
  close(): void;
}

/** Identity of the moment after which a series of pages must begin to count. */
type Mark = object;

interface Chain {
  /** The mirror's values when the connection was opened, as requested from the server. */
  full: string | undefined;
  area: string | undefined;
  /** Required start of the next batch; null: unknown. */
  end: string | null;
  mark: Mark;
  /** List state after the last series or batch; null: a series has to end first. */
  reached: ListState | null;
  queue: RowBatch[];
  reconnect(): void;
}

export interface RowStreamNeeds {
  db: UserDatabase;
  ports: Ports;
  lockName: string;
  cancellation: Cancellation;
  onFault(cause: unknown): void;
  requestPull(): void;
}

const isSameState = (a: ListState, b: ListState) =>
  a.cursor === b.cursor && a.streamed === b.streamed && a.full === b.full;

const isAtRest = ({ cursor, fullPages, isSeriesEnd }: ListState) =>
  cursor !== '' && fullPages === null && isSeriesEnd === true;

/** Merges the batches; the later one wins. */
function merged(batches: readonly RowBatch[]) {
  const rows = new Map<string, Package>();
  const removals = new Map<string, number>();
  for (const batch of batches) {
    for (const row of batch.rows) {
      rows.set(row.id, row);
      removals.delete(row.id);
    }
    for (const { id, version } of batch.removals) {
      rows.delete(id);
      removals.set(id, version);
    }
  }
  return { rows: [...rows.values()], removals: [...removals] };
}

export type RowStream = ReturnType<typeof createRowStream>;

export function createRowStream(needs: RowStreamNeeds) {
  const { db, ports, lockName, cancellation, onFault, requestPull } = needs;
  let chain: Chain | null = null;
  let isApplying = false;

  /** Rows after `end` are complete; those before it must be pulled. */
  function doubt(one: Chain, end: string | null) {
    Object.assign(one, { end, mark: {}, reached: null, queue: [] });
    requestPull();
  }

  function take(one: Chain, batch: RowBatch) {
    if (batch.from !== one.end) return doubt(one, batch.to);
    one.queue.push(batch);
    one.end = batch.to;
    const length = one.queue.reduce((sum, each) => sum + each.length, 0);
    if (one.queue.length > mostBatches || length > mostLength) return doubt(one, batch.to);
    void applySoon();
  }

  async function open(reconnect: () => void): Promise<Connection> {
    const [state, area] = await db.transaction('r', [db.lists, db.meta], () =>
      Promise.all([readListState(db, 'packages'), readWorkingArea(db)]),
    );
    const one: Chain = {
      full: state.full,
      area: area ? areaText(area) : undefined,
      end: null,
      mark: {},
      reached: null,
      queue: [],
      reconnect,
    };
    chain = one;
    /** A later connection replaces it. */
    const ifCurrent =
      <Args extends unknown[]>(work: (...args: Args) => void) =>
      (...args: Args) => {
        if (chain === one && !cancellation.signal.aborted) work(...args);
      };
    return {
      area,
      hello: ifCurrent((at) => doubt(one, at)),
      rows: ifCurrent((batch) => take(one, batch)),
      unreadable: ifCurrent(() => doubt(one, null)),
      close: ifCurrent(() => {
        chain = null;
      }),
    };
  }

  /** Null: it does not count, for it began with an earlier series. */
  function beginSeries(state: ListState): Mark | null {
    return state.cursor === '' || isAtRest(state) ? (chain?.mark ?? null) : null;
  }

  function endSeries(mark: Mark | null, state: ListState): void {
    if (!chain) return;
    if (state.full !== chain.full || state.area !== chain.area) {
      const { reconnect } = chain;
      chain = null;
      reconnect();
    } else if (mark === chain.mark) {
      chain.reached = isAtRest(state) ? state : null;
      void applySoon();
    } else if (mark === null && chain.end !== null) requestPull();
  }

  /** Resolves with the list state that it left; null: another writer has changed it. */
  function write(
    fence: Fence,
    reached: ListState,
    batches: readonly RowBatch[],
  ): Promise<ListState | null> {
    const { rows, removals } = merged(batches);
    const streamed = batches.at(-1)?.to ?? '';
    return fenced(db, fence, [db.packages, db.lists, db.meta], async () => {
      const state = await readListState(db, 'packages');
      if (!isAtRest(state) || !isSameState(state, reached)) return null;
      await putRows(db.packages, rows);
      const found = await db.packages.bulkGet(removals.map(([id]) => id));
      const gone = removals.filter(([, version], index) => {
        const row = found[index];
        return row !== undefined && row.version <= version;
      });
      if (gone.length > 0) await db.packages.bulkDelete(gone.map(([id]) => id));
      const after = { ...state, streamed };
      await db.lists.put(after);
      const value = fromPhoneTime(new Date(ports.clock.now()).toISOString());
      await db.meta.put({ key: 'lastPulledAt', value });
      return after;
    });
  }

  async function applyQueue(fence: Fence): Promise<void> {
    const one = chain;
    if (!one?.reached || one.queue.length === 0 || cancellation.signal.aborted) return;
    const { mark, reached } = one;
    const batches = [...one.queue];
    const after = await write(fence, reached, batches);
    if (one.mark !== mark) return;
    if (after) one.queue.splice(0, batches.length);
    // The queue begins no later than a pull from now on, and follows it.
    else if (chain === one) requestPull();
    one.reached = after;
  }

  const isReady = () => !cancellation.signal.aborted && chain?.reached && chain.queue.length > 0;

  async function applySoon(): Promise<void> {
    if (isApplying) return;
    isApplying = true;
    while (isReady()) {
      const one = chain;
      try {
        await withLease({ db, ports, lockName, signal: cancellation.signal }, (fence) =>
          cancellation.track(applyQueue(fence)),
        );
      } catch (cause) {
        if (cancellation.signal.aborted) break;
        // The pull meets the same storage failure, and backs off.
        if (one && chain === one) doubt(one, one.end);
        if (!(cause instanceof FencedError) && storageFaultOf(cause) === null) onFault(cause);
      }
    }
    isApplying = false;
  }

  return { open, beginSeries, endSeries };
}
