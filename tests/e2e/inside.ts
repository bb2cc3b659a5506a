/** Beginnings and looks that the walks through the screens share. */
import { expect, type Locator, type Page } from '@playwright/test';
import type { Fault, FaultProxy } from '#tests/fakes/fault-proxy.ts';
import { untilAtWork } from './answers.ts';
import type { Credentials } from './backstage.ts';
import { AuthPage } from './pages/auth-page.ts';
import { ShellPage } from './pages/shell-page.ts';
import { keepSession } from './signed-in.ts';

/** Signs in and goes to `path` at once, without the two seconds on the way to the dashboard. */
export async function signInAt(page: Page, account: Credentials, path: string): Promise<void> {
  const auth = await AuthPage.open(page);
  await auth.email.fill(account.email);
  await auth.password.fill(account.password);
  await auth.trustDevice.check();
  await auth.signIn.click();
  await expect(page.getByText('Login successful! Redirecting to dashboard...')).toBeVisible();
  await page.goto(path);
}

/**
 * Opens the app at `path` as one who signed in before: the form and its seconds are spared where
 * signing in is not what a test is about. All of the app is there, and it has asked for what is new.
 */
export async function enter(page: Page, account: Credentials, path = '/'): Promise<ShellPage> {
  await keepSession(page, account);
  await page.goto(path);
  await untilAtWork(page);
  return new ShellPage(page);
}

/** What a person does by coming back to the app. */
export async function comeBack(page: Page): Promise<void> {
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
}

/** From now on the page's time stands; what comes from the network still comes. */
export async function stopTime(page: Page): Promise<void> {
  if (new URL(page.url()).pathname !== '/auth') await untilAtWork(page);
  const now = await page.evaluate(() => Date.now());
  await page.clock.pauseAt(now + 1000);
}

/** What is said in passing, in exactly these words: where a screen reader hears it at once. */
export function spoken(page: Page, role: 'status' | 'alert', text: string): Locator {
  return page.getByRole(role).filter({ has: page.getByText(text, { exact: true }) });
}

/** With the time stopped: it is there, and goes exactly `ms` after it came. */
export async function expectPassing(
  page: Page,
  role: 'status' | 'alert',
  text: string,
  ms: number,
): Promise<void> {
  const said = spoken(page, role, text);
  await expect(said).toBeVisible();
  await page.clock.runFor(ms - 1);
  await expect(said).toBeVisible();
  await page.clock.runFor(2);
  await expect(said).toBeHidden();
}

type Answer = Omit<Extract<Fault, { kind: 'status' }>, 'kind'>;

/** From now on these calls are answered on the way, and never reach the server. */
export function answerInstead(
  network: FaultProxy,
  method: string,
  path: RegExp,
  answer: Answer,
): void {
  network.setFaults((asked, at) =>
    asked === method && path.test(at) ? { kind: 'status', ...answer } : null,
  );
}
