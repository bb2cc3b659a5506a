/** Responses a page has received since its last load, and which of the app's files it has. */
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

/** Background loading has finished: the browser has the whole app. */
export const untilWhole = (page: Page): Promise<void> =>
  untilAnswered(page, ['background-tasks', '/engine-', 'status-lines', 'toast-view']);

/** Also evaluated: a page whose clock is stopped has no idle time for that. */
export async function untilAtWork(page: Page): Promise<void> {
  await untilWhole(page);
  await untilAnswered(page, ['/api/packages?since']);
}
