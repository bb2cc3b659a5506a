/** Shared by the outbox tests: packages to act on, and access to stored state. */
import { type BrowserContext, expect, type Page } from '@playwright/test';
import { outboxSyncTag } from '#sync/outbox/background.ts';
import type { FaultProxy } from '#tests/fakes/fault-proxy.ts';
import type { Backstage, Credentials, PackageOnServer } from './backstage.ts';
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

/**
 * The rows of a table in every user's database on this phone, from the browser. Playwright hands
 * over no ArrayBuffer, so the bytes of a picture are a Uint8Array.
 */
export function rowsOf<Row = unknown>(
  page: Page,
  table: 'outbox' | 'packages' | 'proofs' | 'quarantine' | 'session' | 'users',
  database = 'kaya-user-',
): Promise<Row[]> {
  return page.evaluate(
    async ([wanted, start]) => {
      const done = <Value>(asked: IDBRequest<Value>) =>
        new Promise<Value>((resolve, reject) => {
          asked.onsuccess = () => resolve(asked.result);
          asked.onerror = () => reject(asked.error);
        });
      const rows: { bytes?: ArrayBuffer | Uint8Array }[] = [];
      for (const { name = '' } of await indexedDB.databases()) {
        if (!name.startsWith(start)) continue;
        const db = await done(indexedDB.open(name));
        rows.push(...(await done(db.transaction(wanted).objectStore(wanted).getAll())));
        db.close();
      }
      for (const row of rows) if (row.bytes) row.bytes = new Uint8Array(row.bytes);
      return rows as never[];
    },
    [table, database] as const,
  );
}

/** The fault of a write of this size to the browser's storage; '': none. */
function errorOfWriting(page: Page, bytes: number): Promise<string> {
  return page.evaluate(
    (size) =>
      new Promise<string>((resolve) => {
        const opening = indexedDB.open('beside');
        opening.onupgradeneeded = () => opening.result.createObjectStore('all');
        opening.onerror = () => resolve(opening.error?.name ?? 'unknown');
        opening.onsuccess = () => {
          const trans = opening.result.transaction('all', 'readwrite');
          trans.objectStore('all').put(new Uint8Array(size), 1);
          const end = (name: string) => {
            opening.result.close();
            resolve(name);
          };
          trans.oncomplete = () => end('');
          trans.onabort = () => end(trans.error?.name ?? 'unknown');
        };
      }),
    bytes,
  );
}

/** More than any test keeps. */
const roomBytes = 32_000_000;

/**
 * A phone whose storage is of this size before its first page opens. The browser asks for what is
 * left only when a write is larger than what it believes to be left, and every half a minute.
 */
export async function limitStorage(context: BrowserContext, page: Page, address: string) {
  const browser = await context.newCDPSession(page);
  const { origin } = new URL(address);
  const setQuota = (quotaSize: number) =>
    browser.send('Storage.overrideQuotaForOrigin', { origin, quotaSize });
  await setQuota(roomBytes);
  return {
    /** From now on there is room for nothing. */
    async fill() {
      await setQuota(1);
      expect(await errorOfWriting(page, roomBytes)).toBe('QuotaExceededError');
      expect(await errorOfWriting(page, 1)).toBe('QuotaExceededError');
    },
    async expectFull() {
      expect(await errorOfWriting(page, 1)).toBe('QuotaExceededError');
    },
    async empty() {
      await setQuota(roomBytes);
      expect(await errorOfWriting(page, 1)).toBe('');
    },
  };
}

/** Until nothing waits on the whole phone. */
export async function untilSent(page: Page, timeout = 30_000): Promise<void> {
  await expect.poll(() => rowsOf(page, 'outbox'), { timeout }).toEqual([]);
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
    const done = (asked, event) => new Promise((resolve) => asked.addEventListener(event, resolve));
    for (let before = -1; before !== begun; ) {
      await new Promise((resolve) => setTimeout(resolve, 500));
      before = begun;
      // Over all tables: it ends after whatever was begun before.
      for (const { name } of await indexedDB.databases()) {
        const opening = indexedDB.open(name);
        await done(opening, 'success');
        const db = opening.result;
        await done(transaction.call(db, db.objectStoreNames, 'readwrite'), 'complete');
        db.close();
      }
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
  const { session, worker } = await workerOf(page);
  const event = { ...worker, tag: outboxSyncTag, lastChance: false };
  await session.send('ServiceWorker.dispatchSyncEvent', event);
  await session.detach();
}

/** The page's worker, by the browser's protocol. */
export async function workerOf(page: Page) {
  const session = await page.context().newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [first] = registrations;
      if (first) resolve(first.registrationId);
    });
  });
  await session.send('ServiceWorker.enable');
  const { origin } = new URL(page.url());
  return { session, worker: { origin, registrationId: await registered } };
}

/** The user whose database this browser has. */
export async function userIdOf(page: Page): Promise<string> {
  const names = await page.evaluate(() => indexedDB.databases());
  const name = names.find((each) => each.name?.startsWith('kaya-user-'))?.name ?? '';
  expect(name).not.toBe('');
  return name.slice('kaya-user-'.length);
}

/** The number of users in the mirror. */
export const usersInMirror = async (page: Page) => (await rowsOf(page, 'users')).length;

const address = '7 Zaria Road, Kano';

/** Types the user's own new address, from Personal Info. */
export async function typeAddress(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Edit Profile' }).click();
  await page.getByLabel('Address').fill(address);
}

export const saveForm = (page: Page) => page.getByRole('button', { name: 'Save Changes' }).click();

/** Changes the own address offline, from wherever the tab is. */
export async function changeAddressOffline(page: Page): Promise<void> {
  await page.goto('/personal-info');
  await typeAddress(page);
  await page.context().setOffline(true);
  await saveForm(page);
  await expect(page.getByText('Waiting to send')).toBeVisible();
}

/** Until the server has the new address. */
export async function untilAddressSent({ call }: Backstage, user: Credentials): Promise<void> {
  const profile = async () => JSON.stringify(await call(user, 'GET', '/api/users'));
  await expect.poll(profile).toContain(address);
}

/** Presses Log Out under Account. */
export async function pressLogOut(page: Page): Promise<void> {
  await page.goto('/account');
  await page.getByRole('button', { name: 'Log Out' }).click();
}
