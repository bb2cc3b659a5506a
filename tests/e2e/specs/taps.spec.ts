/**
 * What each role does most, counted in taps and scrolls on a small phone, from Home. `before` was
 * measured by the same thumb on the app as it was before its screens led (docs/design.md).
 */
import type { Locator, Page } from '@playwright/test';
import { expect, test } from '#tests/e2e/kaya.ts';

test.use({ viewport: { width: 360, height: 740 } });

/** Counts as a person does: a tap each, and a swipe of most of a screen until the target shows. */
class Thumb {
  taps = 0;
  scrolls = 0;

  constructor(private readonly page: Page) {}

  async see(target: Locator): Promise<void> {
    await target.waitFor({ state: 'attached' });
    for (;;) {
      const away = await target.evaluate((element) => {
        const { top, bottom } = element.getBoundingClientRect();
        const height = window.innerHeight;
        // Behind a bar or the tabs it cannot be pressed.
        const y = (top + bottom) / 2;
        const above = document.elementFromPoint(element.getBoundingClientRect().left + 8, y);
        if (y < 0) return -1;
        if (y > height || !above) return 1;
        return element.contains(above) || above.contains(element) ? 0 : y > height / 2 ? 1 : -1;
      });
      if (away === 0) return;
      this.scrolls += 1;
      if (this.scrolls > 20) throw new Error('Never came into view.');
      await this.page.mouse.move(180, 400);
      await this.page.mouse.wheel(0, away * 450);
      await this.page.evaluate(() => new Promise((done) => requestAnimationFrame(done)));
    }
  }

  async tap(target: Locator): Promise<void> {
    await this.see(target);
    this.taps += 1;
    await target.click();
  }
}

interface Effort {
  taps: number;
  scrolls: number;
}

const total = ({ taps, scrolls }: Effort) => taps + scrolls;

/** No more than before, or at most half of it. */
function expectLess(thumb: Thumb, [taps, scrolls]: readonly [number, number], isHalf = false) {
  const before = { taps, scrolls };
  test.info().annotations.push({
    type: 'effort',
    description: `${thumb.taps} taps, ${thumb.scrolls} scrolls; before ${taps} and ${scrolls}`,
  });
  expect(total(thumb)).toBeLessThanOrEqual(isHalf ? total(before) / 2 : total(before));
}
