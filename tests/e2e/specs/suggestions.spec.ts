/** What the wizard fills in by itself: an earlier package, its places and people, times to come. */
import type { Locator } from '@playwright/test';
import { expect, test } from '#tests/e2e/kaya.ts';
import { PackageDetailPage } from '#tests/e2e/pages/package-detail-page.ts';
import { WizardPage } from '#tests/e2e/pages/wizard-page.ts';

test.use({ hasServiceWorker: false });

test('a second package takes its places, person, time and price from the first', async ({
  signedIn,
  backstage,
  sender,
}) => {
  await backstage.package(sender);
  const { page } = await signedIn(sender);
  const wizard = await WizardPage.open(page);
  const pick = (name: string) => page.getByRole('button', { name, exact: true }).first().click();
  await wizard.next.click();
  const pickup = page.getByLabel('Pickup Address');
  await expect(pickup).toHaveAttribute('aria-invalid', 'true');
  await pick('12 Kofar Mata Road, Kano');
  await expect(pickup).toHaveValue('12 Kofar Mata Road, Kano');
  // An error goes as it is mended.
  await expect(pickup).not.toHaveAttribute('aria-invalid', 'true');
  await pick('4 Zoo Road, Kano');
  await wizard.next.click();
  await pick('Musa Ibrahim 0805 765 4321');
  await expect(page.getByLabel('Recipient Phone')).toHaveValue('0805 765 4321');
  await wizard.next.click();
  await page.getByLabel('Description').fill('A second bale');
  const topOf = async (sought: Locator) => (await sought.boundingBox())?.y ?? 0;
  const date = page.getByLabel('Pickup Date');
  const times = page.getByRole('group', { name: 'Suggested times' }).first();
  expect(await topOf(page.getByText('Pickup Date'))).toBeLessThan(await topOf(times));
  expect(await topOf(times)).toBeLessThan(await topOf(date));
  await pick('Tomorrow 09:00');
  await expect(date).toHaveValue(/T09:00$/);
  await wizard.next.click();
  await page.getByRole('button', { name: '₦1,500 4 Zoo Road, Kano' }).first().press('Enter');
  await expect(page.getByLabel('Price Offer')).toHaveValue('1500');
  await expect(page.getByLabel('Price Offer')).toBeFocused();
  // Only of a price held in the app.
  const fee = page.getByText(/^If it comes back, the courier keeps/);
  await wizard.choosePayment('app');
  await expect(fee).toBeVisible();
  await wizard.choosePayment('cash');
  await expect(fee).toBeHidden();

  const review = page.getByRole('region', { name: 'Check and send' });
  for (const text of ['12 Kofar Mata Road, Kano', 'Tomorrow 09:00', 'Musa Ibrahim', 'A second']) {
    await expect(review).toContainText(text);
  }
  await review.getByRole('button', { name: 'Edit recipient' }).click();
  await expect(page.getByRole('heading', { name: 'Recipient Details' })).toBeFocused();
  await page.getByLabel('Recipient Name').fill('Musa Ibrahim Jr');
  await wizard.next.click();
  await wizard.next.click();
  await expect(review).toContainText('Musa Ibrahim Jr');
  await wizard.submit();
  await expect(page.getByText('A second bale')).toBeVisible();
});

test('an earlier package is sent again in two taps @long', async ({ signedIn, backstage }) => {
  const { sender, courier, packages } = await backstage.offers(1);
  const [pkg] = packages;
  await backstage.accept(courier, pkg);
  const done = { deliveryStatus: 'Delivered' };
  await backstage.call(courier, 'PATCH', `/api/packages/${pkg._id}`, done);
  const { page } = await signedIn(sender);
  await PackageDetailPage.open(page, pkg._id);
  const again = await page.getByRole('link', { name: 'Send again' }).boundingBox();
  if (!again) throw new Error('Not shown.');
  const tap = () => page.mouse.click(again.x + again.width / 2, again.y + again.height / 2);
  await tap();
  await expect(page.getByText(`Filled in from ${pkg.packageId}. Please check it.`)).toBeVisible();
  // The second of a double tap hits *Create Package*, before it can have been read.
  await tap();
  const review = page.getByRole('region', { name: 'Check and send' });
  await expect(review).toContainText(/Today \d\d:\d\d/);
  await new WizardPage(page).submit();
  type Row = { description: string; recipientPhone: string; deliveryStatus: string };
  const rows = await backstage.call<Row[]>(sender, 'GET', '/api/packages');
  const { description, recipientPhone } = pkg;
  expect(rows.find((row) => row.deliveryStatus === 'Pending')).toMatchObject({
    description,
    recipientPhone,
  });
});

test('what is sent again and what is typed stay apart @long', async ({
  signedIn,
  backstage,
  sender,
}) => {
  const { _id: id, packageId } = await backstage.package(sender);
  // Before the first pull has brought it.
  const { page } = await signedIn(sender, `/new-package?again=${id}`);
  await expect(page.getByLabel('Price Offer')).toHaveValue('1500');
  const wizard = await WizardPage.open(page);
  await wizard.fillAddresses({ pickupAddress: 'Typed before' });
  await page.goto(`/new-package?again=${id}`);
  await expect(page.getByText(`Filled in from ${packageId}.`)).toBeVisible();
  await page.getByLabel('Price Offer').fill('1750');
  // Abandoned, it begins no other package, and is there when the same is sent again.
  await page.goto('/new-package');
  await expect(page.getByLabel('Pickup Address')).toHaveValue('Typed before');
  await page.goto(`/new-package?again=${id}`);
  await expect(page.getByLabel('Price Offer')).toHaveValue('1750');
  await wizard.submit();
  await page.goto('/new-package');
  await expect(page.getByLabel('Pickup Address')).toHaveValue('Typed before');
});

test('a contact of the phone is filled in @long', async ({ signedIn, sender }) => {
  const { page, context } = await signedIn(sender);
  await context.addInitScript(() => {
    const select = async () => [{ name: ['Zainab Sule'], tel: ['0803 555 0142'] }];
    Object.defineProperty(navigator, 'contacts', { value: { select } });
  });
  const wizard = await WizardPage.open(page);
  await wizard.fillAddresses();
  await wizard.next.click();
  await page.getByRole('button', { name: 'Choose from contacts' }).click();
  await expect(page.getByLabel('Recipient Name')).toHaveValue('Zainab Sule');
  await expect(page.getByLabel('Recipient Phone')).toHaveValue('0803 555 0142');
});
