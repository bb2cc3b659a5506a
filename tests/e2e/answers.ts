/** What a page has been answered since it was last loaded, and what of the app is there by that. */
import { expect, type Page } from '@playwright/test';

const answers = new WeakMap<Page, string[]>();

export function noteAnswers(page: Page) {
  page.on('request', (request) => {
    if (request.isNavigationRequest()) answers.set(page, []);
  });
  page.on('response', (response) => answers.get(page)?.push(response.url()));
}

async function untilAnswered(page: Page, parts: readonly string[]): Promise<void> {
  for (const part of parts) {
    const isThere = () => answers.get(page)?.some((url) => url.includes(part));
    await expect.poll(isThere, part).toBe(true);
  }
}

/**
 * What comes by itself behind a screen has come: from here on the browser has all of it, whatever
 * becomes of the network.
 */
export const untilWhole = (page: Page): Promise<void> =>
  untilAnswered(page, ['background-tasks', '/engine-', 'status-lines', 'toast-view']);

/** It has begun to work, too: a page whose time stands has no idle moment for it. */
export async function untilAtWork(page: Page): Promise<void> {
  await untilWhole(page);
  await untilAnswered(page, ['/api/packages?since']);
}
