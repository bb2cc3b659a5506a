/** Shares where this courier is while the page is visible and they carry something. */
import type { SignedIn } from '#data/services.ts';
import { systemClock } from '#db/clock.ts';
import { isCarryingAny } from '#domain/position.ts';
import { createPositionSender } from './position-sender.ts';

interface Needs extends Pick<SignedIn, 'api' | 'packages'> {
  userId: string;
  onDenied(): void;
}

/** Returns a function that stops it; `isForgotten`: the server deletes the place immediately. */
export function startPositionSharing({
  api,
  packages,
  userId,
  onDenied,
}: Needs): (isForgotten: boolean) => void {
  if (!('geolocation' in navigator)) return () => undefined;
  const sender = createPositionSender({
    put: api.putPosition,
    geolocation: navigator.geolocation,
    // The phone's clock may be set back.
    clock: { ...systemClock, now: () => performance.now() },
    onDenied,
  });
  const check = () => {
    const isVisible = document.visibilityState === 'visible';
    sender.setActive(isVisible && isCarryingAny(packages.state().views, userId));
  };
  const stopping = new AbortController();
  const { signal } = stopping;
  document.addEventListener('visibilitychange', check, { signal });
  // A page entering the back/forward cache still counts as visible.
  window.addEventListener('pagehide', () => sender.setActive(false), { signal });
  window.addEventListener('pageshow', check, { signal });
  const unsubscribe = packages.subscribe(check);
  check();
  return (isForgotten) => {
    stopping.abort();
    unsubscribe();
    const ending = sender.stop();
    // Without a network the server forgets it by itself, within ten minutes.
    if (isForgotten) void ending.then(api.deletePosition).catch(() => undefined);
  };
}
