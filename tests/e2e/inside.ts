/** Entry points and checks shared by the screen tests. */
import { expect, type Locator, type Page } from '@playwright/test';
import type { UserInfo } from '#contract/auth.ts';
import { readUserInfo } from '#domain/token.ts';
import type { Fault, FaultProxy } from '#tests/fakes/fault-proxy.ts';
import { untilAtWork } from './answers.ts';
import type { Credentials } from './backstage.ts';
import { ShellPage } from './pages/shell-page.ts';

/** A trusted phone's cookie, session hint and its user (as in src/state/session.ts). */
export async function keepSession(page: Page, { email, password }: Credentials): Promise<void> {
  const context = page.context();
  const data = { email, password, trustDevice: true };
  const answer = await context.request.post('/api/auth/login', { data });
  expect(answer.ok(), await answer.text()).toBe(true);
  const { accessToken } = (await answer.json()) as { accessToken: string };
  const blank = await context.newPage();
  await blank.route('/blank', (route) => route.fulfill({ contentType: 'text/html', body: '' }));
  await blank.goto('/blank');
  await blank.evaluate(async (userInfo: UserInfo) => {
    localStorage.setItem('sessionHeld', 'true');
    const opening = indexedDB.open('kaya-device', 10);
    opening.onupgradeneeded = () => opening.result.createObjectStore('session', { keyPath: 'key' });
    await new Promise((resolve) => {
      opening.onsuccess = resolve;
    });
    const session = { key: 'session', userId: userInfo.id, userInfo, isTrusted: true };
    const writing = opening.result.transaction('session', 'readwrite');
    writing.objectStore('session').put(session);
    await new Promise((resolve) => {
      writing.oncomplete = resolve;
    });
    opening.result.close();
  }, readUserInfo(accessToken));
  await blank.close();
}

/**
 * Opens the app at `path` with an existing session, where signing in is not under test. The app is
 * fully loaded and its first pull is done.
 */
export async function enter(page: Page, account: Credentials, path = '/'): Promise<ShellPage> {
  await keepSession(page, account);
  await page.goto(path);
  await untilAtWork(page);
  return new ShellPage(page);
}

/** Triggers what happens when a user returns to the app. */
export async function comeBack(page: Page): Promise<void> {
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
}

/** Stops the page's clock; the network continues. */
export async function stopTime(page: Page): Promise<void> {
  if (new URL(page.url()).pathname !== '/auth') await untilAtWork(page);
  const now = await page.evaluate(() => Date.now());
  await page.clock.pauseAt(now + 1000);
}

/** A toast with exactly this text, in a live region. */
export function spoken(page: Page, role: 'status' | 'alert', text: string): Locator {
  return page.getByRole(role).filter({ has: page.getByText(text, { exact: true }) });
}

/** With the clock stopped: it is visible and disappears exactly `ms` later. */
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

/** Answers these calls in the proxy; they no longer reach the server. */
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
