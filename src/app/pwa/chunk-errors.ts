/**
 * Recovers from a screen's chunk that fails to load. The page reloads once, if a worker controls
 * it: the browser may have stopped that worker, or another tab may have taken an update. Without a
 * worker, a reload may end at the browser's offline page. Remaining failures reach
 * error-boundary.tsx; optional parts (`lazyPart` in app/routes/chunks.tsx) do not.
 */

declare global {
  interface Window {
    /**
     * Defined in index.html, because any other file may be the missing one. False: no reload
     * allowed.
     */
    reloadOnce(): boolean;
  }
}

const lost = new WeakSet<object>();

/** Records from now on which errors are failed chunk loads. */
export function noteChunkErrors(): void {
  window.addEventListener('vite:preloadError', ({ payload }) => lost.add(payload));
}

export const isChunkError = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && lost.has(error);

/** True if the page is about to reload. */
export const reloadForChunkError = (): boolean =>
  Boolean(navigator.serviceWorker?.controller) && window.reloadOnce();
