import { NotSavedError } from '#db/storage-fault.ts';
import { lazyProxy } from '#domain/lazy-proxy.ts';
import type { SyncEngine, SyncEvent, SyncStatus } from './engine.ts';

const atRest: SyncStatus = {
  phase: 'idle',
  lastFailure: null,
  usersFailure: null,
  isPaused: false,
  progress: null,
  sending: [],
};

const withoutCode: SyncStatus = {
  ...atRest,
  lastFailure: { kind: 'network', status: 0, code: '', message: 'The engine was not loaded.' },
};

/**
 * Loads the engine on first use. If its chunk fails to load, calls reject with NotSavedError, the
 * status reports a network failure, and the next call loads again.
 */
export function createLazyEngine(load: () => Promise<SyncEngine>): SyncEngine {
  const listeners = new Set<(event: SyncEvent) => void>();
  let isStopped = false;
  let status = atRest;

  function emit(event: SyncEvent) {
    for (const listener of [...listeners]) listener(event);
  }

  async function loadEngine(): Promise<SyncEngine> {
    try {
      const engine = await load();
      engine.subscribe(emit);
      if (isStopped) await engine.stop();
      return engine;
    } catch (cause) {
      status = withoutCode;
      emit({ kind: 'status', status });
      throw new NotSavedError(cause);
    }
  }

  const { proxy, bring } = lazyProxy(loadEngine, {
    request(reason) {
      if (isStopped) return;
      bring().then(
        (engine) => engine.request(reason),
        () => undefined,
      );
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    status: () => status,
    stop: async () => {
      isStopped = true;
    },
  });
  return proxy;
}
