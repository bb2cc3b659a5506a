/** When the engine wakes, and how a page detects that it was suspended. */
import type { SyncEngine } from '#sync/engine.ts';

export const pollMs = 60_000;

/** Wakes the engine when a sync may succeed; returns a stop function. */
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

/** Chromium drops broadcasts to suspended pages (frozen or in bfcache): they have to read again. */

const heartbeatMs = 5_000;
/** A longer gap between heartbeats means suspension. Hidden tabs may get one timer a minute. */
const suspendedMs = 20_000;

/** Calls back each time the page resumes after a suspension; returns a stop function. */
export function onWakeUp(callBack: () => void): () => void {
  const stopping = new AbortController();
  const { signal } = stopping;
  let lastHeartbeatMs = Date.now();
  let isDue = false;

  function check() {
    const nowMs = Date.now();
    if (nowMs - lastHeartbeatMs >= suspendedMs) isDue = true;
    lastHeartbeatMs = nowMs;
    // A hidden tab reads once it is visible.
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
