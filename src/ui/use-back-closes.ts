/**
 * Makes the browser's Back (Android's gesture) close an overlay before it leaves the screen.
 *
 * An open overlay has its own history entry, with the router's index and the names of all open
 * overlays in its state. Invariant: closing an overlay another way also removes its entry, and
 * links inside replace it, so Back always has an effect, except after Forward onto such an entry.
 */
import { useEffect, useRef } from 'react';

interface EntryState {
  idx?: number;
  overlays?: string[];
}

function entry(): EntryState {
  return (history.state as EntryState | null) ?? {};
}

const openAt = (state: EntryState) => state.overlays ?? [];
const isOnTop = (name: string) => openAt(entry()).at(-1) === name;

/** `history.back()` is asynchronous; until it is done, `history.state` is the old entry's. */
let isLeaving = false;

function whenSettled(act: () => void): void {
  if (isLeaving) window.addEventListener('popstate', () => whenSettled(act), { once: true });
  else act();
}

function leave(): void {
  isLeaving = true;
  window.addEventListener(
    'popstate',
    () => {
      isLeaving = false;
    },
    { once: true },
  );
  history.back();
}

/** Closes the overlay as Back does. False: Back does not lead to its closing now. */
export function goBackOver(name: string): boolean {
  if (isLeaving || !isOnTop(name)) return false;
  leave();
  return true;
}

/** `name` is unique, and stable across reloads if the overlay can be open again after one. */
export function useBackCloses(name: string, isOpen: boolean, onClose: () => void): void {
  const close = useRef(onClose);
  close.current = onClose;
  const wanted = useRef(false);

  useEffect(() => {
    wanted.current = isOpen;
    const leaveEntry = () => {
      if (!wanted.current && isOnTop(name)) leave();
    };
    if (!isOpen) {
      // The page was reloaded while it was open.
      whenSettled(leaveEntry);
      return;
    }
    const closeIfLeft = () => {
      if (!openAt(entry()).includes(name)) close.current();
    };
    whenSettled(() => {
      if (!wanted.current) return;
      const state = entry();
      if (!openAt(state).includes(name)) {
        const overlays = [...openAt(state), name];
        history.pushState({ ...state, idx: (state.idx ?? 0) + 1, overlays }, '');
      }
      window.addEventListener('popstate', closeIfLeft);
    });
    return () => {
      window.removeEventListener('popstate', closeIfLeft);
      wanted.current = false;
      // Deferred: by then a navigation that closed it has pushed its own entry, and React's strict
      // mode has reopened it.
      queueMicrotask(() => whenSettled(leaveEntry));
    };
  }, [name, isOpen]);
}
