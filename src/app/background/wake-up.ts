/**
 * A tab that stood still (frozen by the browser, asleep in its cache of pages) has missed what the
 * others said meanwhile: Chromium throws away the messages for a page that does not run. Whatever
 * such a tab shows, it has to read again.
 */

const beatMs = 5_000;
/** Longer between two beats: it stood still. A hidden tab's timers may come once a minute. */
const stillMs = 20_000;

/** Calls back each time the page goes on after having stood still; returns what ends that. */
export function onWakeUp(callBack: () => void): () => void {
  const stopping = new AbortController();
  const { signal } = stopping;
  let lastBeatMs = Date.now();
  let isDue = false;

  function look() {
    const nowMs = Date.now();
    if (nowMs - lastBeatMs >= stillMs) isDue = true;
    lastBeatMs = nowMs;
    // Nobody sees a hidden tab; it reads when it is looked at.
    if (!isDue || document.visibilityState === 'hidden') return;
    isDue = false;
    callBack();
  }

  function wake() {
    isDue = true;
    look();
  }

  const timer = setInterval(look, beatMs);
  document.addEventListener('visibilitychange', look, { signal });
  document.addEventListener('resume', wake, { signal });
  window.addEventListener('pageshow', ({ persisted }) => persisted && wake(), { signal });
  return () => {
    stopping.abort();
    clearInterval(timer);
  };
}
