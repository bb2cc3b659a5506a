import { lazyProxy } from '#domain/lazy-proxy.ts';
import type { PackageStore, StoreState } from './package-store.ts';

const emptyState: StoreState = {
  views: undefined,
  operations: undefined,
  isWhole: false,
  failure: null,
};

/** Loads the package store on first use; after a failed load the next use retries. */
export function createLazyStore(load: () => Promise<PackageStore>): PackageStore {
  const listeners = new Set<() => void>();
  const looked = new Set<string>();
  let isClosed = false;

  const notify = () => {
    for (const listener of [...listeners]) listener();
  };

  const { proxy, bring } = lazyProxy(
    async () => {
      const store = await load();
      if (isClosed) store.close();
      store.subscribe(notify);
      for (const id of looked) store.look(id);
      return store;
    },
    {
      subscribe(listener) {
        listeners.add(listener);
        begin();
        return () => listeners.delete(listener);
      },
      state: () => emptyState,
      view: () => undefined,
      row: () => undefined,
      look(id) {
        looked.add(id);
        begin();
      },
      close() {
        isClosed = true;
        listeners.clear();
      },
    },
  );

  function begin() {
    if (!isClosed) bring().then(notify, () => undefined);
  }

  return proxy;
}
