/** Layout measurements, and axe. */
import AxeBuilder from '@axe-core/playwright';
import type { Locator, Page } from '@playwright/test';

/** Texts in `main` that end to the right of it, where the frame cuts them off. */
export function sticksOut(page: Page): Promise<string[]> {
  return page.locator('main').evaluate((main) => {
    const edge = main.getBoundingClientRect().right + 1;
    // In a text that ends in an ellipsis.
    const isWithin = (element: Element): boolean => {
      const parent = element.parentElement;
      if (!parent || parent === main) return false;
      const isCut = getComputedStyle(parent).textOverflow === 'ellipsis';
      return (isCut && parent.getBoundingClientRect().right <= edge + 1) || isWithin(parent);
    };
    return [...main.querySelectorAll('*')]
      .filter((element) => element.checkVisibility() && !element.closest('.visually-hidden'))
      .filter((element) => element.getBoundingClientRect().right > edge)
      .filter((element) => !isWithin(element) && !element.parentElement?.closest('svg'))
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

// Otherwise every check would open and close a page of its own.
const axeOf = (page: Page) => new AxeBuilder({ page }).setLegacyMode(true);

/** Whether a target is too small where it is in full view; a sticky header may cover a part of it. */
async function isSmallInView(page: Page, selector: string): Promise<boolean> {
  await page.locator(selector).evaluate((element) => element.scrollIntoView({ block: 'center' }));
  const { violations } = await axeOf(page).include(selector).withRules(['target-size']).analyze();
  return violations.length > 0;
}

/** One line per violation of these rules, by default all, with location and reason. */
export async function axeComplaints(page: Page, tags?: string[]): Promise<string[]> {
  const axe = axeOf(page);
  if (tags) axe.withTags(tags);
  const { violations } = await axe.analyze();
  const complaints: string[] = [];
  for (const { id, nodes } of violations) {
    for (const { target, failureSummary = '' } of nodes) {
      const place = target.join(' ');
      if (id === 'target-size' && !(await isSmallInView(page, place))) continue;
      const [, ...why] = failureSummary.split('\n');
      complaints.push(`${id} at ${place}: ${why.join(' ').trim()}`);
    }
  }
  return complaints;
}

/** What can be pressed and is smaller than a thumb needs; links within a sentence may be. */
export function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const modal = document.querySelector('dialog:modal');
    const isShown = (element: Element) =>
      element.checkVisibility({ visibilityProperty: true }) &&
      !element.closest('[inert]') &&
      (!modal || modal.contains(element));
    const isInSentence = (element: Element) =>
      getComputedStyle(element).display === 'inline' && element.parentElement?.localName === 'p';
    return [...document.querySelectorAll('#root :is(a[href], button, input, select, summary)')]
      .filter((element) => isShown(element) && !isInSentence(element))
      .filter((element) => !element.closest('.visually-hidden, [class*=maplibregl]'))
      .flatMap((element) => {
        const target = element.closest('label') ?? element;
        const { width, height, left, bottom } = target.getBoundingClientRect();
        // Half a pixel is rounding.
        if (Math.min(width, height) >= 47.5) return [];
        // What it looks like may be smaller than what takes the press.
        const above = document.elementFromPoint(left + width / 2, bottom - 47);
        if (width >= 47.5 && above && target.contains(above)) return [];
        return [`${Math.round(width)}×${Math.round(height)}: ${element.outerHTML.slice(0, 100)}`];
      });
  });
}

/** Words of a usual length that are broken over two lines, or cut off without an ellipsis. */
export function brokenWords(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const longestWord = 12;
    const broken: string[] = [];
    const walker = document.createTreeWalker(
      document.querySelector('#root') ?? document.body,
      NodeFilter.SHOW_TEXT,
    );
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement;
      if (!parent?.checkVisibility({ visibilityProperty: true })) continue;
      if (parent.closest('.visually-hidden, [inert]')) continue;
      // At hyphens and slashes a break is no fault; an address has no words.
      for (const { 0: word, index } of (node.textContent ?? '').matchAll(/[^\s/-]+/gu)) {
        if (word.length > longestWord || /@|\w\.\w/.test(word)) continue;
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const tops = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        if (tops.size > 1) broken.push(`${word} in ${node.textContent?.trim().slice(0, 60)}`);
      }
    }
    return broken;
  });
}
