/** Real touch input, which pages handle differently from a mouse. */
import type { Locator, Page } from '@playwright/test';

/** Returns a drag by a finger, vertically from the element's center; negative is up, 0 a tap. */
export async function fingerOn(page: Page) {
  const session = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x: number, y: number) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: type === 'touchEnd' ? [] : [{ x, y }],
    });
  return async (from: Locator, distancePx: number) => {
    const box = await from.boundingBox();
    if (!box) throw new Error('There is nothing to touch.');
    const x = box.x + box.width / 2;
    const y = box.y + box.height / 2;
    await touch('touchStart', x, y);
    const steps = Math.ceil(Math.abs(distancePx) / 10);
    for (let step = 1; step <= steps; step += 1) {
      await touch('touchMove', x, y + (distancePx * step) / steps);
    }
    await touch('touchEnd', x, y + distancePx);
    // No finger is back before the page's timers have run.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
  };
}
