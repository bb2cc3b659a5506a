/** How what is on the screen is laid out. */
import type { Locator } from '@playwright/test';

/** On how many lines a text stands. */
export async function linesOf(text: Locator): Promise<number> {
  const lines = await text.evaluate((element) => {
    const { lineHeight } = getComputedStyle(element);
    return element.getBoundingClientRect().height / Number.parseFloat(lineHeight);
  });
  return Math.round(lines);
}
