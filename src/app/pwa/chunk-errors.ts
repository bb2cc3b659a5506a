/**
 * Reloads once for a screen's chunk that fails to load, if a worker controls the page: it may have
 * been stopped or replaced. Without one, a reload may end at the browser's offline page. Other
 * failures reach error-boundary.tsx, but not those of optional parts (`lazyPart`).
 */

declare global {
  interface Window {
    /** In index.html, because any other file may be the missing one. False: no reload allowed. */
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
