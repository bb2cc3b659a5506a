/**
 * The Locks port on the browser's Web Locks, held across all tabs and workers of this origin. They
 * exist only in secure contexts; without them (an app opened over plain HTTP on a local network)
 * one tab still does one job at a time, and two tabs lean on the Idempotency-Key alone.
 */
import type { LockOptions, Locks } from '#api/ports.ts';

/** One after another within this process, first in first out, per name. */
export function createQueueLocks(): Locks {
  const tails = new Map<string, Promise<unknown>>();
  return {
    withLock(name, work, { signal, isStolen = false } = {}) {
      const before = isStolen ? undefined : tails.get(name);
      const result = (before ?? Promise.resolve()).then(() => {
        signal?.throwIfAborted();
        return work();
      });
      const tail = result.then(
        () => undefined,
        () => undefined,
      );
      tails.set(name, tail);
      return result;
    },
  };
}

function requestOptions({ signal, isStolen = false }: LockOptions): globalThis.LockOptions {
  if (isStolen) return { mode: 'exclusive', steal: true };
  return { mode: 'exclusive', ...(signal ? { signal } : {}) };
}

function browserLocks(manager: LockManager): Locks {
  return {
    async withLock<T>(name: string, work: () => Promise<T>, options: LockOptions = {}): Promise<T> {
      return await manager.request(name, requestOptions(options), work);
    },
  };
}

/** Web Locks where the browser has them, else a queue within this tab. */
export function createLocks(): Locks {
  const manager = typeof navigator === 'undefined' ? undefined : navigator.locks;
  return manager ? browserLocks(manager) : createQueueLocks();
}
