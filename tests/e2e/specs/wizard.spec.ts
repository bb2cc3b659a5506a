/** Creating and deleting a package by keyboard and with the Back gesture. */
import { packageBody } from '#tests/e2e/backstage.ts';
import { answerInstead } from '#tests/e2e/inside.ts';
import { expect, test } from '#tests/e2e/kaya.ts';
import { openTab } from '#tests/e2e/outbox-stage.ts';
import { ChangesPage } from '#tests/e2e/pages/changes-page.ts';
import { PackageListPage } from '#tests/e2e/pages/package-list-page.ts';
import { CheckoutPage, DepositPage } from '#tests/e2e/pages/payment-page.ts';
import { WizardPage } from '#tests/e2e/pages/wizard-page.ts';

test.use({ hasServiceWorker: false });

test('each step takes the focus, and Back leads on', async ({ signedIn, sender }) => {
  const { page, shell } = await signedIn(sender);
  await shell.openTracking();
  const wizard = await WizardPage.open(page);
  const pickup = page.getByLabel('Pickup Address');
  await wizard.next.click();
  const missing = 'Please fill in both pickup and delivery addresses.';
  const complaint = page.getByRole('alert').filter({ hasText: missing });
  await expect(complaint).toBeVisible();
  await expect(pickup).toBeFocused();
  // It goes with the last of what it complains about.
  await pickup.fill('12 Kofar Mata Road, Kano');
  await expect(complaint).toBeVisible();
  await page.getByLabel('Delivery Address').fill('4 Zoo Road, Kano');
  await expect(complaint).toBeHidden();
  await wizard.fillAddresses({ pickupAddress: 'x'.repeat(301) });
  await wizard.next.click();
  await expect(pickup).toHaveAccessibleDescription(/^Must be at most 300 characters\./);
  await wizard.fillAddresses();
  await wizard.next.click();
  await expect(page.getByRole('heading', { name: 'Recipient Details' })).toBeFocused();
  // What is optional says so beside its label, to everybody.
  await expect(page.getByLabel('Recipient Email')).toHaveAccessibleDescription('Optional');
  const top = async (text: string) =>
    (await page.getByText(text, { exact: true }).boundingBox())?.y ?? 0;
  expect(Math.abs((await top('Optional')) - (await top('Recipient Email')))).toBeLessThan(8);
  await page.getByRole('button', { name: 'Previous' }).click();
  await expect(page.getByRole('heading', { name: 'Enter Locations' })).toBeFocused();

  const description = 'A sack of groundnuts';
  await wizard.fill({ description });
  await page.evaluate(() => {
    const store = IDBObjectStore.prototype;
    const { add } = store;
    store.add = () => {
      store.add = add;
      throw new Error('Not written.');
    };
  });
  await wizard.create.click();
  await expect(page.getByText('Your entries are still here.')).toBeVisible();
  await expect(page.getByLabel('Price Offer')).toHaveValue('1500');
  await wizard.create.click();
  await expect(page.getByText('Your package is saved.')).toBeVisible();
  await expect(page.locator('body')).not.toBeFocused();
  await expect(page.getByText('Package created successfully!')).toBeVisible();
  await expect(page).toHaveURL(/\/tracking$/);

  const detail = await new PackageListPage(page).open(description);
  await page.getByRole('link', { name: 'Edit shipment' }).click();
  await expect(page).toHaveURL(/\/edit-package\//);
  await detail.remove.click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page).toHaveURL(/\/tracking$/);
  await page.goBack();
  await expect(page).toHaveURL(/\/tracking$/);
  await expect(page.getByRole('heading', { name: 'Tracking' })).toBeVisible();
});

test('what the balance lacks is added, the draft is kept, and the next form is not left', async ({
  signedIn,
  sender,
}) => {
  const { page } = await signedIn(sender);
  const wizard = await WizardPage.open(page);
  await wizard.fill({ paymentMethod: 'app' });
  await page.getByRole('link', { name: 'Add funds' }).click();
  const deposit = new DepositPage(page);
  await expect(deposit.amount).toHaveValue('1500');
  await deposit.proceed.click();
  await page.waitForURL(/\/sandbox\/checkout\//);
  await new CheckoutPage(page).pay.click();
  await page.getByRole('link', { name: 'Back to the package' }).click();
  await expect(page.getByLabel('Price Offer')).toHaveValue('1500');
  await expect(page.getByText('Your balance: ₦1,500')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Add funds' })).toBeHidden();
  await wizard.submit();

  await test.step('the next form that is opened at Home', async () => {
    await page.goto('/');
    const open = page.getByRole('button', { name: /^Deliver/ });
    await open.click();
    await wizard.fill();
    await wizard.create.click();
    const said = page.getByText('Package created successfully!');
    await expect(said).toBeVisible();
    await open.click();
    // The way to what was created would have been taken by then.
    await expect(said).toBeHidden();
    await expect(page.getByLabel('Pickup Address')).toBeVisible();
    await expect(page).toHaveURL('/');
  });
});

test('a refused creation stays in the wizard', async ({ signedIn, backstage, network, sender }) => {
  const { page } = await signedIn(sender, '/new-package');
  const wizard = new WizardPage(page);
  await wizard.fill();

  await test.step('an amount beyond all money is refused in the form', async () => {
    const price = page.getByLabel('Price Offer');
    await price.fill('99999999999999999999');
    await wizard.create.click();
    await expect(price).toHaveAccessibleDescription(/Must be at most ₦10,000,000\./);
    await price.fill('1500');
  });

  await test.step("without a field: the current step, with the server's message", async () => {
    const message = 'Nothing is taken on a holiday.';
    answerInstead(network, 'POST', /^\/api\/packages$/, {
      status: 403,
      code: 'forbidden',
      message,
    });
    await wizard.create.click();
    await expect(page.getByText('Failed to create package. Please try again.')).toBeVisible();
    await expect(page.getByRole('alert').getByText(message)).toBeVisible();
    await expect(page.getByText('Your package is saved.')).toBeHidden();
    await expect(page.getByRole('heading', { name: 'Pricing and Payment' })).toBeFocused();
    await expect(page.getByLabel('Price Offer')).toHaveValue('1500');
  });

  const complaint = 'This number cannot be called.';
  await test.step('with a field: its step, the field and its error', async () => {
    answerInstead(network, 'POST', /^\/api\/packages$/, {
      status: 422,
      code: 'invalid_fields',
      message: 'Some fields need your attention.',
      fields: { recipientPhone: complaint },
    });
    await wizard.create.click();
    await expect(page.getByRole('heading', { name: 'Recipient Details' })).toBeVisible();
    const recipientPhone = page.getByLabel('Recipient Phone');
    await expect(recipientPhone).toBeFocused();
    await expect(recipientPhone).toHaveAccessibleDescription(complaint);
    await expect(recipientPhone).toHaveValue(packageBody.recipientPhone);
    await expect(page).toHaveURL(/\/new-package$/);
  });

  await test.step('leaving moves it to Changes, once', async () => {
    const changes = await ChangesPage.open(page);
    await expect(changes.card('Create package')).toHaveCount(1);
    await changes.edit('Create package');
    await expect(page.getByLabel('Recipient Phone')).toHaveAccessibleDescription(complaint);
  });

  await test.step('corrected, it is created', async () => {
    network.setFaults(null);
    await page.getByLabel('Recipient Phone').fill('0803 111 2222');
    await wizard.next.click();
    await page.getByLabel('Pickup Date').fill('2026-01-15T09:00');
    await wizard.next.click();
    await expect(page.getByText('The pickup date has passed.')).toBeVisible();
    await page.getByLabel('Pickup Date').fill(packageBody.pickupDate);
    await wizard.next.click();
    await wizard.create.click();
    await expect(page.getByText('Package created successfully!')).toBeVisible();
    await expect(page).toHaveURL(/\/tracking$/);
    const rows = (await backstage.call(sender, 'GET', '/api/packages')) as object[];
    expect(rows).toMatchObject([
      { recipientPhone: '+2348031112222', description: packageBody.description },
    ]);
    await ChangesPage.open(page);
    await expect(new ChangesPage(page).empty).toBeVisible();
    await page.goto('/new-package');
    await expect(page.getByLabel('Pickup Address')).toHaveValue('');
  });
});

test('one draft in two tabs makes one package @long', async ({ signedIn, backstage, sender }) => {
  const { page, context } = await signedIn(sender, '/new-package');
  await new WizardPage(page).fill();
  const draft = await page.evaluate(() => localStorage.getItem('packageDraft') ?? '');
  const other = await openTab(context, '/new-package');
  await expect(other.getByLabel('Price Offer')).toHaveValue('1500');

  // Both tabs are visible and focused here: either may show the toast.
  await page.getByRole('button', { name: 'Create Package' }).click();
  await expect(page).toHaveURL(/\/tracking$/);
  // The draft has become a package: nothing is left to submit.
  await expect(other.getByLabel('Pickup Address')).toHaveValue('');
  expect(await backstage.call(sender, 'GET', '/api/packages')).toHaveLength(1);
  // The same holds for a draft that a killed app left behind.
  expect(draft).toContain('indigo');
  await other.close();
  await page.evaluate((left) => localStorage.setItem('packageDraft', left), draft);
  await page.goto('/new-package');
  await expect(page.getByRole('heading', { name: 'Enter Locations' })).toBeVisible();
  await expect(page.getByLabel('Pickup Address')).toHaveValue('');
});
