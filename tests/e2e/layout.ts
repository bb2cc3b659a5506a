/** Layout measurements. */
import type { Locator } from '@playwright/test';

/** The number of lines of a text. */
export async function linesOf(text: Locator): Promise<number> {
  const lines = await text.evaluate((element) => {
    const { lineHeight } = getComputedStyle(element);
    return element.getBoundingClientRect().height / Number.parseFloat(lineHeight);
  });
  return Math.round(lines);
}
