/** A phone with an existing session under 'Trust This Device'. */
import { expect, type Page } from '@playwright/test';
import type { UserInfo } from '#contract/auth.ts';
import { readUserInfo } from '#domain/token.ts';
import type { Credentials } from './backstage.ts';

/** The cookie, the session hint and its user (as in src/state/session.ts). */
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
