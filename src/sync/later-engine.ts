/**
 * An engine whose code comes after the first screen: the same promises from the first moment on.
 * What is asked of it brings it; where its code does not come, nothing was done, and it says so.
 */
import type { SyncEngine, SyncEvent, SyncStatus } from './engine.ts';
import { NotSavedError } from './not-saved-error.ts';

type Listener = (event: SyncEvent) => void;

const atRest: SyncStatus = {
  ...{ phase: 'idle', lastFailure: null, isPaused: false, progress: null },
  sending: [],
};

/** `load` is called again after it has rejected. */
export function createLaterEngine(load: () => Promise<SyncEngine>): SyncEngine {
  /** With what ends each one's hearing, once there is something to hear. */
  const listeners = new Map<Listener, () => void>();
  let engine: SyncEngine | null = null;
  let loading: Promise<SyncEngine> | null = null;
  let isStopped = false;

  async function bring(): Promise<SyncEngine> {
    try {
      const loaded = await load();
      for (const listener of listeners.keys()) {
        listeners.set(listener, loaded.subscribe(listener));
      }
      if (isStopped) await loaded.stop();
      engine = loaded;
      return loaded;
    } catch (cause) {
      loading = null;
      throw cause;
    }
  }

  const whole = () => {
    loading ??= bring();
    return loading;
  };

  /** For what a person decides, which is saved or is said not to be. */
  async function toSave(): Promise<SyncEngine> {
    try {
      return await whole();
    } catch (cause) {
      throw new NotSavedError(cause);
    }
  }

  return {
    enqueue: async (intent) => (await toSave()).enqueue(intent),
    request(reason) {
      if (engine) return engine.request(reason);
      if (isStopped) return;
      // The next hint tries again.
      whole().then(
        (loaded) => loaded.request(reason),
        () => undefined,
      );
    },
    retry: async (operationId) => (await toSave()).retry(operationId),
    discard: async (operationId) => (await toSave()).discard(operationId),
    replace: async (operationId, intent) => (await toSave()).replace(operationId, intent),
    giveWay: async (operationId) => (await toSave()).giveWay(operationId),
    withdraw: async (operationId) => (await toSave()).withdraw(operationId),
    discardQuarantined: async (seq) => (await toSave()).discardQuarantined(seq),
    drain: async () => (await whole()).drain(),
    subscribe(listener) {
      listeners.set(listener, engine?.subscribe(listener) ?? (() => undefined));
      return () => {
        listeners.get(listener)?.();
        listeners.delete(listener);
      };
    },
    status: () => engine?.status() ?? atRest,
    async stop() {
      isStopped = true;
      // Where it never came, nothing runs.
      await loading?.then((loaded) => loaded.stop()).catch(() => undefined);
    },
  };
}
