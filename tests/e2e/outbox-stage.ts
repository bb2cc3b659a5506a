/** What the tests of the outbox have in common: packages to act on, and looks behind the screens. */
import { type BrowserContext, expect, type Page } from '@playwright/test';
import { outboxSyncTag } from '#sync/outbox/background.ts';
import type { FaultProxy } from '#tests/fakes/fault-proxy.ts';
import type { Backstage, Credentials, PackageOnServer } from './backstage.ts';
import type { Phone } from './kaya.ts';
import { PackageListPage } from './pages/package-list-page.ts';

/** As the server has them now, for this account. */
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

/** Every operation in every user's outbox on this phone, read from the database itself. */
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

/** Until nothing waits to be sent, on the whole phone. */
export async function untilSent(page: Page, timeout = 30_000): Promise<void> {
  await expect.poll(() => readOutboxes(page), { timeout }).toEqual([]);
}

/** How often an acceptance (or any other change) of this package reached the server. */
export function patchesOf(network: FaultProxy, { _id }: PackageOnServer): number {
  return network.forwarded.filter((line) => line === `PATCH /api/packages/${_id}`).length;
}

export const isPatch = (method: string, path: string) =>
  method === 'PATCH' && path.startsWith('/api/packages/');

/** Another tab of the same phone, on this address. */
export async function openTab(context: BrowserContext, address: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(address);
  return page;
}

/**
 * Stops every line of the page's JavaScript, timers and all, as a frozen tab stands still; the
 * browser keeps the locks it holds. (Chromium's own `Page.setWebLifecycleState` leaves a page that
 * holds a lock running.) Not before its databases have been left alone for a moment: a page that
 * stands still in the middle of a transaction holds the others up, which no browser lets come to be.
 * Returns what lets it go on.
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
 * Has the browser tell the service worker that the network is back, as it does by itself whenever
 * it likes. The event is the browser's own: a made one could not be waited for.
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

/** Whose database this browser holds. */
export async function userIdOf(page: Page): Promise<string> {
  const names = await page.evaluate(() => indexedDB.databases());
  const name = names.find((each) => each.name?.startsWith('kaya-user-'))?.name ?? '';
  expect(name).not.toBe('');
  return name.slice('kaya-user-'.length);
}

/** Rows in the mirror's table of users, read from the browser's database itself. */
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

/** Changes the own address without a network, from wherever the tab is. */
export async function changeAddressOffline({ page, context }: Phone, address: string) {
  await page.goto('/personal-info');
  await page.getByRole('link', { name: 'Edit Profile' }).click();
  await page.getByLabel('Address').fill(address);
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Waiting to send')).toBeVisible();
}
