/** The edit form: what is typed is kept, leaving it asks, and what is wrong is said at the field. */
import { enter } from '#tests/e2e/inside.ts';
import { expect, test } from '#tests/e2e/kaya.ts';
import { type MadePackage, makePackages } from '#tests/e2e/package-stage.ts';
import { ChangesPage } from '#tests/e2e/pages/changes-page.ts';
import { EditPackagePage } from '#tests/e2e/pages/edit-package-page.ts';
import { PackageDetailPage } from '#tests/e2e/pages/package-detail-page.ts';
import { PackageListPage } from '#tests/e2e/pages/package-list-page.ts';
import { WizardPage } from '#tests/e2e/pages/wizard-page.ts';

const cloth = 'Two bolts of indigo cloth';

test('what is typed survives a reload, until it is saved or begun again', async ({
  phone,
  backstage,
}) => {
  const sender = await backstage.account('Customer', 'Amina');
  const [made] = await makePackages(backstage.serverUrl, sender, [{}]);
  const { page } = await phone();
  await enter(page, sender);
  const edit = await EditPackagePage.open(page, made?._id ?? '');
  await edit.description.fill('Three bolts');
  await page.reload();
  await expect(edit.description).toHaveValue('Three bolts');
  await expect(page.getByText('We restored your unsaved changes.')).toBeVisible();

  await page.getByRole('button', { name: 'Start over' }).click();
  await expect(edit.description).toHaveValue(cloth);
  await expect(page.getByText('We restored your unsaved changes.')).toBeHidden();

  // Somebody else's change meanwhile stands: only what was typed here is sent.
  await edit.description.fill('Four bolts');
  await page.reload();
  await expect(edit.description).toHaveValue('Four bolts');
  await backstage.call(sender, 'PATCH', `/api/packages/${made?._id}`, { notes: 'Ring twice' });
  await edit.save.click();
  await expect(page.getByText('Package updated successfully!')).toBeVisible();
  const after = await backstage.call(sender, 'GET', `/api/packages/${made?._id}`);
  expect(after).toMatchObject({ description: 'Four bolts', notes: 'Ring twice' });
  await EditPackagePage.open(page, made?._id ?? '');
  await expect(edit.description).toHaveValue('Four bolts');
  await expect(page.getByText('We restored your unsaved changes.')).toBeHidden();
});

test('leaving with something unsaved asks, by the button and by the browser’s Back', async ({
  phone,
  backstage,
}) => {
  const sender = await backstage.account('Customer', 'Amina');
  const [made] = await makePackages(backstage.serverUrl, sender, [{}]);
  const { page } = await phone();
  const list = await (await enter(page, sender)).openTracking();
  const detail = await list.open(cloth);
  let edit = await detail.editShipment();
  await edit.back.click();
  await expect(page).toHaveURL(/\/package-detail\//);

  edit = await detail.editShipment();
  await edit.description.fill('Three bolts');
  for (const leave of [() => edit.back.click(), () => page.goBack()]) {
    await leave();
    await expect(edit.question).toContainText('Your changes here haven’t been saved.');
    await edit.question.getByRole('button', { name: 'Keep editing' }).click();
    await expect(edit.question).toBeHidden();
    await expect(page).toHaveURL(new RegExp(`/edit-package/${made?._id}$`));
    await expect(edit.description).toHaveValue('Three bolts');
  }
  await page.goBack();
  await edit.question.getByRole('button', { name: 'Discard changes' }).click();
  await expect(page).toHaveURL(/\/package-detail\//);
  await expect(detail.card('Shipment')).toContainText(cloth);
  await page.goBack();
  await expect(page).toHaveURL(/\/tracking$/);

  await list.open(cloth);
  edit = await detail.editShipment();
  await expect(edit.description).toHaveValue(cloth);
});

test('what cannot be is said at its field, and nothing typed is lost', { tag: '@long' }, async ({
  phone,
  backstage,
}) => {
  const sender = await backstage.account('Customer', 'Amina');
  const [made] = await makePackages(backstage.serverUrl, sender, [{}]);
  const { page } = await phone();
  await enter(page, sender);
  const edit = await EditPackagePage.open(page, made?._id ?? '');
  await expect(edit.description).toHaveValue(cloth);

  const complaints = [
    [edit.pickupDate, '2026-01-15T09:00', 'The pickup date has passed. Please choose a later one.'],
    [
      edit.deliveryDate,
      '2027-01-14T09:00',
      'The delivery date must not be before the pickup date.',
    ],
    [edit.price, '-5', 'Must be more than zero.'],
    [edit.price, '0.001', 'Must be more than zero.'],
    [edit.price, '12.345', 'Must have at most two decimals.'],
    [edit.price, 'a lot', 'Must be an amount, such as 1500 or 2500.50.'],
    [edit.description, '   ', 'This field is required.'],
    [edit.description, 'x'.repeat(10_000), 'Must be at most 1000 characters.'],
    [edit.description, 'abc\u202edef', 'Must not contain control characters. Type the text again.'],
  ] as const;
  for (const [field, typed, complaint] of complaints) {
    const before = await field.inputValue();
    await field.fill(typed);
    await edit.save.click();
    await expect(field).toHaveAttribute('aria-invalid', 'true');
    expect(await edit.complaintAt(field)).toBe(complaint);
    await expect(field).toBeFocused();
    await expect(field).toHaveValue(typed);
    await field.fill(before);
  }
  await edit.description.fill('<b>Cloth</b> 😀 مرحبا');
  await edit.save.click();
  await expect(page.getByText('Package updated successfully!')).toBeVisible();
  const detail = new PackageDetailPage(page);
  await expect(detail.card('Shipment')).toContainText('<b>Cloth</b> 😀 مرحبا');
});

test('the wizard does not take a pickup date that has passed', { tag: '@long' }, async ({
  phone,
  backstage,
}) => {
  const sender = await backstage.account('Customer', 'Amina');
  const { page } = await phone();
  await enter(page, sender);
  const wizard = await WizardPage.open(page);
  await page.getByLabel('Pickup Address').fill('12 Kofar Mata Road');
  await page.getByLabel('Delivery Address').fill('4 Zoo Road');
  await wizard.next.click();
  await page.getByLabel('Recipient Name').fill('Musa');
  await page.getByLabel('Recipient Phone').fill('0805 765 4321');
  await wizard.next.click();
  await page.getByLabel('Description').fill('Cloth');
  await page.getByLabel('Pickup Date').fill('2026-01-15T09:00');
  await wizard.next.click();
  await expect(page.getByText('The pickup date has passed.')).toBeVisible();
  await expect(page.getByLabel('Pickup Date')).toBeFocused();
  await page.getByLabel('Pickup Date').fill('2027-01-15T09:00');
  await wizard.next.click();
  await expect(page.getByLabel('Price Offer')).toBeVisible();
});

test('a pickup date that has passed stays, where something else is edited', {
  tag: '@long',
}, async ({ phone, backstage }) => {
  const sender = await backstage.account('Customer', 'Amina');
  const pickupDate = '2026-01-15T09:00:00.000Z';
  const [made] = await makePackages(backstage.serverUrl, sender, [{ pickupDate }]);
  const { page } = await phone();
  await enter(page, sender);
  const edit = await EditPackagePage.open(page, made?._id ?? '');
  await edit.description.fill('Cloth after all');
  await edit.save.click();
  await expect(page.getByText('Package updated successfully!')).toBeVisible();
});

test('statuses that cannot be are shown, with the reason', { tag: '@long' }, async ({
  phone,
  backstage,
}) => {
  const sender = await backstage.account('Customer', 'Amina');
  const [made] = await makePackages(backstage.serverUrl, sender, [{}]);
  const { page } = await phone();
  await enter(page, sender);
  await EditPackagePage.open(page, made?._id ?? '');
  const status = page.getByLabel('Delivery Status');
  await expect(status.getByRole('option')).toHaveText(['Pending', 'In Transit', 'Delivered']);
  await expect(status.getByRole('option', { name: 'In Transit' })).toBeDisabled();
  await expect(status.getByRole('option', { name: 'Delivered' })).toBeDisabled();
  await expect(status).toHaveAccessibleDescription(/^In Transit: .+ Delivered: .+/);
});

test('a change that lost the race keeps the number of its package', async ({
  phone,
  backstage,
}) => {
  const sender = await backstage.account('Customer', 'Amina');
  const [sani, bala] = [
    await backstage.account('Employee', 'Sani'),
    await backstage.account('Employee', 'Bala'),
  ];
  const description = `Kola nuts of ${sender.email}`;
  const [made] = await makePackages(backstage.serverUrl, sender, [{ description }]);
  const { packageId } = made as MadePackage;
  const { page, context } = await phone();
  const shell = await enter(page, sani);
  await shell.untilInstalled();
  await shell.openDeliveries();
  const list = new PackageListPage(page);
  await expect(list.card(description)).toBeVisible();
  await context.setOffline(true);
  await list.accept(description);

  const users = (await backstage.call(bala, 'GET', '/api/users')) as {
    _id: string;
    email: string;
  }[];
  const courier = users.find(({ email }) => email === bala.email);
  await backstage.call(bala, 'PATCH', `/api/packages/${made?._id}`, {
    ...{ deliveryPersonId: courier?._id, deliveryStatus: 'In Transit' },
  });
  await context.setOffline(false);
  await expect(page.getByText('This package has already been assigned').first()).toBeVisible();
  // It is out of sight now, and the mirror has forgotten it.
  await page.goto('/delivery/pending');
  await list.refresh.click();
  await expect(page.getByText('Up to date')).toBeVisible();
  await expect(list.card(description)).toBeHidden();
  const changes = await ChangesPage.open(page);
  await expect(changes.card('Accept delivery')).toContainText(`${packageId} · ${description}`);
});
