/** A package's page: contacts, directions, sharing, deletion, and text of any kind. */
import type { Page } from '@playwright/test';
import { answerInstead, enter } from '#tests/e2e/inside.ts';
import { expect, test } from '#tests/e2e/kaya.ts';
import { sticksOut } from '#tests/e2e/layout.ts';
import { PackageDetailPage } from '#tests/e2e/pages/package-detail-page.ts';
import { PackageListPage } from '#tests/e2e/pages/package-list-page.ts';

test.use({ hasServiceWorker: false });

test('a courier calls, writes, navigates, shares', async ({ backstage, page, context }) => {
  const { courier, packages } = await backstage.offers(1);
  const [{ description, packageId }] = packages;
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.addInitScript(() => {
    navigator.share = async (data = {}) => void Object.assign(window, { shared: data.text });
  });
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  const list = await (await enter(page, courier)).openDeliveries();
  await list.accept(description);
  await expect(page.getByText('Delivery accepted!')).toBeVisible();
  const detail = await list.open(description);

  const hello = encodeURIComponent(`Hello, this is about package ${packageId}.`);
  for (const [name, href] of [
    ['Call Musa Ibrahim', 'tel:08057654321'],
    ['Send a message to Musa Ibrahim', 'sms:08057654321'],
    ['Write to Musa Ibrahim on WhatsApp', `https://wa.me/2348057654321?text=${hello}`],
  ] as const) {
    const link = detail.card('Recipient').getByRole('link', { name, exact: true });
    await expect(link).toHaveAttribute('href', href);
  }
  const toSender = detail.card('Sender').getByRole('link', { name: 'Call Amina Bello' });
  await expect(toSender).toHaveAttribute('href', 'tel:08031234567');
  // No links to contact oneself.
  await expect(detail.card('Delivery Personnel')).toContainText('Sani Bello');
  await expect(detail.card('Delivery Personnel').getByRole('link', { name: /^Call/ })).toBeHidden();

  const shipment = detail.card('Shipment');
  await shipment.getByRole('button', { name: 'Copy Delivery Address' }).click();
  await expect(page.getByText('Address copied.')).toBeVisible();
  expect(await copied()).toBe('4 Zoo Road, Kano');
  await expect(
    shipment.getByRole('link', { name: 'Open Pickup Address in the map app' }),
  ).toHaveAttribute('href', /query=12%20Kofar%20Mata%20Road%2C%20Kano$/);
  await shipment.getByRole('button', { name: /^(now|\d+ (second|minute)s? ago)$/ }).click();
  await expect(shipment.getByRole('button', { name: /^\d+ \w+ 20\d\d, \d\d:\d\d$/ })).toBeFocused();

  await detail.share.click();
  const shared = () => page.evaluate(() => String(Reflect.get(window, 'shared')));
  await expect.poll(shared).toContain(`${packageId} · In Transit\n${description}`);
  expect(await shared()).toContain('₦1,500, Cash on Delivery');
  expect(await shared()).not.toContain('765');
  // Without sharing, the summary is copied.
  await page.evaluate(() => Object.defineProperty(navigator, 'share', { value: undefined }));
  await detail.share.click();
  await expect(page.getByText('Summary copied.')).toBeVisible();
  expect(await copied()).toBe(await shared());

  // A question stays where it is as the toast that was there first goes.
  await detail.reject.click();
  const confirm = detail.question.getByRole('button', { name: 'Confirm' });
  await detail.question.evaluate((box) => Promise.all(box.getAnimations().map((a) => a.finished)));
  const place = await confirm.boundingBox();
  await expect(page.getByText('Summary copied.')).toBeHidden();
  expect(await confirm.boundingBox()).toEqual(place);
});

test('only a package without a courier is deleted', async ({ signedIn, backstage, network }) => {
  const { sender, courier, packages } = await backstage.offers(2);
  const [carried, free] = packages;
  await backstage.accept(courier, carried);
  const { page } = await signedIn(sender);
  const detail = await PackageDetailPage.open(page, carried._id);
  await expect(detail.card('Delivery Personnel')).toContainText('Sani Bello');
  await detail.remove.click();
  await expect(
    page.getByText('A delivery personnel is already assigned to this package. Cannot delete.'),
  ).toBeVisible();
  await expect(detail.question).toBeHidden();

  await PackageDetailPage.open(page, free._id);
  await detail.remove.click();
  await expect(detail.question).toHaveAccessibleName('Delete Package');
  await expect(detail.question).toContainText(
    'This action cannot be undone. The package will be permanently removed.',
  );
  const confirm = detail.question.getByRole('button', { name: 'Confirm' });
  const refusal = { status: 409, code: 'invalid_state', message: '' } as const;
  answerInstead(network, 'DELETE', /^\/api\/packages\//, refusal);
  await confirm.click();
  await expect(page.getByText('Failed to delete package: Please try again')).toBeVisible();
  network.setFaults(null);
  await page.goto('/outbox');
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByText('Package deleted successfully')).toBeVisible();
  await expect.poll(() => backstage.call(sender, 'GET', '/api/packages')).toHaveLength(1);
});

const markup = `<img src=x onerror="window['taken']=1"><b>Kola</b><script>window['taken']=1</script> 👩🏾‍🌾 شحنة`;

async function expectOnlyText(page: Page) {
  await expect(page.getByRole('main').locator('img[src="x"], script, b')).toHaveCount(0);
  expect(await page.evaluate(() => 'taken' in window)).toBe(false);
  expect(await sticksOut(page)).toEqual([]);
}

test('text of any kind stays text', async ({ signedIn, backstage, sender, courier }) => {
  const description = `${markup} ${'x'.repeat(300)}`;
  const made = await backstage.package(sender, {
    ...{ description, pickupAddress: 'Kofar'.repeat(50), notes: markup },
    ...{ recipientName: '<b>موسى</b>', paymentMethod: 'app' },
  });
  const own = await signedIn(sender, '/tracking/pending');
  const card = new PackageListPage(own.page).card('👩🏾‍🌾');
  for (const text of [description, 'Pay with App', 'Not specified']) {
    await expect(card).toContainText(text);
  }
  await expectOnlyText(own.page);
  const detail = await PackageDetailPage.open(own.page, made._id);
  await expect(own.page.getByText('Unpaid', { exact: true })).toBeVisible();
  await expect(detail.card('Shipment')).toContainText(description);
  await expect(detail.card('Recipient')).toContainText('<b>موسى</b>');
  await expectOnlyText(own.page);

  const { page } = await signedIn(courier, '/delivery/pending');
  await expect(new PackageListPage(page).card('👩🏾‍🌾')).toContainText(markup);
  await expectOnlyText(page);
});
