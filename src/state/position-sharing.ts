/** Whether this device shares where its courier is. Off until they switch it on; outlives the session. */
import { atom } from 'jotai';
import { safeLocalStorage } from './safe-storage.ts';

const key = 'positionSharer';
const read = () => safeLocalStorage.getItem(key) ?? '';

const sharerAtom = atom(read());
/** It may be switched off in another tab, also while this one is suspended. */
sharerAtom.onMount = (set) => {
  const stopping = new AbortController();
  const { signal } = stopping;
  const look = () => set(read());
  window.addEventListener('storage', look, { signal });
  window.addEventListener('pageshow', look, { signal });
  document.addEventListener('visibilitychange', look, { signal });
  look();
  return () => stopping.abort();
};

/** The id of the courier who switched it on here, so that it is off for the next one; '': none. */
export const positionSharerAtom = atom(
  (get) => get(sharerAtom),
  (_, set, userId: string) => {
    if (userId === '') safeLocalStorage.removeItem(key);
    else safeLocalStorage.setItem(key, userId);
    set(sharerAtom, userId);
  },
);
