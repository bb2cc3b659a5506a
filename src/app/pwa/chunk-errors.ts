/**
 * A file of the app that a screen needs and that does not come. The page reloads for it once, where a
 * worker keeps the page: the browser may have stopped that worker in the middle, or another tab may
 * have taken an update. Elsewhere a reload may end at the browser's own page for 'no network'. What
 * comes of it reaches error-boundary.tsx; a part that no screen waits for (app/routes/deferred.tsx) does not.
 */

declare global {
  interface Window {
    /** index.html has it, since the file that is lost may be any. False: this page may not reload. */
    reloadOnce(): boolean;
  }
}

const lost = new WeakSet<object>();

/** From now on it is known which errors are of lost files. */
export function noteChunkErrors(): void {
  window.addEventListener('vite:preloadError', ({ payload }) => lost.add(payload));
}

export const isChunkError = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && lost.has(error);

/** True: the page is about to go. */
export const reloadForChunkError = (): boolean =>
  Boolean(navigator.serviceWorker?.controller) && window.reloadOnce();
