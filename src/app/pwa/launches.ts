/**
 * A shortcut or a share while the app is open goes to the window there is (the manifest's
 * launch_handler): it is followed inside of the page, so that nothing is loaded anew under somebody
 * who is typing. Chromium's; elsewhere the browser opens the address itself.
 */

interface Launch {
  targetURL?: string | null;
}

declare global {
  interface Window {
    launchQueue?: { setConsumer(consumer: (launch: Launch) => void): void };
  }
}

/** The launch that opened this page has brought it there already. */
let isFirst = true;

/** Calls back with an address of the app for each launch, also those of before; the last caller counts. */
export function followLaunches(open: (address: string) => void): void {
  window.launchQueue?.setConsumer(({ targetURL }) => {
    const target = new URL(targetURL ?? '/', window.location.origin);
    const opened = performance.getEntriesByType('navigation')[0]?.name;
    const hasBrought = isFirst && target.href === opened;
    isFirst = false;
    // At the start, the app was only brought to the front: whoever is in the middle of something stays.
    if (hasBrought || target.origin !== window.location.origin || target.pathname === '/') return;
    open(`${target.pathname}${target.search}`);
  });
}
