/** The outbox while no page is open: what page and service worker share. */

/** Background Sync: the browser wakes the service worker for this tag when it finds a network. */
export const outboxSyncTag = 'kaya-outbox';

/** The number on the app's icon, where the browser shows one: `count` of what is not done; 0 clears it. */
export function showAppBadge(count: number): void {
  if (!('setAppBadge' in navigator)) return;
  // An app that is not installed has no icon, which some browsers call an error.
  navigator.setAppBadge(count).catch(() => undefined);
}
