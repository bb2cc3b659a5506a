/** Real touch input, which pages handle differently from a mouse. */
import type { CDPSession, Locator, Page } from '@playwright/test';

export class Finger {
  private constructor(private readonly session: CDPSession) {}

  static async on(page: Page): Promise<Finger> {
    return new Finger(await page.context().newCDPSession(page));
  }

  async tap(on: Locator): Promise<void> {
    await this.drag(on, 0);
  }

  /** Vertically through the element's center; negative is up. */
  async drag(from: Locator, distancePx: number): Promise<void> {
    const box = await from.boundingBox();
    if (!box) throw new Error('There is nothing to touch.');
    const x = box.x + box.width / 2;
    const y = box.y + box.height / 2;
    await this.touch('touchStart', [{ x, y }]);
    const steps = Math.ceil(Math.abs(distancePx) / 10);
    for (let step = 1; step <= steps; step += 1) {
      await this.touch('touchMove', [{ x, y: y + (distancePx * step) / steps }]);
    }
    await this.touch('touchEnd', []);
  }

  private async touch(
    type: 'touchStart' | 'touchMove' | 'touchEnd',
    touchPoints: { x: number; y: number }[],
  ): Promise<void> {
    await this.session.send('Input.dispatchTouchEvent', { type, touchPoints });
  }
}
