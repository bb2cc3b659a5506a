import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
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

/** However slow the network is: then the line that says so is enough. */
const longestMs = 10_000;

/**
 * Asks the engine for everything now, for a user who does not want to wait for its timer.
 * `onEnd`: whether the server answered.
 */
export function useRefresh(onEnd: (isAnswered: boolean) => void) {
  const { engine } = useSignedIn();
  const [isBusy, setIsBusy] = useState(false);
  const stop = useRef(() => {});
  const end = useRef(onEnd);
  end.current = onEnd;
  useEffect(() => () => stop.current(), []);
  const refresh = useCallback(() => {
    stop.current();
    setIsBusy(true);
    let hasBegun = false;
    const finish = () => {
      stop.current();
      setIsBusy(false);
      end.current(engine.status().lastFailure === null);
    };
    const unsubscribe = engine.subscribe((event) => {
      if (event.kind !== 'status') return;
      if (event.status.phase !== 'idle') hasBegun = true;
      else if (hasBegun) finish();
    });
    const timer = setTimeout(finish, longestMs);
    stop.current = () => {
      unsubscribe();
      clearTimeout(timer);
    };
    engine.request('retry');
  }, [engine]);
  return { isBusy, refresh };
}
