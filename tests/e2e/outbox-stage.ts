/** Shared by the outbox tests: packages to act on, and access to stored state. */
import { type BrowserContext, expect, type Page } from '@playwright/test';
import { outboxSyncTag } from '#sync/outbox/background.ts';
import type { FaultProxy } from '#tests/fakes/fault-proxy.ts';
import type { Backstage, Credentials, PackageOnServer } from './backstage.ts';
import type { Phone } from './kaya.ts';
import { PackageListPage } from './pages/package-list-page.ts';

/** The server's rows, as seen by this account. */
export const packagesOf = ({ call }: Backstage, account: Credentials) =>
  call<PackageOnServer[]>(account, 'GET', '/api/packages');

/** Presses 'Accept Delivery' on each, wherever the tab is. */
export async function acceptEach(page: Page, packages: readonly PackageOnServer[]): Promise<void> {
  for (const { description } of packages) {
    await page.getByRole('navigation').getByRole('link', { name: 'Deliveries' }).click();
    const list = new PackageListPage(page);
    await list.pending.click();
    await list.accept(description);
  }
}

interface QueuedOperation {
  userId: string;
  name: string;
  state: string;
}

/** Every operation in every user's outbox on this phone, from the database. */
export function readOutboxes(page: Page): Promise<QueuedOperation[]> {
  return page.evaluate(async () => {
    const found: QueuedOperation[] = [];
    for (const { name = '' } of await indexedDB.databases()) {
      if (!name.startsWith('kaya-user-')) continue;
      const rows = await new Promise<{ name: string; state: string }[]>((resolve, reject) => {
        const opening = indexedDB.open(name);
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const reading = opening.result.transaction('outbox').objectStore('outbox').getAll();
          reading.onsuccess = () => {
            opening.result.close();
            resolve(reading.result);
          };
          reading.onerror = () => reject(reading.error);
        };
      });
      const userId = name.slice('kaya-user-'.length);
      for (const row of rows) found.push({ userId, name: row.name, state: row.state });
    }
    return found;
  });
}

/** Until nothing waits on the whole phone. */
export async function untilSent(page: Page, timeout = 30_000): Promise<void> {
  await expect.poll(() => readOutboxes(page), { timeout }).toEqual([]);
}

/** How many requests to accept (or change) this package reached the server. */
export function patchesOf(network: FaultProxy, { _id }: PackageOnServer): number {
  return network.forwarded.filter((line) => line === `PATCH /api/packages/${_id}`).length;
}

export const isPatch = (method: string, path: string) =>
  method === 'PATCH' && path.startsWith('/api/packages/');

/** Another tab of the same phone, at this address. */
export async function openTab(context: BrowserContext, address: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(address);
  return page;
}

/**
 * Stops the page's JavaScript, timers included, like a frozen tab; the browser keeps its locks.
 * (Chromium's `Page.setWebLifecycleState` does not stop a page that holds a lock.) Waits until its
 * databases are idle: a page frozen in a transaction would block the others, which browsers
 * prevent. Returns a function that resumes it.
 */
export async function freeze(page: Page): Promise<() => Promise<void>> {
  const session = await page.context().newCDPSession(page);
  await session.send('Debugger.enable');
  const paused = new Promise<void>((resolve) => {
    session.once('Debugger.paused', () => resolve());
  });
  const whenLeftAlone = `(async () => {
    let begun = 0;
    const { transaction } = IDBDatabase.prototype;
    IDBDatabase.prototype.transaction = function counted(...args) {
      begun += 1;
      return transaction.apply(this, args);
    };
    for (let before = -1; before !== begun; ) {
      before = begun;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    debugger;
  })()`;
  session.send('Runtime.evaluate', { expression: whenLeftAlone }).catch(() => undefined);
  await paused;
  return async () => {
    await session.send('Debugger.resume');
    await session.detach();
  };
}

/**
 * Makes the browser fire the worker's `sync` event for a restored network. It must be the browser's
 * own: a synthetic one could not be awaited.
 */
export async function fireSync(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [first] = registrations;
      if (first) resolve(first.registrationId);
    });
  });
  await session.send('ServiceWorker.enable');
  await session.send('ServiceWorker.dispatchSyncEvent', {
    origin: new URL(page.url()).origin,
    registrationId: await registered,
    tag: outboxSyncTag,
    lastChance: false,
  });
  await session.detach();
}

/** The user whose database this browser has. */
export async function userIdOf(page: Page): Promise<string> {
  const names = await page.evaluate(() => indexedDB.databases());
  const name = names.find((each) => each.name?.startsWith('kaya-user-'))?.name ?? '';
  expect(name).not.toBe('');
  return name.slice('kaya-user-'.length);
}

/** The number of users in the mirror, from the browser's database. */
export function usersInMirror(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const all = await indexedDB.databases();
    const name = all.find((each) => each.name?.startsWith('kaya-user-'))?.name ?? '';
    return new Promise<number>((resolve, reject) => {
      const opening = indexedDB.open(name);
      opening.onerror = () => reject(opening.error);
      opening.onsuccess = () => {
        const db = opening.result;
        const count = db.transaction('users').objectStore('users').count();
        count.onsuccess = () => {
          db.close();
          resolve(count.result);
        };
      };
    });
  });
}

/** Changes the own address offline, from wherever the tab is. */
export async function changeAddressOffline({ page, context }: Phone, address: string) {
  await page.goto('/personal-info');
  await page.getByRole('link', { name: 'Edit Profile' }).click();
  await page.getByLabel('Address').fill(address);
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Waiting to send')).toBeVisible();
}
