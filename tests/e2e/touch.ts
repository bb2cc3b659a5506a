/** Real touch input, which pages handle differently from a mouse. */
import type { Locator, Page } from '@playwright/test';

const stepMs = 16;
/** Before it is lifted: else the browser flings, and swallows a tap that follows. */
const pauseMs = 200;

/** Returns a drag by a finger, vertically from the element's center; negative is up, 0 a tap. */
export async function fingerOn(page: Page) {
  const session = await page.context().newCDPSession(page);
  const touch = (
    type: 'touchStart' | 'touchMove' | 'touchEnd',
    { x, y, atMs }: { x: number; y: number; atMs: number },
  ) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: type === 'touchEnd' ? [] : [{ x, y }],
      timestamp: atMs / 1000,
    });
  return async (from: Locator, distancePx: number) => {
    const box = await from.boundingBox();
    if (!box) throw new Error('There is nothing to touch.');
    const x = box.x + box.width / 2;
    const y = box.y + box.height / 2;
    const steps = Math.ceil(Math.abs(distancePx) / 10);
    const restMs = steps > 0 ? pauseMs : 0;
    let atMs = Date.now() - steps * stepMs - restMs;
    await touch('touchStart', { x, y, atMs });
    for (let step = 1; step <= steps; step += 1) {
      atMs += stepMs;
      await touch('touchMove', { x, y: y + (distancePx * step) / steps, atMs });
    }
    await touch('touchEnd', { x, y: y + distancePx, atMs: atMs + restMs });
    // No finger is back before the page's timers have run.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
  };
}
