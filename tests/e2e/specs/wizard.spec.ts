/** Creating and deleting a package, as somebody with a keyboard or a Back gesture meets it. */
import { expect, test } from '#tests/e2e/kaya.ts';
import { AuthPage } from '#tests/e2e/pages/auth-page.ts';
import { PackageListPage } from '#tests/e2e/pages/package-list-page.ts';
import { WizardPage } from '#tests/e2e/pages/wizard-page.ts';

test('each step takes the focus, the end says so, and Back after deleting leads to a list', async ({
  phone,
  backstage,
}) => {
  const sender = await backstage.account('Customer', 'Amina');
  const { page } = await phone();
  const shell = await (await AuthPage.open(page)).signInAs(sender);
  await shell.openTracking();
  const wizard = await WizardPage.open(page);
  await page.getByLabel('Pickup Address').fill('12 Kofar Mata Road, Kano');
  await page.getByLabel('Delivery Address').fill('4 Zoo Road, Kano');
  await wizard.next.click();
  await expect(page.getByRole('heading', { name: 'Recipient Details' })).toBeFocused();
  await page.getByRole('button', { name: 'Previous' }).click();
  await expect(page.getByRole('heading', { name: 'Enter Locations' })).toBeFocused();

  const description = 'A sack of groundnuts';
  await wizard.fill({
    pickupAddress: '12 Kofar Mata Road, Kano',
    deliveryAddress: '4 Zoo Road, Kano',
    recipientName: 'Musa Ibrahim',
    recipientPhone: '0805 765 4321',
    description,
    pickupDate: '2027-01-15T09:00',
    priceOffer: '1500',
  });
  await wizard.create.click();
  await expect(page.getByText('Your package is saved.')).toBeVisible();
  await expect(page.getByText('Package created successfully!')).toBeVisible();
  await expect(page).toHaveURL(/\/tracking$/);

  const detail = await new PackageListPage(page).open(description);
  await page.getByRole('link', { name: 'Edit shipment' }).click();
  await expect(page).toHaveURL(/\/edit-package\//);
  await detail.remove.click();
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page).toHaveURL(/\/tracking$/);
  await page.goBack();
  await expect(page).toHaveURL(/\/tracking$/);
  await expect(page.getByRole('heading', { name: 'Tracking' })).toBeVisible();
});
