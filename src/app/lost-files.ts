/**
 * A file of the app that does not come when it is wanted. Where a worker has all of them, it was
 * stopped by the browser in the middle: one reload brings it back. Elsewhere a reload may end before
 * the browser's own page for 'no network'; there the screen that needs the file says so, with a button
 * (app/error-boundary.tsx). What fails before there is an app, index.html itself asks for again.
 */

/** Where it was last done: a file that is missing for good must not have a page reload for ever. */
const placeKey = 'reloadedAt';

/** How many loads are under way that no screen waits for. */
let spare = 0;

/** For what may as well stay away: a lost map must not reload the page under somebody who types. */
export async function loadSpare<Module>(load: () => Promise<Module>): Promise<Module> {
  spare += 1;
  try {
    return await load();
  } finally {
    spare -= 1;
  }
}

export function reloadForLostFiles(): void {
  window.addEventListener('vite:preloadError', () => {
    const { pathname } = window.location;
    // What is typed at the sign-in form is kept nowhere.
    if (spare > 0 || !navigator.serviceWorker?.controller || pathname === '/auth') return;
    try {
      if (sessionStorage.getItem(placeKey) === pathname) return;
      sessionStorage.setItem(placeKey, pathname);
      window.location.reload();
    } catch {
      // Without a storage there is no knowing whether it would be the first time.
    }
  });
  try {
    // The app has come: the next time that it does not is another one (index.html).
    sessionStorage.removeItem('begunAgain');
  } catch {
    // Then nothing was kept there either.
  }
}
