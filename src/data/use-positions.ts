/** Shared positions of couriers, for dispatchers: polled every half minute while shown. */

import { useSyncExternalStore } from 'react';
import { serverNow } from '#api/server-time.ts';
import { type CourierPosition, positionLifetimeMs } from '#contract/position.ts';
import { isCarryingAny } from '#domain/position.ts';
import { canSeePositions } from '#domain/user-policy.ts';
import { type SignedIn, useSignedIn } from './services.ts';
import { useActor } from './use-actor.ts';
import { usePackageStore } from './use-packages.ts';

type Api = Pick<SignedIn['api'], 'listPositions'>;
/** By courier. */
export type Positions = ReadonlyMap<string, CourierPosition>;

const everyMs = 30_000;
const none: Positions = new Map();

interface PositionStore {
  subscribe(listener: () => void): () => void;
  positions(): Positions;
}

export function createPositionStore(api: Api): PositionStore {
  const listeners = new Set<() => void>();
  let positions = none;
  let stop = () => {};

  function show(found: readonly CourierPosition[]): void {
    positions = new Map(found.map((one) => [one.courierId, one]));
    for (const listener of listeners) listener();
  }

  async function read(): Promise<void> {
    if (document.visibilityState !== 'visible') return;
    // The server has forgotten the others by now, also if it does not answer.
    const oldestMs = serverNow() - positionLifetimeMs;
    const lasting = [...positions.values()].filter(({ at }) => Date.parse(at) > oldestMs);
    if (lasting.length < positions.size) show(lasting);
    await api.listPositions().then(show, () => undefined);
  }

  function start(): void {
    const timer = setInterval(read, everyMs);
    document.addEventListener('visibilitychange', read);
    stop = () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', read);
    };
    void read();
  }

  return {
    positions: () => positions,
    subscribe(listener) {
      if (listeners.size === 0) start();
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) stop();
      };
    },
  };
}

/** One per session, so that several rows of a screen ask once. */
const stores = new WeakMap<Api, PositionStore>();

function storeOf(api: Api): PositionStore {
  const store = stores.get(api) ?? createPositionStore(api);
  stores.set(api, store);
  return store;
}

const noStore: PositionStore = { subscribe: () => () => undefined, positions: () => none };

/** Empty unless the reader is a dispatcher. */
export function usePositions(): Positions {
  const { api } = useSignedIn();
  const store = canSeePositions(useActor()).isAllowed ? storeOf(api) : noStore;
  return useSyncExternalStore(store.subscribe, store.positions);
}

/** Whether this user has a package in transit, as far as is known here. */
export function useIsCarrying(): boolean {
  const { id } = useSignedIn().userInfo;
  return usePackageStore(({ views }) => isCarryingAny(views, id));
}
