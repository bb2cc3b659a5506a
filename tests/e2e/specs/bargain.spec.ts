/** What was agreed to is what was seen: a price that changed under an accept, a draft in two tabs. */
import { enter } from '#tests/e2e/inside.ts';
import { expect, test } from '#tests/e2e/kaya.ts';
import { createPackages, openTab } from '#tests/e2e/outbox-stage.ts';

test.use({ hasServiceWorker: false });

test('a courier who accepted another price is shown the new one, and accepts that or not', async ({
  phone,
  backstage,
}) => {
  const sender = await backstage.account('Customer', 'Amina');
  const courier = await backstage.account('Employee', 'Sani');
  const [created] = await createPackages(backstage.call, sender, 1);
  const description = created?.description ?? '';
  const { page, context } = await phone();
  const shell = await enter(page, courier);
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

test('one draft in two tabs makes one package', async ({ phone, backstage }) => {
  const sender = await backstage.account('Customer', 'Amina');
  const { page, context } = await phone();
  await enter(page, sender);
  await page.goto('/new-package');
  await page.getByLabel('Pickup Address').fill('12 Kofar Mata Road, Kano');
  await page.getByLabel('Delivery Address').fill('4 Zoo Road, Kano');
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByLabel('Recipient Name').fill('Musa Ibrahim');
  await page.getByLabel('Recipient Phone').fill('0805 765 4321');
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByLabel('Description').fill('Two bolts of indigo cloth');
  await page.getByLabel('Pickup Date').fill('2027-01-15T09:00');
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByLabel('Price Offer').fill('1500');
  await page.getByLabel('Payment Method').selectOption('cash');
  const other = await openTab(context, '/new-package');
  await expect(other.getByLabel('Price Offer')).toHaveValue('1500');

  // Both tabs are in sight and in focus here: either may say that it is done.
  await page.getByRole('button', { name: 'Create Package' }).click();
  await expect(page).toHaveURL(/\/tracking$/);
  // The draft has become a package: there is nothing left of it to press for.
  await expect(other.getByLabel('Pickup Address')).toHaveValue('');
  expect(await backstage.call(sender, 'GET', '/api/packages')).toHaveLength(1);
});
