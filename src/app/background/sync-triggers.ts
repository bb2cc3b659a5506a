import type { SyncEngine } from '#sync/engine.ts';

/** SPEC.md section 9: every 60 s while somebody can see the page. */
export const pollMs = 60_000;

/** Wakes the engine when trying may be worth it (DESIGN.md section 5, 9); returns what stops that. */
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
