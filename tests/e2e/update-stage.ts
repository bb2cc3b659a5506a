/** Updates of the app: the browser's check, the prompt, a page of the old version. */
import type { Locator, Page } from '@playwright/test';

export const updateQuestion = (page: Page): Locator =>
  page.getByRole('alertdialog', { name: /A new version of Kaya is ready/ });

/** Makes the browser check for the new version. `mark`: a name the page has until it reloads. */
export async function lookForUpdate(page: Page, mark?: string): Promise<void> {
  await page.evaluate(async (name) => {
    if (name !== undefined) Object.assign(window, { [name]: true });
    await (await navigator.serviceWorker.getRegistration())?.update();
  }, mark);
}

/** Whether it is still the marked page. Also true during a navigation. */
export const isMarked = (page: Page, mark: string): Promise<boolean> =>
  page.evaluate((name) => name in window, mark).catch(() => true);
