/**
 * Asks before a form is left with something unsaved in it, whichever way: by the browser's Back
 * (Android's gesture) or by a button of ours.
 *
 *   at the form ──Back──▶ the entry before ──go forward again──▶ at the form, asking
 *                                                       stay ◀──┴──▶ leave, unhindered
 *
 * Invariant: the router hears of neither step, so the form stays as it is. Beyond the app's own
 * entries nothing is held: what is typed must be kept in another way too.
 */
import { useEffect, useRef, useState } from 'react';
import { guardPopstate } from './popstate-guard.ts';

/** The router numbers the entries of its own history in their state. */
const place = (): number => history.state?.idx ?? 0;

/** That of the screen itself: what is open over it (use-back-closes) has entries above it. */
const screenPlace = (): number => place() - (history.state?.overlays?.length ?? 0);

export interface LeaveGuard {
  isAsking: boolean;
  /** Goes, or asks first. */
  request(go: () => void): void;
  stay(): void;
  /** To be called while asking; goes where it was asked to, once the question is off the history. */
  leave(go: () => void): void;
}

export function useLeaveGuard(isDirty: boolean): LeaveGuard {
  const [isAsking, setIsAsking] = useState(false);
  const isFree = useRef(false);
  useEffect(() => {
    if (!isDirty) return;
    // A form may get dirty by what is picked in a dialog, whose entry is on its way out then.
    const own = screenPlace();
    let isReturning = false;
    const hold = (event: PopStateEvent) => {
      const at = place();
      if (isFree.current) return;
      if (isReturning && at === own) {
        isReturning = false;
        event.stopImmediatePropagation();
        setIsAsking(true);
      } else if (at < own) {
        isReturning = true;
        event.stopImmediatePropagation();
        history.go(own - at);
      }
    };
    return guardPopstate(hold);
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
      // The question has an entry of its own, which goes with it; two steps at once may become one.
      window.addEventListener('popstate', () => go(), { once: true });
      setIsAsking(false);
    },
  };
}
