import { useEffect, useState, useSyncExternalStore } from 'react';
import type { StorageFault } from '#db/storage-fault.ts';
import { useSignedIn } from './services.ts';

/** Null: no fault. */
export function useStorageFault(): StorageFault | null {
  const { storage } = useSignedIn().db;
  return useSyncExternalStore(storage.subscribe, storage.fault);
}

/** `mayBeCleared` if space is low; `clearedAfterAWeek` without a visit (iOS, not installed). */
export type Persistence = 'kept' | 'mayBeCleared' | 'clearedAfterAWeek';

/** Only iOS Safari has `navigator.standalone`; false: not opened from the Home Screen. */
function isIosBrowser(): boolean {
  return 'standalone' in navigator && navigator.standalone === false;
}

/** Undefined while unknown, or if the browser does not say. */
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
