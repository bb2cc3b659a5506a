/**
 * One drain at a time. A Web Lock grants the turn and ends with its tab. A frozen tab never releases
 * it, so the holder also writes a heartbeat to the database; a waiting tab that sees none steals the
 * lock and raises the fence.
 *
 *   waiting ──lock──▶ holding: fence + 1, beat … beat … ──▶ released
 *      └──no beat for `frozenMs`──▶ lock stolen ──▶ holding: fence + 1
 *                                      the former holder's next write: FencedError
 *
 * Invariant: the engine writes only in transactions that check the fence (`fenced`), so a holder that
 * wakes up late cannot overwrite its successor's work. Both send under the same Idempotency-Keys.
 *
 * Fencing tokens: M. Kleppmann, 'How to do distributed locking' (2016).
 */
import type { Table } from 'dexie';
import type { UserDatabase } from '#db/user-database.ts';
import type { Ports } from '#sync/ports.ts';

/** Heartbeat interval. Most drains end before the first. */
export const beatMs = 10_000;
const lookMs = 5_000;
/** A holder without a heartbeat for this long counts as frozen. */
export const frozenMs = 30_000;

/** Another tab took the lease; the current work is now its work. */
export class FencedError extends Error {
  override name = 'FencedError';
}

/** How the browser reports a stolen lock. */
function isTakenAway(cause: unknown): boolean {
  return cause instanceof DOMException && cause.name === 'AbortError';
}

export type Fence = number;

/** A 'rw' transaction over `tables` that rejects with FencedError if the lease was taken over. */
export function fenced<T>(
  db: UserDatabase,
  fence: Fence,
  // biome-ignore lint/suspicious/noExplicitAny: Dexie's own type of a list of tables.
  tables: readonly Table<any, any, any>[],
  write: () => Promise<T>,
): Promise<T> {
  return db.transaction('rw', [...tables, db.lease], async () => {
    // In parallel: the fence is read first in the transaction, and a mismatch aborts all of it.
    const holds = db.lease.get('lease').then((lease) => {
      if (lease?.fence !== fence) throw new FencedError();
    });
    const [result] = await Promise.all([write(), holds]);
    return result;
  });
}

function takeFence(db: UserDatabase): Promise<Fence> {
  return db.transaction('rw', [db.lease], async () => {
    const last = (await db.lease.get('lease'))?.fence;
    // A damaged value (NaN) would never equal itself.
    const fence = (Number.isSafeInteger(last) ? (last ?? 0) : 0) + 1;
    await db.lease.put({ key: 'lease', fence, beat: 0 });
    return fence;
  });
}

interface LeasePorts {
  db: UserDatabase;
  ports: Pick<Ports, 'locks' | 'clock'>;
  lockName: string;
}

/**
 * Repeats until the returned function is called. Time in which the tab is frozen does not count.
 */
function every({ ports }: LeasePorts, intervalMs: number, work: () => Promise<void>): () => void {
  let isOver = false;
  let cancel = () => {};
  const next = () => {
    cancel = ports.clock.after(intervalMs, async () => {
      // A failing database also fails the job itself.
      await work().catch(() => undefined);
      if (!isOver) next();
    });
  };
  next();
  return () => {
    isOver = true;
    cancel();
  };
}

function startBeating(needs: LeasePorts, fence: Fence): () => void {
  const { db } = needs;
  return every(needs, beatMs, () =>
    fenced(db, fence, [], async () => {
      await db.lease
        .where('key')
        .equals('lease')
        .modify((lease) => {
          lease.beat += 1;
        });
    }),
  );
}

/** Calls `onFrozen` once when the holder's heartbeat has stopped for `frozenMs`. */
function watch(needs: LeasePorts, onFrozen: () => void): () => void {
  let last = '';
  let silentMs = 0;
  const stop = every(needs, lookMs, async () => {
    const sign = JSON.stringify(await needs.db.lease.get('lease'));
    silentMs = sign === last ? silentMs + lookMs : 0;
    last = sign;
    if (silentMs < frozenMs) return;
    stop();
    onFrozen();
  });
  return stop;
}

/**
 * Runs `work` while holding the lease, exclusive across tabs and workers. Rejects with `work`'s
 * error, with FencedError once another tab takes over (`work` then fails at its next write), or if
 * no lock is available.
 */
export function withLease<T>(needs: LeasePorts, work: (fence: Fence) => Promise<T>): Promise<T> {
  const { db, ports, lockName } = needs;
  return new Promise((resolve, reject) => {
    const waiting = new AbortController();
    const stopWatching = watch(needs, () => {
      waiting.abort();
      ports.locks.withLock(lockName, hold, { isStolen: true }).then(resolve, end);
    });
    function end(cause: unknown) {
      reject(isTakenAway(cause) ? new FencedError('', { cause }) : cause);
    }
    async function hold(): Promise<T> {
      stopWatching();
      const fence = await takeFence(db);
      const stopBeating = startBeating(needs, fence);
      try {
        return await work(fence);
      } finally {
        stopBeating();
      }
    }
    ports.locks.withLock(lockName, hold, { signal: waiting.signal }).then(resolve, (cause) => {
      stopWatching();
      if (!waiting.signal.aborted) end(cause);
    });
  });
}
