/** A package's page: contacts, directions, sharing and confirmations. */
import type { Page } from '@playwright/test';
import { answerInstead, comeBack, enter } from '#tests/e2e/inside.ts';
import { expect, test } from '#tests/e2e/kaya.ts';
import { sticksOut } from '#tests/e2e/layout.ts';
import { PackageDetailPage } from '#tests/e2e/pages/package-detail-page.ts';

test.use({ hasServiceWorker: false });

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

/** The content passed to the phone's share sheet. */
async function catchShared(page: Page) {
  await page.addInitScript(() => {
    const shared: ShareData[] = [];
    Object.assign(window, { shared });
    navigator.share = async (data = {}) => void shared.push(data);
  });
  return () => page.evaluate(() => (window as unknown as { shared: ShareData[] }).shared);
}

test('a courier calls, writes, navigates and shares', async ({ phone, backstage }) => {
  const sender = await backstage.sender();
  const courier = await backstage.courier();
  const description = `Indigo cloth of ${sender.email}`;
  const made = await backstage.package(sender, {
    description,
    pickupDate: inHours(3),
    recipientPhone: '0805 765 4321',
  });
  const { page, context } = await phone();
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const shared = await catchShared(page);
  const list = await (await enter(page, courier)).openDeliveries();
  await list.accept(description);
  await expect(page.getByText('Delivery accepted!')).toBeVisible();
  const detail = await list.open(description);

  const recipient = detail.card('Recipient');
  const href = (name: string) =>
    recipient.getByRole('link', { name, exact: true }).getAttribute('href');
  expect(await href('Call Musa Ibrahim')).toBe('tel:08057654321');
  expect(await href('Send a message to Musa Ibrahim')).toBe('sms:08057654321');
  expect(await href('Write to Musa Ibrahim on WhatsApp')).toBe(
    `https://wa.me/2348057654321?text=${encodeURIComponent(`Hello, this is about package ${made.packageId}.`)}`,
  );
  const toSender = detail.card('Sender').getByRole('link', { name: 'Call Amina Bello' });
  await expect(toSender).toHaveAttribute('href', 'tel:08031234567');
  // No links to contact oneself.
  await expect(detail.card('Delivery Personnel')).toContainText('Sani Bello');
  await expect(detail.card('Delivery Personnel').getByRole('link', { name: /^Call/ })).toBeHidden();

  const shipment = detail.card('Shipment');
  await shipment.getByRole('button', { name: 'Copy Delivery Address' }).click();
  await expect(page.getByText('Address copied.')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('4 Zoo Road, Kano');
  await expect(
    shipment.getByRole('link', { name: 'Open Pickup Address in the map app' }),
  ).toHaveAttribute('href', /query=12%20Kofar%20Mata%20Road%2C%20Kano$/);

  await expect(shipment).toContainText(/in (2|3) hours/);
  await shipment.getByRole('button', { name: /^(now|\d+ (second|minute)s? ago)$/ }).click();
  await expect(shipment.getByRole('button', { name: /^\d+ \w+ 20\d\d, \d\d:\d\d$/ })).toBeFocused();

  await detail.share.click();
  await expect.poll(shared).toHaveLength(1);
  const { text = '' } = (await shared())[0] ?? {};
  expect(text).toContain(`${made.packageId} · In Transit\n${description}`);
  expect(text).toContain('₦1,500, Cash on Delivery');
  expect(text).not.toContain('765');
});

test('without sharing, the summary is copied @long', async ({ phone, backstage }) => {
  const sender = await backstage.sender();
  const made = await backstage.package(sender);
  const { page, context } = await phone();
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.addInitScript(() => Object.defineProperty(navigator, 'share', { value: undefined }));
  await enter(page, sender);
  const detail = await PackageDetailPage.open(page, made._id);
  await detail.share.click();
  await expect(page.getByText('Summary copied.')).toBeVisible();
  const text = await page.evaluate(() => navigator.clipboard.readText());
  expect(text).toContain('Two bolts of indigo cloth');
});

test('only a package without a courier is deleted', async ({
  phone,
  signedIn,
  backstage,
  network,
}) => {
  const sender = await backstage.sender();
  const courier = await backstage.courier();
  const [carried, free, refused] = await backstage.packages(sender, [
    { description: `Carried for ${sender.email}` },
    { description: `Free of ${sender.email}` },
    { description: `Refused to ${sender.email}` },
  ]);
  const sani = await phone();
  const list = await (await enter(sani.page, courier)).openDeliveries();
  await list.accept(`Carried for ${sender.email}`);
  await expect(sani.page.getByText('Delivery accepted!')).toBeVisible();

  const { page } = await signedIn(sender);
  const detail = await PackageDetailPage.open(page, carried?._id ?? '');
  await expect(detail.card('Delivery Personnel')).toContainText('Sani Bello');
  await expect(page.getByRole('link', { name: 'Edit delivery personnel' })).toBeHidden();
  await detail.remove.click();
  await expect(
    page.getByText('A delivery personnel is already assigned to this package. Cannot delete.'),
  ).toBeVisible();
  await expect(detail.question).toBeHidden();

  answerInstead(network, 'DELETE', /^\/api\/packages\//, {
    status: 409,
    code: 'invalid_state',
    message: '',
  });
  await PackageDetailPage.open(page, refused?._id ?? '');
  await detail.remove.click();
  await detail.question.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('Failed to delete package: Please try again')).toBeVisible();
  network.setFaults(null);

  await PackageDetailPage.open(page, free?._id ?? '');
  await detail.remove.click();
  await expect(detail.question).toHaveAccessibleName('Delete Package');
  await expect(detail.question).toContainText(
    'This action cannot be undone. The package will be permanently removed.',
  );
  await detail.question.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('Package deleted successfully')).toBeVisible();
  await expect(page).toHaveURL(/\/tracking$/);
});

test('a missing package differs from a failed load @long', async ({
  signedIn,
  backstage,
  network,
}) => {
  const sender = await backstage.sender();
  const nowhere = '/package-detail/40000000-0000-4000-8000-00000000dead';
  const { page } = await signedIn(sender, nowhere);
  await expect(page.getByText('No package data found')).toBeVisible();
  network.setFaults((method, path) =>
    method === 'GET' && path.startsWith('/api/packages') ? { kind: 'truncated' } : null,
  );
  await page.goto(nowhere);
  await expect(page.getByText('Error: Failed to load package details')).toBeVisible();
  const asked = network.received.length;
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect.poll(() => network.received.length).toBeGreaterThan(asked);
  network.setFaults(null);
  await comeBack(page);
  await expect(page.getByText('No package data found')).toBeVisible();
});

test('text of any length and script stays text @long', async ({ signedIn, backstage }) => {
  const sender = await backstage.sender();
  const description = `<script>document.title = 'taken'</script> 😀 مرحبا ${'x'.repeat(300)}`;
  const made = await backstage.package(sender, {
    description,
    recipientName: '<b>Musa</b>',
    pickupAddress: `${'Kofar'.repeat(50)}`,
  });
  const { page } = await signedIn(sender);
  const detail = await PackageDetailPage.open(page, made._id);
  await expect(detail.card('Shipment')).toContainText(description);
  await expect(detail.card('Recipient')).toContainText('<b>Musa</b>');
  await expect(page).toHaveTitle(/^Package Details/);
  expect(await sticksOut(page)).toEqual([]);
  await page.goto('/tracking/pending');
  await expect(page.getByRole('article')).toContainText(description);
  expect(await sticksOut(page)).toEqual([]);
});
