/**
 * The number on the app's icon, where the browser shows one: everything the server has not done
 * yet. Page and service worker both set it; 0 takes it away.
 */
export function showAppBadge(count: number): void {
  if (!('setAppBadge' in navigator)) return;
  // An app that is not installed has no icon, which some browsers call an error.
  navigator.setAppBadge(count).catch(() => undefined);
}
