import type { SignedIn } from '#data/services.ts';
import { systemClock } from '#db/clock.ts';
import { createLocks } from '#sync/coordination/locks.ts';
import { createServerEvents } from '#sync/pull/server-events.ts';

/** Wakes the engine on server events while this tab is visible; returns a stop function. */
export function startChangeStream({
  api,
  engine,
  userId,
}: Pick<SignedIn, 'api' | 'engine'> & { userId: string }): () => void {
  const stopping = new AbortController();
  const { signal } = stopping;
  const events = createServerEvents({
    api,
    locks: createLocks(),
    clock: systemClock,
    random: Math.random,
    userId,
    onChange: () => engine.request('event'),
  });
  const check = () => events.setSeen(document.visibilityState === 'visible');
  document.addEventListener('visibilitychange', check, { signal });
  // A page entering the back/forward cache still counts as visible.
  window.addEventListener('pagehide', () => events.setSeen(false), { signal });
  window.addEventListener('pageshow', check, { signal });
  window.addEventListener('online', events.wake, { signal });
  window.addEventListener('focus', events.wake, { signal });
  check();
  return () => {
    stopping.abort();
    events.stop();
  };
}
