/** When the page has nothing else to do: a map must delay no screen (DESIGN.md section 9). */

/** A worker that is not there by then is not to be waited for. */
const workerLimitMs = 20_000;

async function untilLoaded(): Promise<void> {
  if (document.readyState === 'complete') return;
  await new Promise((resolve) => window.addEventListener('load', resolve, { once: true }));
}

/**
 * On a first visit the worker fetches the map's files for the time without a network, and keeps the tiles
 * that go through it: with a map that came before it, a phone would pay for both twice.
 */
async function untilKept(): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  const { serviceWorker } = navigator;
  if (serviceWorker.controller) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, workerLimitMs);
    const taken = () => {
      clearTimeout(timer);
      resolve();
    };
    serviceWorker.addEventListener('controllerchange', taken, { once: true });
  });
}

async function untilIdle(): Promise<void> {
  await new Promise<void>((resolve) => {
    // Safari has none.
    if (!('requestIdleCallback' in window)) return setTimeout(resolve, 200);
    requestIdleCallback(() => resolve(), { timeout: 3000 });
  });
}

export async function untilCalm(): Promise<void> {
  await untilLoaded();
  await untilKept();
  await untilIdle();
}
