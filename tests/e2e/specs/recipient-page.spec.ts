/** The recipient's page as the server writes it: on a phone without scripts, and beside the app. */
import { randomUUID } from 'node:crypto';
import type { BrowserContext } from '@playwright/test';
import type { WirePackage } from '#contract/package.ts';
import type { Account, Backstage } from '#tests/e2e/backstage.ts';
import { test as base, expect } from '#tests/e2e/kaya.ts';
import { axeComplaints, sticksOut } from '#tests/e2e/layout.ts';

const test = base.extend<{ plainPhone: BrowserContext }>({
  plainPhone: async ({ browser, server }, use) => {
    const context = await browser.newContext({
      javaScriptEnabled: false,
      baseURL: server.url,
      viewport: { width: 320, height: 568 },
      locale: 'en-NG',
    });
    await use(context);
    await context.close();
  },
});

async function shared({ call, package: create }: Backstage, sender: Account) {
  const { _id } = await create(sender, { handover: 'code' });
  const pkg = await call<WirePackage>(sender, 'GET', `/api/packages/${_id}`);
  return { _id, path: pkg.trackingPath ?? '', code: pkg.dropoffCode ?? '' };
}

const step = ({ call }: Backstage, courier: Account, id: string, type: string, more: object = {}) =>
  call(courier, 'POST', `/api/packages/${id}/events`, {
    ...{ _id: randomUUID(), type, occurredAt: new Date().toISOString() },
    ...more,
  });

test('a recipient without scripts follows a delivery and tells the courier', async ({
  backstage,
  sender,
  courier,
  plainPhone,
}) => {
  const { _id, path, code } = await shared(backstage, sender);
  const page = await plainPhone.newPage();
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Waiting for a courier');
  await expect(page.getByText(`${code.slice(0, 3)} ${code.slice(3)}`)).toBeVisible();
  await expect(page.getByRole('link', { name: /^Call/ })).toHaveCount(0);
  expect(await sticksOut(page)).toEqual([]);

  await backstage.accept(courier, { _id });
  await step(backstage, courier, _id, 'picked_up');
  await page.getByRole('link', { name: 'Refresh' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('It is on its way to you');
  await expect(page.getByRole('link', { name: /^Call/ })).toHaveAttribute('href', /^tel:/);

  await page.getByLabel('Leave it in a safe place').check();
  await page.getByLabel('When, where or to whom?').fill('At the kiosk <b>opposite</b>');
  await page.getByRole('button', { name: 'Tell the courier' }).click();
  await expect(page.getByRole('status')).toHaveText('The courier will see your note.');
  await expect(page.getByText('At the kiosk <b>opposite</b>')).toBeVisible();
  await page.reload();
  const seen = await backstage.call<WirePackage>(courier, 'GET', `/api/packages/${_id}`);
  expect(seen.recipientNote).toMatchObject({
    kind: 'safe_place',
    text: 'At the kiosk <b>opposite</b>',
  });

  await step(backstage, courier, _id, 'delivered', { proof: { code } });
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Delivered');
  await expect(page.getByRole('button', { name: 'Tell the courier' })).toHaveCount(0);
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`it is accessible, ${colorScheme}`, async ({
    backstage,
    sender,
    courier,
    browser,
    server,
  }) => {
    const { _id, path } = await shared(backstage, sender);
    const context = await browser.newContext({ baseURL: server.url, colorScheme });
    const page = await context.newPage();
    const look = async (address: string) => {
      await page.goto(address);
      expect(await axeComplaints(page)).toEqual([]);
    };
    await look(path);
    await backstage.accept(courier, { _id });
    await step(backstage, courier, _id, 'picked_up');
    await look(path);
    await step(backstage, courier, _id, 'attempt_failed', { reason: 'closed' });
    await look(path);
    await step(backstage, courier, _id, 'delivered', {
      proof: { photoIds: [randomUUID()], recipientName: 'Musa', relation: 'neighbour' },
    });
    await look(path);
    await look('/t/unknown');
    await context.close();
  });
}

test('a phone with the app gets the page from the server too', async ({
  backstage,
  sender,
  installed,
}) => {
  const { path } = await shared(backstage, sender);
  const { page, context } = await installed(sender);
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Waiting for a courier');
  await context.setOffline(true);
  // Not the app's own screen for an address it does not know.
  await expect(page.goto(path)).rejects.toThrow('ERR_INTERNET_DISCONNECTED');
  await context.setOffline(false);
});
