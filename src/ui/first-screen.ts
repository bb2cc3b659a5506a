/** Tracks when the first usable screen is rendered, so that other work can wait for it. */

let isShown = false;
let tell = () => {};
const shown = new Promise<void>((resolve) => {
  tell = resolve;
});

export function markFirstScreen(): void {
  isShown = true;
  tell();
}

/**
 * Milliseconds since the splash of index.html was painted; 0 once a screen is shown, or if the
 * browser does not report paints.
 */
export function paintedForMs(): number {
  const [paint] = isShown ? [] : performance.getEntriesByName('first-contentful-paint');
  return paint ? performance.now() - paint.startTime : 0;
}

/** Upper bound on the wait for the first screen. */
const longestMs = 5_000;
/** Then the upper bound on the wait for an idle page. */
const longestIdleMs = 1_000;

/** Resolves once the first screen is painted and the page is idle. */
export async function afterFirstScreen(): Promise<void> {
  await Promise.race([shown, new Promise((resolve) => setTimeout(resolve, longestMs))]);
  // A hidden page does not paint.
  if (document.visibilityState === 'hidden') return;
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)));
  // Safari lacks requestIdleCallback.
  if (typeof requestIdleCallback === 'undefined') return;
  await new Promise((resolve) => requestIdleCallback(resolve, { timeout: longestIdleMs }));
}
