/** What a browser gives the engine: a clock, locks and a channel between tabs that may freeze or die. */
import type { Locks } from '#api/ports.ts';
import type { Clock } from '#db/clock.ts';
import type { UserDatabase } from '#db/user-database.ts';
import { createSyncEngine, type SyncEngine } from '#sync/engine.ts';
import type { Channel, Ports, SyncApi } from '#sync/ports.ts';

/** A manual clock; timers fire in the order of their time. */
export interface FakeClock extends Clock {
  /** Advances and fires due timers on the way. */
  advance(byMs: number): void;
  /** Changes the wall clock without passing time, as a user does in the settings. */
  setBack(toMs: number): void;
  /** Milliseconds until each pending timer, soonest first. */
  pending(): number[];
}

export function createFakeClock(startMs = Date.parse('2026-11-21T10:00:00.000Z')): FakeClock {
  let dayMs = startMs;
  let elapsedMs = 0;
  const timers = new Set<{ dueMs: number; callBack: () => void }>();
  const sorted = () => [...timers].sort((a, b) => a.dueMs - b.dueMs);
  return {
    now: () => dayMs,
    after(delayMs, callBack) {
      const timer = { dueMs: elapsedMs + delayMs, callBack };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    advance(byMs) {
      const endMs = elapsedMs + byMs;
      for (let next = sorted()[0]; next && next.dueMs <= endMs; next = sorted()[0]) {
        timers.delete(next);
        dayMs += next.dueMs - elapsedMs;
        elapsedMs = next.dueMs;
        next.callBack();
      }
      dayMs += endMs - elapsedMs;
      elapsedMs = endMs;
    },
    setBack(toMs) {
      dayMs = toMs;
    },
    pending: () => sorted().map((timer) => timer.dueMs - elapsedMs),
  };
}

/** Gives each tab its end of one channel; messages arrive at the others as structured clones. */
export function createFakeChannels(): () => Channel {
  const listeners = new Set<(message: unknown) => void>();
  return () => {
    let own: ((message: unknown) => void) | null = null;
    return {
      post: (message) => {
        for (const listener of listeners) {
          if (listener !== own) listener(structuredClone(message));
        }
      },
      listen: (onMessage) => {
        own = onMessage;
        listeners.add(onMessage);
        return () => listeners.delete(onMessage);
      },
    };
  };
}

/** The locks of one tab, released when it ends. */
interface TabLocks extends Locks {
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

interface LockTab {
  isKilled: boolean;
}

/** Like the browser's: the callback of a stolen lock continues, and its request rejects. */
export function createFakeLocks(): FakeLocks {
  const owners = new Map<string, Holder>();
  /** The owners, and former owners of stolen locks still running. */
  const holders = new Set<Holder>();
  let waiters: { tab: LockTab; name: string; grant(): void }[] = [];
  let most = 0;

  interface Holder {
    tab: LockTab;
    name: string;
    lose(): void;
  }

  function grantNext(name: string) {
    const at = waiters.findIndex((waiter) => waiter.name === name);
    if (at >= 0 && !owners.has(name)) waiters.splice(at, 1)[0]?.grant();
  }

  function drop(holder: Holder) {
    holders.delete(holder);
    if (owners.get(holder.name) !== holder) return;
    owners.delete(holder.name);
    grantNext(holder.name);
  }

  function hold<T>(tab: LockTab, name: string, work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const lose = () => reject(new DOMException('stolen', 'AbortError'));
      const holder = { tab, name, lose };
      owners.set(name, holder);
      holders.add(holder);
      most = Math.max(most, [...holders].filter((one) => one.name === name).length);
      work()
        .then(resolve, reject)
        .finally(() => drop(holder));
    });
  }

  function locksOf(tab: LockTab): Locks {
    return {
      withLock(name, work, { signal, isStolen = false } = {}) {
        if (tab.isKilled) return new Promise(() => {});
        if (isStolen) {
          owners.get(name)?.lose();
          return hold(tab, name, work);
        }
        return new Promise((resolve, reject) => {
          const grant = () => void hold(tab, name, work).then(resolve, reject);
          const waiter = { tab, name, grant };
          waiters.push(waiter);
          signal?.addEventListener('abort', () => {
            if (!waiters.includes(waiter)) return;
            waiters = waiters.filter((one) => one !== waiter);
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
      const tab: LockTab = { isKilled: false };
      return {
        ...locksOf(tab),
        kill: () => {
          tab.isKilled = true;
          waiters = waiters.filter((waiter) => waiter.tab !== tab);
          for (const holder of [...holders]) if (holder.tab === tab) drop(holder);
        },
      };
    },
    held: () => [...owners.keys()],
    mostAtOnce: () => most,
  };
}

/** Frozen: timers do not fire, answers and messages wait until the thaw. Killed: never again. */
export interface TabLife {
  /** Runs `work` now, at the thaw, or never. */
  whenAwake(work: () => void): void;
  freeze(): void;
  thaw(): void;
  /** As a phone short of memory does: the tab stops running and its locks are released. */
  kill(): void;
}

export interface FakeTab extends TabLife {
  db: UserDatabase;
  engine: SyncEngine;
  locks: Locks;
  clock: Clock;
}

interface TabOptions extends Omit<Ports, 'locks'> {
  db: UserDatabase;
  locks: FakeLocks;
  userId: string;
  onFault(cause: unknown): void;
}

/** An engine in a tab. */
export function openTab({ db, userId, onFault, locks, ...ports }: TabOptions): FakeTab {
  let state: 'awake' | 'frozen' | 'killed' = 'awake';
  const waiting: (() => void)[] = [];
  const tabLocks = locks.openTab();
  const { clock, channel } = ports;

  const whenAwake = (work: () => void) => {
    if (state === 'awake') work();
    else if (state === 'frozen') waiting.push(work);
  };
  const deliver =
    <Args extends unknown[], T>(ask: (...args: Args) => Promise<T>) =>
    (...args: Args) =>
      new Promise<T>((resolve, reject) => {
        if (state === 'killed') return;
        ask(...args).then(
          (value) => whenAwake(() => resolve(value)),
          (error) => whenAwake(() => reject(error)),
        );
      });
  const calls = Object.entries<SyncApi[keyof SyncApi]>(ports.api);
  const api = Object.fromEntries(
    calls.map(([name, ask]) => [name, deliver(ask as (...args: unknown[]) => Promise<unknown>)]),
  ) as unknown as SyncApi;

  const cancels = new Set<() => void>();
  const after: Clock['after'] = (delayMs, callBack) => {
    if (state === 'killed') return () => {};
    let isCancelled = false;
    const cancelTimer = clock.after(delayMs, () => {
      cancels.delete(cancel);
      whenAwake(() => isCancelled || callBack());
    });
    const cancel = () => {
      isCancelled = true;
      cancels.delete(cancel);
      cancelTimer();
    };
    cancels.add(cancel);
    return cancel;
  };
  const tabClock = { now: clock.now, after };
  const engine = createSyncEngine({
    db,
    ports: {
      ...ports,
      api,
      locks: tabLocks,
      clock: tabClock,
      channel: {
        post: (message) => {
          if (state !== 'killed') channel.post(message);
        },
        listen: (onMessage) => channel.listen((message) => whenAwake(() => onMessage(message))),
      },
    },
    userId,
    onFault,
  });
  return {
    db,
    engine,
    locks: tabLocks,
    clock: tabClock,
    whenAwake,
    freeze: () => {
      state = 'frozen';
    },
    thaw: () => {
      state = 'awake';
      for (const work of waiting.splice(0)) work();
    },
    kill: () => {
      state = 'killed';
      waiting.length = 0;
      for (const cancel of cancels) cancel();
      db.close();
      tabLocks.kill();
    },
  };
}
