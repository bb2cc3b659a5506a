/**
 * Opens shortcuts and shares inside the running page (the manifest's launch_handler), so that no
 * reload loses what the user is typing. Chromium only.
 */

interface Launch {
  targetURL?: string | null;
}

declare global {
  interface Window {
    launchQueue?: { setConsumer(consumer: (launch: Launch) => void): void };
  }
}

/** The first launch is the one that opened this page: its address is loaded already. */
let isFirst = true;

/** Calls back with the app address of each launch, including queued ones. The last caller wins. */
export function followLaunches(open: (address: string) => void): void {
  window.launchQueue?.setConsumer(({ targetURL }) => {
    const target = new URL(targetURL ?? '/', window.location.origin);
    const opened = performance.getEntriesByType('navigation')[0]?.name;
    const hasBrought = isFirst && target.href === opened;
    isFirst = false;
    // A launch at `/` only focuses the app: the user stays where they are.
    if (hasBrought || target.origin !== window.location.origin || target.pathname === '/') return;
    // A recipient's page is the server's; the router has no such screen.
    if (target.pathname.startsWith('/t/')) return window.location.assign(target);
    open(`${target.pathname}${target.search}${target.hash}`);
  });
}
