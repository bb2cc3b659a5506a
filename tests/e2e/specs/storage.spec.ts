/** Failing storage and version changes; numbers as in tests/sync/one-effect.test.ts. */
import type { BrowserContext, Page } from '@playwright/test';
import { expect, test } from '#tests/e2e/kaya.ts';
import {
  openTab,
  saveForm,
  typeAddress,
  untilAddressSent,
  userIdOf,
} from '#tests/e2e/outbox-stage.ts';
import { AuthPage } from '#tests/e2e/pages/auth-page.ts';
import { ChangesPage } from '#tests/e2e/pages/changes-page.ts';

const updated = 'User updated successfully!';

/** A page of the same site without the app. */
const besideTheApp = (context: BrowserContext) => openTab(context, '/icons/mark.svg');

/**
 * Replaces the user's database by one of version 1 of the app with a queued profile edit. The page
 * keeps it open, like a frozen tab of version 1.
 */
function holdVersion1(page: Page, userId: string, firstName: string): Promise<void> {
  return page.evaluate(
    async ([id, name]) => {
      const settled = (asked: IDBRequest) =>
        new Promise((resolve, reject) => {
          asked.onsuccess = resolve;
          asked.onerror = () => reject(asked.error);
        });
      await settled(indexedDB.deleteDatabase(`kaya-user-${id}`));
      // Dexie's version 1.
      const opening = indexedDB.open(`kaya-user-${id}`, 10);
      opening.onupgradeneeded = () => {
        const packages = opening.result.createObjectStore('packages', { keyPath: 'id' });
        for (const key of ['status', 'sender.id', 'courier.id']) packages.createIndex(key, key);
        opening.result.createObjectStore('users', { keyPath: 'id' });
        const outbox = opening.result.createObjectStore('outbox', {
          keyPath: 'seq',
          autoIncrement: true,
        });
        outbox.createIndex('id', 'id', { unique: true });
        outbox.createIndex('lane', 'lane');
        opening.result.createObjectStore('ownSteps', { keyPath: 'lane' });
        opening.result.createObjectStore('meta', { keyPath: 'key' });
      };
      await settled(opening);
      const db = opening.result;
      const trans = db.transaction('outbox', 'readwrite');
      trans.objectStore('outbox').add({
        name: 'editProfile',
        targetId: id,
        args: { changes: { firstName: name } },
        id: crypto.randomUUID(),
        lane: `user:${id}`,
        schemaVersion: 1,
        state: 'waiting',
        createdAt: new Date().toISOString(),
        tries: 0,
        lastError: null,
        backoff: null,
      });
      await new Promise((resolve) => {
        trans.oncomplete = resolve;
      });
      Object.assign(window, { held: db });
    },
    [userId, firstName] as const,
  );
}

test('24: a new version waits for a frozen old tab @long', async ({
  signedIn,
  backstage,
  sender,
}) => {
  const { page, context } = await signedIn(sender);
  const oldTab = await besideTheApp(context);
  const userId = await userIdOf(oldTab);
  await page.close();
  await holdVersion1(oldTab, userId, 'Hauwa');

  const newTab = await openTab(context, '/personal-info');
  await expect(newTab.getByRole('heading', { name: 'Close the other Kaya tabs' })).toBeVisible();
  await oldTab.close();
  await expect(newTab.getByRole('heading', { name: 'Personal Info' })).toBeVisible();
  await expect(newTab.getByText('Hauwa').first()).toBeVisible();
  await expect
    .poll(() => backstage.call(sender, 'GET', '/api/users'))
    .toMatchObject([{ firstName: 'Hauwa' }]);
});

test('24: an old tab lets go and asks for a reload @long', async ({ signedIn, sender }) => {
  const { page, context } = await signedIn(sender, '/personal-info');
  await typeAddress(page);
  const newTab = await besideTheApp(context);
  await newTab.evaluate(
    (id) =>
      new Promise<void>((resolve) => {
        const opening = indexedDB.open(`kaya-user-${id}`, 9_990);
        opening.onupgradeneeded = () => opening.result.createObjectStore('ofTheFuture');
        opening.onsuccess = () => {
          opening.result.close();
          resolve();
        };
      }),
    await userIdOf(newTab),
  );
  await expect(
    page.getByText('Kaya was updated in another tab. Reload to continue.'),
  ).toBeVisible();
  await saveForm(page);
  await expect(page.getByText('Not saved: Kaya was updated in another tab.')).toBeVisible();
  const field = page.getByLabel('Address');
  const typed = await field.inputValue();
  expect(typed).not.toBe('');
  await page.getByRole('button', { name: 'Reload' }).click();
  await expect(field).toHaveValue(typed);
  await saveForm(page);
  await expect(page.getByText(updated)).toBeVisible();
});

test('26: cleared storage is filled again @long', async ({ installed, sender }) => {
  const { page, context } = await installed(sender, '/personal-info');
  await expect(page.getByText('0803 123 4567')).toBeVisible();
  const browser = await context.newCDPSession(page);
  const { origin } = new URL(page.url());
  const clear = () =>
    browser.send('Storage.clearDataForOrigin', { origin, storageTypes: 'indexeddb' });
  const again = page.waitForRequest((asked) => asked.url().includes('/api/users'));
  await clear();
  await again;
  await typeAddress(page);
  await saveForm(page);
  await expect(page.getByText(updated)).toBeVisible();

  await typeAddress(page);
  await page.getByLabel('Address').fill('9 Airport Road, Kano');
  await context.setOffline(true);
  await saveForm(page);
  await expect(page.getByText('Waiting to send')).toBeVisible();
  await clear();
  await expect(
    page.getByRole('alert').filter({ hasText: '1 unsent change was lost' }),
  ).toContainText('this browser cleared Kaya’s data.');
});

test('without IndexedDB the app works online @long', async ({
  backstage,
  sender,
  page,
  context,
}) => {
  await context.addInitScript(() => {
    Object.defineProperty(window, 'indexedDB', { value: undefined });
  });
  await (await AuthPage.open(page)).signInAs(sender);
  const notice = page.getByText('This browser doesn’t save data');
  await expect(notice).toBeVisible();
  await page.goto('/personal-info');
  // The cookie kept the session across the page load.
  await expect(notice).toBeVisible();
  await expect(page.getByText('0803 123 4567')).toBeVisible();

  await typeAddress(page);
  await context.setOffline(true);
  await saveForm(page);
  await expect(page.getByText('Not sent yet. Keep Kaya open until you are back')).toBeVisible();
  await expect(page.getByText(/^Saved/)).toBeHidden();
  // No saved mark without storage, and a question before the loss.
  const held = page.getByRole('status').filter({ hasText: 'Not sent yet.' });
  await expect(held.locator('.lucide-info')).toBeVisible();
  const asked = page.waitForEvent('dialog');
  const closing = page.close({ runBeforeUnload: true });
  const question = await asked;
  expect(question.type()).toBe('beforeunload');
  await question.dismiss();
  await closing;
  await context.setOffline(false);
  await expect(page.getByText(updated)).toBeVisible();
  await untilAddressSent(backstage, sender);
});

test('an unreadable operation is shown and discarded @long', async ({ signedIn, sender }) => {
  const { page, context } = await signedIn(sender);
  const beside = await besideTheApp(context);
  await page.close();
  await beside.evaluate(
    (id) =>
      new Promise<void>((resolve) => {
        const opening = indexedDB.open(`kaya-user-${id}`);
        opening.onsuccess = () => {
          const trans = opening.result.transaction('outbox', 'readwrite');
          const lane = `user:${id}`;
          trans.objectStore('outbox').add({ id: 'x', lane, name: 'teleport', schemaVersion: 99 });
          trans.oncomplete = () => {
            opening.result.close();
            resolve();
          };
        };
      }),
    await userIdOf(beside),
  );
  const changes = await ChangesPage.open(beside);
  const card = beside.getByRole('region', { name: 'Unknown change' });
  await expect(card).toContainText('Saved by another version of Kaya.');
  await expect(changes.empty).toBeHidden();
  await changes.discard(card);
  await expect(changes.empty).toBeVisible();
});
