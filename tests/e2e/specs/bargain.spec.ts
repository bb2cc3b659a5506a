/** Accepting the terms that were shown: a price changed under an accept, a draft in two tabs. */
import { expect, test } from '#tests/e2e/kaya.ts';
import { openTab } from '#tests/e2e/outbox-stage.ts';
import { WizardPage } from '#tests/e2e/pages/wizard-page.ts';

test.use({ hasServiceWorker: false });

test('a courier accepts or refuses a changed price', async ({ signedIn, backstage }) => {
  const { sender, courier, packages } = await backstage.offers(1);
  const [created] = packages;
  const description = created?.description ?? '';
  const { page, context, shell } = await signedIn(courier);
  const deliveries = await shell.openDeliveries();
  await expect(deliveries.card(description)).toBeVisible();
  await context.setOffline(true);
  await deliveries.accept(description);
  await expect(page.getByText('Waiting to send')).toBeVisible();
  await backstage.call(sender, 'PATCH', `/api/packages/${created?._id}`, { priceOffer: 300 });
  await context.setOffline(false);

  await expect(page.getByText('Failed to accept package. Please try again.')).toBeVisible();
  await page.goto('/outbox');
  const card = page.getByRole('listitem').filter({ hasText: 'Accept delivery' });
  await expect(card).toContainText('The package was changed after you last saw it.');
  await expect(card).toContainText('Now ₦300');
  await card.getByRole('button', { name: 'Accept as it is now' }).click();
  await expect(page.getByText('Delivery accepted!')).toBeVisible();
  await expect(page.getByText('Everything has been sent.')).toBeVisible();
  const [held] = (await backstage.call(sender, 'GET', '/api/packages')) as {
    deliveryStatus: string;
    priceOffer: number;
  }[];
  expect(held).toMatchObject({ deliveryStatus: 'In Transit', priceOffer: 300 });
});

test('one draft in two tabs makes one package', async ({ signedIn, backstage }) => {
  const sender = await backstage.sender();
  const { page, context } = await signedIn(sender, '/new-package');
  await new WizardPage(page).fill();
  const other = await openTab(context, '/new-package');
  await expect(other.getByLabel('Price Offer')).toHaveValue('1500');

  // Both tabs are visible and focused here: either may show the toast.
  await page.getByRole('button', { name: 'Create Package' }).click();
  await expect(page).toHaveURL(/\/tracking$/);
  // The draft has become a package: nothing is left to submit.
  await expect(other.getByLabel('Pickup Address')).toHaveValue('');
  expect(await backstage.call(sender, 'GET', '/api/packages')).toHaveLength(1);
});
