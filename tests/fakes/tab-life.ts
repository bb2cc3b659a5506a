import type { Clock } from '#db/clock.ts';
import type { SyncApi } from '#sync/ports.ts';

/** Frozen: timers do not fire and answers wait until the tab thaws. Killed: never again. */
export interface TabLife {
  clock: Clock;
  api: SyncApi;
  /** Runs `work` now, at the thaw, or never. */
  whenAwake(work: () => void): void;
  freeze(): void;
  thaw(): void;
  kill(): void;
}

export function createTabLife(clock: Clock, api: SyncApi): TabLife {
  let state: 'awake' | 'frozen' | 'killed' = 'awake';
  const waiting: (() => void)[] = [];

  const whenAwake = (work: () => void) => {
    if (state === 'awake') work();
    else if (state === 'frozen') waiting.push(work);
  };
  /** A killed tab requests nothing. */
  function delivered<T>(ask: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      if (state === 'killed') return;
      ask().then(
        (value) => whenAwake(() => resolve(value)),
        (error) => whenAwake(() => reject(error)),
      );
    });
  }

  return {
    clock: {
      now: () => clock.now(),
      after: (delayMs, callBack) => {
        let isCancelled = false;
        const cancel = clock.after(delayMs, () =>
          whenAwake(() => {
            if (!isCancelled) callBack();
          }),
        );
        return () => {
          isCancelled = true;
          cancel();
        };
      },
    },
    api: {
      pullPackages: (since) => delivered(() => api.pullPackages(since)),
      pullUsers: (since) => delivered(() => api.pullUsers(since)),
      getPackage: (id) => delivered(() => api.getPackage(id)),
      createPackage: (body, key) => delivered(() => api.createPackage(body, key)),
      patchPackage: (...call) => delivered(() => api.patchPackage(...call)),
      deletePackage: (id, key) => delivered(() => api.deletePackage(id, key)),
      patchUser: (...call) => delivered(() => api.patchUser(...call)),
    },
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
    },
  };
}
