/**
 * A file of the app that does not come when it is wanted. Where a worker has all of them, it was
 * stopped by the browser in the middle: one reload brings it back. Elsewhere a reload may end before
 * the browser's own page for 'no network'; there the screen that needs the file says so, with a button
 * (app/error-boundary.tsx). What fails before there is an app, index.html itself asks for again.
 */

const lastKey = 'reloadedAt';
/** Not again within this time: a file that is missing for good must not have the page reload for ever. */
const pauseMs = 20_000;

export function reloadForLostFiles(): void {
  window.addEventListener('vite:preloadError', () => {
    if (!navigator.serviceWorker?.controller) return;
    try {
      if (Date.now() - Number(sessionStorage.getItem(lastKey)) < pauseMs) return;
      sessionStorage.setItem(lastKey, String(Date.now()));
      window.location.reload();
    } catch {
      // Without a storage there is no knowing whether it would be the first time.
    }
  });
}
