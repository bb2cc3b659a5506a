/** When the first screen that can be used stands: what is not needed for it comes afterwards. */

let isShown = false;
let tell = () => {};
const shown = new Promise<void>((resolve) => {
  tell = resolve;
});

/** Said by whatever frames a screen (frame.tsx). */
export function markFirstScreen(): void {
  isShown = true;
  tell();
}

/**
 * Milliseconds since index.html was painted, as long as that is all that has been shown; 0 once a
 * screen has been, and where the browser does not say.
 */
export function paintedForMs(): number {
  const [paint] = isShown ? [] : performance.getEntriesByName('first-contentful-paint');
  return paint ? performance.now() - paint.startTime : 0;
}

/** However long the first screen takes, the rest does not wait for ever. */
const longestMs = 5_000;
/** And then not for longer than this on a page that is never idle. */
const longestIdleMs = 1_000;

/** Resolves once the first screen is on the glass and the page has nothing better to do. */
export async function afterFirstScreen(): Promise<void> {
  await Promise.race([shown, new Promise((resolve) => setTimeout(resolve, longestMs))]);
  // A page that nobody sees paints nothing.
  if (document.visibilityState === 'hidden') return;
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)));
  // Safari has no idle time.
  if (typeof requestIdleCallback === 'undefined') return;
  await new Promise((resolve) => requestIdleCallback(resolve, { timeout: longestIdleMs }));
}
