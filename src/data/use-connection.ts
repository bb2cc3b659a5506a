import { useSyncExternalStore } from 'react';
import { readLastPulledAt } from '#db/queries.ts';
import type { SyncStatus } from '#sync/engine.ts';
import { useSignedIn } from './services.ts';
import { useLive } from './use-live.ts';

export function useSyncStatus(): SyncStatus {
  const { engine } = useSignedIn();
  return useSyncExternalStore(engine.subscribe, engine.status);
}

/** ISO 8601; null: never pulled; undefined while loading. */
export function useLastPulledAt(): string | null | undefined {
  const { db } = useSignedIn();
  return useLive(db.name, () => readLastPulledAt(db));
}
