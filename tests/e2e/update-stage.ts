/** Shared by the update tests: a page of the old version, the browser's check, the prompt. */
import type { Locator, Page } from '@playwright/test';
import type { Credentials } from './backstage.ts';
import { AuthPage } from './pages/auth-page.ts';
import type { ShellPage } from './pages/shell-page.ts';

export const updateQuestion = (page: Page): Locator =>
  page.getByRole('alertdialog', { name: /A new version of Kaya is ready/ });

/** Signed in at a server that publishes releases, with the worker installed. */
export async function enterSite(page: Page, url: string, who: Credentials): Promise<ShellPage> {
  await page.goto(`${url}/auth`);
  await page.getByText('Your ride to faster deliveries').click();
  const shell = await new AuthPage(page).signInAs(who);
  await shell.untilInstalled();
  return shell;
}

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
