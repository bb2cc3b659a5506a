/** Layout measurements, and axe. */
import AxeBuilder from '@axe-core/playwright';
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

/** One line per violation of these rules, by default all, with location and reason. */
export async function axeComplaints(page: Page, tags?: string[]): Promise<string[]> {
  const axe = new AxeBuilder({ page });
  if (tags) axe.withTags(tags);
  // Otherwise every check would open and close a page of its own.
  const { violations } = await axe.setLegacyMode(true).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary = '' }) => {
      const [, ...why] = failureSummary.split('\n');
      return `${id} at ${target.join(' ')}: ${why.join(' ').trim()}`;
    }),
  );
}
