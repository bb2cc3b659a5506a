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
