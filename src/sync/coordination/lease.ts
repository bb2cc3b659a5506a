/**
 * One drain at a time. A Web Lock says whose turn it is and ends
 * with its tab. A tab that is frozen keeps it for ever, so its holder also counts up a sign of life
 * in the database; who waits and sees none takes the lock away, and a higher fence with it.
 *
 *   waiting ──lock──▶ holding: fence + 1, beat … beat … ──▶ given back
 *      └──no beat for `frozenMs`──▶ lock stolen ──▶ holding: fence + 1
 *                                      the former holder's next write: FencedError
 *
 * Invariant: whatever the engine writes, it writes in a transaction that has looked at the fence
 * (`fenced`), so a holder that wakes up late cannot write over what came after it. What it had sent
 * has the same Idempotency-Key as what the next one sends.
 *
 * The fence is from M. Kleppmann, 'How to do distributed locking' (2016).
 */
import type { Table } from 'dexie';
import type { UserDatabase } from '#db/user-database.ts';
import type { Ports } from '#sync/ports.ts';

/** Between two signs of life. Most drains end before the first. */
export const beatMs = 10_000;
/** Between two looks of who waits. */
const lookMs = 5_000;
/** Without a sign of life for so long a holder counts as frozen. */
export const frozenMs = 30_000;

/** Somebody has taken over: whatever was under way here is theirs now. */
export class FencedError extends Error {
  override name = 'FencedError';
}

/** The browser's word for a lock that was stolen. */
function isTakenAway(cause: unknown): boolean {
  return cause instanceof DOMException && cause.name === 'AbortError';
}

/** Which turn at draining this is. */
export type Fence = number;

async function insistOnFence(db: UserDatabase, fence: Fence): Promise<void> {
  const lease = await db.lease.get('lease');
  if (lease?.fence !== fence) throw new FencedError();
}

/** A 'rw' transaction over `tables` that rejects with FencedError once somebody has taken over. */
export function fenced<T>(
  db: UserDatabase,
  fence: Fence,
  // biome-ignore lint/suspicious/noExplicitAny: Dexie's own type of a list of tables.
  tables: readonly Table<any, any, any>[],
  write: () => Promise<T>,
): Promise<T> {
  return db.transaction('rw', [...tables, db.lease], async () => {
    // Side by side: the look comes first in the transaction, and if it fails nothing of it stays.
    const holds = insistOnFence(db, fence);
    const [result] = await Promise.all([write(), holds]);
    return result;
  });
}

function takeFence(db: UserDatabase): Promise<Fence> {
  return db.transaction('rw', [db.lease], async () => {
    const last = (await db.lease.get('lease'))?.fence;
    // Damaged, it would never be equal to anything, itself included.
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

/** Again and again until the answer is called; by the time that this tab is awake, no clock. */
function every({ ports }: LeasePorts, intervalMs: number, work: () => Promise<void>): () => void {
  let isOver = false;
  let cancel = () => {};
  const next = () => {
    cancel = ports.clock.after(intervalMs, async () => {
      // A database that fails shows in the job itself.
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

/** Calls `onFrozen` once when the holder has given no sign of life for `frozenMs`. */
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
 * Runs `work` as the only one that drains, over all tabs and workers. Rejects with what `work`
 * rejects with, with FencedError as soon as somebody takes over (`work` may still be
 * going on, and will find out), or where there is no lock to be had.
 */
export function withLease<T>(needs: LeasePorts, work: (fence: Fence) => Promise<T>): Promise<T> {
  const { db, ports, lockName } = needs;
  return new Promise((resolve, reject) => {
    const waiting = new AbortController();
    const stopWatching = watch(needs, () => {
      waiting.abort();
      ports.locks.withLock(lockName, hold, { isStolen: true }).then(resolve, end);
    });
    /** Who has taken a turn away may lose it in the same way. */
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
