import type { Locks } from '#sync/ports.ts';

/** Exclusive locks shared by all 'tabs' that are given the same object; first come, first served. */
export interface FakeLocks extends Locks {
  /** Names held right now. */
  held(): string[];
  /** Most holders of one name at one time: 1 unless the lock is broken, or was taken away. */
  mostAtOnce(): number;
}

interface Waiter {
  grant(): void;
  signal: AbortSignal | undefined;
}

/** As the browser's: what `isStolen` takes goes on unaware, and its own answer rejects. */
export function createFakeLocks(): FakeLocks {
  const holders = new Map<string, Set<{ lose(): void }>>();
  const queues = new Map<string, Waiter[]>();
  const owners = new Map<string, object>();
  let most = 0;

  const grantNext = (name: string) => {
    if (owners.has(name)) return;
    queues.get(name)?.shift()?.grant();
  };

  function hold<T>(name: string, work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const self = { lose: () => reject(new DOMException('stolen', 'AbortError')) };
      owners.set(name, self);
      const all = holders.get(name) ?? new Set();
      holders.set(name, all.add(self));
      most = Math.max(most, all.size);
      const letGo = () => {
        all.delete(self);
        if (owners.get(name) === self) owners.delete(name);
        grantNext(name);
      };
      work().then(resolve, reject).finally(letGo);
    });
  }

  return {
    withLock(name, work, { signal, isStolen = false } = {}) {
      if (isStolen) {
        for (const holder of holders.get(name) ?? []) holder.lose();
        return hold(name, work);
      }
      return new Promise((resolve, reject) => {
        const queue = queues.get(name) ?? [];
        queues.set(name, queue);
        const waiter: Waiter = {
          signal,
          grant: () => hold(name, work).then(resolve, reject),
        };
        queue.push(waiter);
        signal?.addEventListener('abort', () => {
          const at = queue.indexOf(waiter);
          if (at < 0) return;
          queue.splice(at, 1);
          reject(signal.reason);
        });
        grantNext(name);
      });
    },
    held: () => [...holders].filter(([, all]) => all.size > 0).map(([name]) => name),
    mostAtOnce: () => most,
  };
}
