import type { Locks } from '#sync/ports.ts';

/** Exclusive locks shared by all 'tabs' that are given the same object; first come, first served. */
export interface FakeLocks extends Locks {
  /** Names held right now. */
  held(): string[];
  /** Most holders of one name at one time: 1 unless the lock is broken. */
  mostAtOnce(): number;
}

export function createFakeLocks(): FakeLocks {
  const tails = new Map<string, Promise<void>>();
  const holders = new Map<string, number>();
  let most = 0;
  return {
    async withLock(name, work) {
      const before = tails.get(name) ?? Promise.resolve();
      let release = () => {};
      tails.set(
        name,
        new Promise((resolve) => {
          release = resolve;
        }),
      );
      await before;
      const count = (holders.get(name) ?? 0) + 1;
      holders.set(name, count);
      most = Math.max(most, count);
      try {
        return await work();
      } finally {
        holders.set(name, count - 1);
        release();
      }
    },
    held: () => [...holders].filter(([, count]) => count > 0).map(([name]) => name),
    mostAtOnce: () => most,
  };
}
