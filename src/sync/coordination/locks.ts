/**
 * Locks over the Web Locks API. It needs a secure context: over plain HTTP, locks hold per tab and
 * only the Idempotency-Key protects against two tabs.
 */
import type { LockOptions, Locks } from '#api/ports.ts';

/** FIFO per name, within this process. */
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

/** Web Locks if available, otherwise a queue within this tab. */
export function createLocks(): Locks {
  const manager = typeof navigator === 'undefined' ? undefined : navigator.locks;
  return manager ? browserLocks(manager) : createQueueLocks();
}
