/** What the tests of new versions share: a page of the old one, the browser's look, the question. */
import type { Locator, Page } from '@playwright/test';
import type { Credentials } from './backstage.ts';
import { AuthPage } from './pages/auth-page.ts';
import type { ShellPage } from './pages/shell-page.ts';

export const updateQuestion = (page: Page): Locator =>
  page.getByRole('alertdialog', { name: /A new version of Kaya is ready/ });

/** Signed in at a site that publishes, with the worker installed. */
export async function enterSite(page: Page, url: string, who: Credentials): Promise<ShellPage> {
  await page.goto(`${url}/auth`);
  await page.getByText('Your ride to faster deliveries').click();
  const shell = await new AuthPage(page).signInAs(who);
  await shell.untilInstalled();
  return shell;
}

/** The browser looks for a new version. `mark`: a name that the page carries until it is loaded anew. */
export async function lookForUpdate(page: Page, mark?: string): Promise<void> {
  await page.evaluate(async (name) => {
    if (name !== undefined) Object.assign(window, { [name]: true });
    await (await navigator.serviceWorker.getRegistration())?.update();
  }, mark);
}

/** Is it still the page that was marked? True also while it is on its way to the next one. */
export const isMarked = (page: Page, mark: string): Promise<boolean> =>
  page.evaluate((name) => name in window, mark).catch(() => true);
