/** When the engine is woken, and how a page notices that it had stood still. */
import type { SyncEngine } from '#sync/engine.ts';

/** While the page is visible. */
export const pollMs = 60_000;

/** Wakes the engine when trying may be worth it; returns what stops that. */
export function startTriggers(engine: Pick<SyncEngine, 'request'>): () => void {
  const stopping = new AbortController();
  const { signal } = stopping;
  const isVisible = () => document.visibilityState === 'visible';
  window.addEventListener('focus', () => engine.request('focus'), { signal });
  window.addEventListener('online', () => engine.request('online'), { signal });
  document.addEventListener(
    'visibilitychange',
    () => {
      if (isVisible()) engine.request('visible');
    },
    { signal },
  );
  const timer = setInterval(() => {
    if (isVisible()) engine.request('timer');
  }, pollMs);
  return () => {
    stopping.abort();
    clearInterval(timer);
  };
}

/**
 * A tab that stood still (frozen by the browser, asleep in its cache of pages) has missed what the
 * others said meanwhile: Chromium throws away the messages for a page that does not run. Whatever
 * such a tab shows, it has to read again.
 */

const heartbeatMs = 5_000;
/** Longer between two heartbeats: it stood still. A hidden tab's timers may come once a minute. */
const stillMs = 20_000;

/** Calls back each time the page goes on after having stood still; returns what ends that. */
export function onWakeUp(callBack: () => void): () => void {
  const stopping = new AbortController();
  const { signal } = stopping;
  let lastHeartbeatMs = Date.now();
  let isDue = false;

  function check() {
    const nowMs = Date.now();
    if (nowMs - lastHeartbeatMs >= stillMs) isDue = true;
    lastHeartbeatMs = nowMs;
    // Nobody sees a hidden tab; it reads when it is looked at.
    if (!isDue || document.visibilityState === 'hidden') return;
    isDue = false;
    callBack();
  }

  function wake() {
    isDue = true;
    check();
  }

  const timer = setInterval(check, heartbeatMs);
  document.addEventListener('visibilitychange', check, { signal });
  document.addEventListener('resume', wake, { signal });
  window.addEventListener('pageshow', ({ persisted }) => persisted && wake(), { signal });
  return () => {
    stopping.abort();
    clearInterval(timer);
  };
}
