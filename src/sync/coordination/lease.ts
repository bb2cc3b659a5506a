/**
 * One drain at a time. A Web Lock grants the turn and ends with its tab. A frozen tab never releases
 * it, so the holder also writes a heartbeat to the database; a waiting tab that sees none steals the
 * lock and raises the fence.
 *
 *   waiting ──lock──▶ holding: fence + 1, beat … beat … ──▶ released
 *      └──no beat for `frozenMs`──▶ fence + 1 ──▶ lock stolen ──▶ holding: fence + 1
 *                           └─▶ the former holder's next write: FencedError
 *
 * Invariant: the engine writes only in transactions that check the fence (`fenced`), so a holder that
 * wakes up late cannot overwrite its successor's work. Both send under the same Idempotency-Keys.
 *
 * Fencing tokens: M. Kleppmann, 'How to do distributed locking' (2016).
 */
import type { Table } from 'dexie';
import { fenceOf, raiseFence, type UserDatabase } from '#db/user-database.ts';
import type { Ports } from '#sync/ports.ts';
import { inRoom, isFull } from '#sync/room.ts';
import { StoppedError } from './cancellation.ts';

/** Heartbeat interval. Most drains end before the first. */
export const beatMs = 10_000;
const lookMs = 5_000;
/**
 * A holder without a heartbeat for this long counts as frozen. With a busy phone's delays another tab
 * takes over within 45 s; to be wrong about a slow holder costs a request, and nothing happens twice.
 */
export const frozenMs = 25_000;

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
      if (fenceOf(lease) !== fence) throw new FencedError();
    });
    const [result] = await Promise.all([write(), holds]);
    return result;
  });
}

/**
 * A full phone cannot raise it, and need not: whoever steals the lock raises it before (`watch`), so
 * that the holder of the stored one has handed the lock over.
 */
async function takeFence(needs: LeasePorts): Promise<Fence> {
  const { db } = needs;
  try {
    return await inRoom(needs, () => raiseFence(db));
  } catch (cause) {
    if (!isFull(cause)) throw cause;
    return fenceOf(await db.lease.get('lease'));
  }
}

interface LeasePorts {
  db: UserDatabase;
  ports: Pick<Ports, 'locks' | 'clock' | 'makeRoom'>;
  lockName: string;
  /** Ends the wait for the lease; work under a held lease continues. */
  signal: AbortSignal;
}

/** Stops the repetition; resolves after the current run. */
type Stop = () => Promise<void>;

/**
 * Repeats until stopped. `passedMs`: since the last run; the delay of a frozen or overloaded phone
 * counts up to one more interval.
 */
function every(
  { ports: { clock } }: LeasePorts,
  intervalMs: number,
  work: (passedMs: number) => Promise<void>,
): Stop {
  let isOver = false;
  let cancel = () => {};
  let running = Promise.resolve();
  const next = (sinceMs: number) => {
    cancel = clock.after(intervalMs, () => {
      const nowMs = clock.now();
      const passedMs = Math.max(intervalMs, Math.min(nowMs - sinceMs, 2 * intervalMs));
      // A failing database also fails the job itself.
      running = work(passedMs)
        .catch(() => undefined)
        .then(() => {
          if (!isOver) next(nowMs);
        });
    });
  };
  next(clock.now());
  return () => {
    isOver = true;
    cancel();
    return running;
  };
}

function startBeating(needs: LeasePorts, fence: Fence): Stop {
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

/**
 * Calls `onFrozen` once when the holder's heartbeat has stopped for `frozenMs`, after raising the
 * fence. On a full phone that fails, and so it should: a holder who is well cannot beat either.
 */
function watch({ db, ...needs }: LeasePorts, onFrozen: () => void): Stop {
  const look = async () => JSON.stringify(await db.lease.get('lease'));
  // The silence counts from here on, not from the first interval's end.
  let last = look().catch(() => '');
  let silentMs = 0;
  let isStopped = false;
  const stop = every({ db, ...needs }, lookMs, async (passedMs) => {
    const former = await last;
    const sign = await look();
    silentMs = sign === former ? silentMs + passedMs : 0;
    last = Promise.resolve(sign);
    if (isStopped || silentMs < frozenMs) return;
    await raiseFence(db);
    if (isStopped) return;
    void stop();
    onFrozen();
  });
  return () => {
    isStopped = true;
    return stop();
  };
}

/**
 * Runs `work` while holding the lease, exclusive across tabs and workers. Rejects with `work`'s
 * error, with FencedError once another tab takes over (`work` then fails at its next write), with
 * StoppedError if stopped while another tab holds it, or if no lock is available.
 */
export function withLease<T>(needs: LeasePorts, work: (fence: Fence) => Promise<T>): Promise<T> {
  const { ports, lockName, signal } = needs;
  return new Promise((resolve, reject) => {
    const waiting = new AbortController();
    const giveUp = () => {
      waiting.abort();
      reject(new StoppedError());
    };
    signal.addEventListener('abort', giveUp);
    if (signal.aborted) giveUp();
    const stopWatching = watch(needs, () => {
      waiting.abort();
      ports.locks.withLock(lockName, hold, { isStolen: true }).then(resolve, end);
    });
    function end(cause: unknown) {
      reject(isTakenAway(cause) ? new FencedError('', { cause }) : cause);
    }
    async function hold(): Promise<T> {
      signal.removeEventListener('abort', giveUp);
      // A fence that the watch is still raising would fence off this holder.
      await stopWatching();
      const fence = await takeFence(needs);
      const stopBeating = startBeating(needs, fence);
      try {
        return await work(fence);
      } finally {
        void stopBeating();
      }
    }
    ports.locks.withLock(lockName, hold, { signal: waiting.signal }).then(resolve, (cause) => {
      signal.removeEventListener('abort', giveUp);
      void stopWatching();
      if (!waiting.signal.aborted) end(cause);
    });
  });
}
