import { NotSavedError } from '#db/failure.ts';
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

/** A file that does not come is the network's doing. */
const withoutCode: SyncStatus = {
  ...atRest,
  lastFailure: { kind: 'network', status: 0, code: '', message: 'The engine was not loaded.' },
};

/**
 * An engine that is loaded by the first call for it. Where its code does not come, calls reject with
 * NotSavedError and the status says that the network failed; the next call loads again.
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
