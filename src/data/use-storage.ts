import { useEffect, useState, useSyncExternalStore } from 'react';
import type { StorageFault } from '#db/failure.ts';
import { useSignedIn } from './services.ts';

/** What stands between the app and the phone's storage; null: nothing. */
export function useStorageFault(): StorageFault | null {
  const { storage } = useSignedIn().db;
  return useSyncExternalStore(storage.subscribe, storage.fault);
}

/**
 * Whether what is saved stays: `kept`; `mayBeCleared` by the browser when the phone is short of
 * space; `clearedAfterAWeek` without a visit (Safari on a phone, for what is not installed).
 */
export type Persistence = 'kept' | 'mayBeCleared' | 'clearedAfterAWeek';

/** Only Safari on iOS has the property; false: opened in the browser, not from the Home Screen. */
function isIosBrowser(): boolean {
  return 'standalone' in navigator && navigator.standalone === false;
}

/** Undefined while it is asked, and where the browser does not say. */
export function usePersistence(): Persistence | undefined {
  const [persistence, setPersistence] = useState<Persistence>();
  useEffect(() => {
    let isGone = false;
    if (isIosBrowser()) setPersistence('clearedAfterAWeek');
    else {
      navigator.storage?.persisted?.().then(
        (isKept) => {
          if (!isGone) setPersistence(isKept ? 'kept' : 'mayBeCleared');
        },
        () => undefined,
      );
    }
    return () => {
      isGone = true;
    };
  }, []);
  return persistence;
}
