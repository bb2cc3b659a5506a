import type { Locks } from '#api/ports.ts';

/** The locks of one tab, released when it ends. */
export interface TabLocks extends Locks {
  /** Releases the tab's locks and drops its requests; nothing settles. */
  kill(): void;
}

/** Exclusive locks shared by all 'tabs' given the same object; first come, first served. */
export interface FakeLocks extends Locks {
  openTab(): TabLocks;
  /** Names currently held. */
  held(): string[];
  /** The most simultaneous holders of one name: 1 unless the lock is broken or was stolen. */
  mostAtOnce(): number;
}

interface Tab {
  isKilled: boolean;
}

interface Holder {
  tab: Tab;
  lose(): void;
}

interface Waiter {
  tab: Tab;
  grant(): void;
}

/** Like the browser's: the callback of a stolen lock continues, and its request rejects. */
export function createFakeLocks(): FakeLocks {
  /** The holder, and former holders of stolen locks still running. */
  const owners = new Map<string, Holder>();
  const holders = new Map<string, Set<Holder>>();
  const queues = new Map<string, Waiter[]>();
  let most = 0;

  const queueOf = (name: string) => {
    const queue = queues.get(name) ?? [];
    queues.set(name, queue);
    return queue;
  };
  const grantNext = (name: string) => {
    if (!owners.has(name)) queueOf(name).shift()?.grant();
  };
  const drop = (name: string, holder: Holder) => {
    holders.get(name)?.delete(holder);
    if (owners.get(name) !== holder) return;
    owners.delete(name);
    grantNext(name);
  };

  function hold<T>(tab: Tab, name: string, work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const holder = { tab, lose: () => reject(new DOMException('stolen', 'AbortError')) };
      owners.set(name, holder);
      const all = (holders.get(name) ?? new Set()).add(holder);
      holders.set(name, all);
      most = Math.max(most, all.size);
      work()
        .then(resolve, reject)
        .finally(() => drop(name, holder));
    });
  }

  function locksOf(tab: Tab): Locks {
    return {
      withLock(name, work, { signal, isStolen = false } = {}) {
        if (tab.isKilled) return new Promise(() => {});
        if (isStolen) {
          owners.get(name)?.lose();
          return hold(tab, name, work);
        }
        return new Promise((resolve, reject) => {
          const queue = queueOf(name);
          const waiter = { tab, grant: () => void hold(tab, name, work).then(resolve, reject) };
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
    };
  }

  return {
    ...locksOf({ isKilled: false }),
    openTab: () => {
      const tab: Tab = { isKilled: false };
      return {
        ...locksOf(tab),
        kill: () => {
          tab.isKilled = true;
          for (const [name, queue] of queues) {
            queues.set(
              name,
              queue.filter((waiter) => waiter.tab !== tab),
            );
          }
          for (const [name, all] of holders) {
            for (const holder of [...all]) if (holder.tab === tab) drop(name, holder);
          }
        },
      };
    },
    held: () => [...owners.keys()],
    mostAtOnce: () => most,
  };
}
