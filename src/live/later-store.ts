/**
 * A package store whose code, and whatever it reads by, comes once somebody listens to it: the first
 * screen stands before any package has been read.
 */
import type { PackageStore, StoreState } from './package-store.ts';

const nothingYet: StoreState = {
  ...{ views: undefined, operations: undefined, isWhole: false, failure: null },
};

/** `load` is called again after it has rejected, by whoever listens or looks next. */
export function createLaterStore(load: () => Promise<PackageStore>): PackageStore {
  const listeners = new Set<() => void>();
  const looked = new Set<string>();
  let store: PackageStore | null = null;
  let loading: Promise<void> | null = null;
  let isClosed = false;

  const tell = () => {
    for (const listener of [...listeners]) listener();
  };

  async function bring(): Promise<void> {
    try {
      const loaded = await load();
      if (isClosed) return loaded.close();
      store = loaded;
      loaded.subscribe(tell);
      for (const id of looked) loaded.look(id);
      tell();
    } catch {
      loading = null;
    }
  }

  function whole(): Promise<void> {
    if (!isClosed) loading ??= bring();
    return loading ?? Promise.resolve();
  }

  return {
    subscribe(listener) {
      listeners.add(listener);
      void whole();
      return () => listeners.delete(listener);
    },
    state: () => store?.state() ?? nothingYet,
    view: (id) => store?.view(id),
    row: (id) => store?.row(id),
    look(id) {
      if (store) return store.look(id);
      looked.add(id);
      void whole();
    },
    async settled() {
      await whole();
      await store?.settled();
    },
    close() {
      isClosed = true;
      listeners.clear();
      store?.close();
    },
  };
}
