/** Layout measurements. */
import type { Locator, Page } from '@playwright/test';

/** Texts in `main` that end to the right of it, where the frame cuts them off. */
export function sticksOut(page: Page): Promise<string[]> {
  return page.locator('main').evaluate((main) => {
    const edge = main.getBoundingClientRect().right + 1;
    return [...main.querySelectorAll('*')]
      .filter((element) => element.checkVisibility() && !element.closest('.visually-hidden'))
      .filter((element) => element.getBoundingClientRect().right > edge)
      .map((element) => element.outerHTML.slice(0, 100));
  });
}

/** The number of lines of a text. */
export async function linesOf(text: Locator): Promise<number> {
  const lines = await text.evaluate((element) => {
    const { lineHeight } = getComputedStyle(element);
    return element.getBoundingClientRect().height / Number.parseFloat(lineHeight);
  });
  return Math.round(lines);
}
