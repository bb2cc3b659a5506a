/** Background Sync tag: the browser wakes the service worker when the network returns. */
export const outboxSyncTag = 'kaya-outbox';

/** Shows `count` undone operations on the app's icon where supported; 0 clears it. */
export function showAppBadge(count: number): void {
  if (!('setAppBadge' in navigator)) return;
  // Some browsers reject if the app is not installed.
  navigator.setAppBadge(count).catch(() => undefined);
}
