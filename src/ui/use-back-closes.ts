/**
 * The browser's Back (Android's gesture) closes what lies over the screen, and only then leaves it.
 *
 * What is open has a history entry of its own, numbered as the router numbers its entries, with the
 * names of all that is open in its state. Invariant: closed in another way, it takes its entry along;
 * links inside replace it. So no Back is without effect, but one after a Forward onto such an entry.
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

/** `history.back()` takes its time; until it is done the state read here is that of the old entry. */
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

/** `name` is stable over reloads for what can be open again, and one of a kind. */
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
      // Loaded anew while it was open.
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
      // Later: a navigation that closed it has by then put its own entry here, and React's strict
      // mode has opened it again.
      queueMicrotask(() => whenSettled(leaveEntry));
    };
  }, [name, isOpen]);
}
