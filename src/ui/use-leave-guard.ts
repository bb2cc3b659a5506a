/**
 * Asks before the user leaves a form with unsaved changes, by Back (Android's gesture) or a button.
 *
 *   form ──Back──▶ previous entry ──history.go forward──▶ form, asking
 *                                              stay ◀──┴──▶ leave
 *
 * Invariant: the router sees neither step, so the form stays mounted. Leaving the app's own entries
 * cannot be blocked, so drafts must also be saved.
 */
import { useLayoutEffect, useRef, useState } from 'react';
import { holdBack, placeInHistory } from './popstate-guard.ts';

/** The screen's own index: overlays (use-back-closes) push entries above it. */
const screenPlace = (): number => placeInHistory() - (history.state?.overlays?.length ?? 0);

export interface LeaveGuard {
  isAsking: boolean;
  /** Calls `go` now, or asks first. */
  request(go: () => void): void;
  stay(): void;
  /** Call while asking; runs `go` once the question's history entry is gone. */
  leave(go: () => void): void;
}

export function useLeaveGuard(isDirty: boolean): LeaveGuard {
  const [isAsking, setIsAsking] = useState(false);
  const isFree = useRef(false);
  // Before the next event: a Back right after the first letter is asked about as well.
  useLayoutEffect(() => {
    if (!isDirty) return;
    // A dialog may make the form dirty while its history entry is still being removed.
    return holdBack(
      screenPlace(),
      () => setIsAsking(true),
      () => isFree.current,
    );
  }, [isDirty]);
  return {
    isAsking,
    request: (go) => {
      if (isDirty) setIsAsking(true);
      else go();
    },
    stay: () => setIsAsking(false),
    leave: (go) => {
      isFree.current = true;
      // The question's history entry goes first; browsers may merge two steps made together.
      window.addEventListener('popstate', () => go(), { once: true });
      setIsAsking(false);
    },
  };
}
