/** Session faults during sending: a refresh that never ends, an unjustified 401. */
import { comeBack } from '#tests/e2e/inside.ts';
import { expect, test } from '#tests/e2e/kaya.ts';
import {
  acceptEach,
  freeze,
  isPatch,
  openTab,
  packagesOf,
  patchesOf,
  untilSent,
} from '#tests/e2e/outbox-stage.ts';

const isRefresh = (method: string, path: string) =>
  method === 'GET' && path.startsWith('/api/auth/refresh');

test('a frozen refresh blocks less than 45 s @long', async ({ installed, backstage, network }) => {
  test.setTimeout(120_000);
  const { sender, courier, packages } = await backstage.offers(1);
  const { page, context } = await installed(courier);
  const reply = network.holdNextReply(isRefresh);
  await page.reload();
  await reply.answered;
  const thaw = await freeze(page);
  reply.release();

  const other = await openTab(context, '/delivery');
  await acceptEach(other, packages);
  await untilSent(other, 45_000);
  for (const each of packages) expect(patchesOf(network, each)).toBe(1);
  await thaw();
  expect(await packagesOf(backstage, sender)).toMatchObject([
    { deliveryStatus: 'In Transit', deliveryPersonId: { firstName: 'Sani' } },
  ]);
});

test('a 401 after a refresh is retried @long', async ({ signedIn, backstage, network }) => {
  const { courier, packages } = await backstage.offers(1);
  const { page } = await signedIn(courier);
  let refused = 0;
  network.setFaults((method, path) => {
    if (!isPatch(method, path) || refused === 2) return null;
    refused += 1;
    return { kind: 'status', status: 401, code: 'unauthenticated' };
  });
  await acceptEach(page, packages);
  await expect(page.getByText('Couldn’t confirm your sign-in')).toBeVisible();

  await comeBack(page);
  await untilSent(page);
  await expect(page.getByText('Couldn’t confirm your sign-in')).toHaveCount(0);
});

test('a killed log-out is finished at the next start @long', async ({ signedIn, backstage }) => {
  const sender = await backstage.sender();
  await backstage.packages(sender, 2);
  const { page, context } = await signedIn(sender);
  const mirrored = (tab: typeof page) =>
    tab.evaluate(async () => {
      let rows = 0;
      for (const { name = '' } of await indexedDB.databases()) {
        if (!name.startsWith('kaya-user-')) continue;
        rows += await new Promise<number>((resolve, reject) => {
          const opening = indexedDB.open(name);
          opening.onerror = () => reject(opening.error);
          opening.onsuccess = () => {
            const store = opening.result.transaction('packages').objectStore('packages');
            const counting = store.count();
            counting.onsuccess = () => {
              opening.result.close();
              resolve(counting.result);
            };
          };
        });
      }
      return rows;
    });
  await expect.poll(() => mirrored(page)).toBe(2);
  await page.evaluate(() => {
    // As after a kill: the emptying of the mirror never completes.
    IDBObjectStore.prototype.clear = function clear() {
      this.transaction.abort();
      Object.assign(window, { isKilled: true });
      throw new Error('killed here');
    };
  });
  await page
    .getByRole('navigation')
    .getByRole('link', { name: /^Account/ })
    .click();
  await page.getByRole('button', { name: 'Log Out' }).click();
  await page.waitForFunction(() => 'isKilled' in window);
  await page.close();

  const next = await openTab(context, '/auth');
  await expect.poll(() => mirrored(next)).toBe(0);
});
