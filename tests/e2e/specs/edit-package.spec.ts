/** The edit form: drafts are kept, leaving asks first, and errors appear at their fields. */
import { expect, test } from '#tests/e2e/kaya.ts';
import { EditPackagePage } from '#tests/e2e/pages/edit-package-page.ts';

const cloth = 'Two bolts of indigo cloth';

test('a draft survives a reload until it is saved', async ({ signedIn, backstage }) => {
  const sender = await backstage.sender();
  const made = await backstage.package(sender);
  const { page } = await signedIn(sender);
  const edit = await EditPackagePage.open(page, made._id);
  await edit.description.fill('   ');
  await edit.save.click();
  await expect(edit.description).toHaveAccessibleDescription(/^This field is required\./);
  await expect(edit.description).toBeFocused();
  await edit.description.fill('Three bolts');
  await edit.pickupDate.fill('2026-01-15T09:00');
  await edit.save.click();
  await expect(edit.pickupDate).toHaveAccessibleDescription(/^The pickup date has passed\./);
  await edit.pickupDate.fill('2027-01-15T09:00');
  await page.reload();
  await expect(edit.description).toHaveValue('Three bolts');
  await expect(page.getByText('We restored your unsaved changes.')).toBeVisible();

  await page.getByRole('button', { name: 'Start over' }).click();
  await expect(edit.description).toHaveValue(cloth);
  await expect(page.getByText('We restored your unsaved changes.')).toBeHidden();

  // Another user's concurrent change stays: only the fields typed here are sent.
  await edit.description.fill('Four bolts');
  await page.reload();
  await expect(edit.description).toHaveValue('Four bolts');
  await backstage.call(sender, 'PATCH', `/api/packages/${made._id}`, { notes: 'Ring twice' });
  await edit.save.click();
  await expect(page.getByText('Package updated successfully!')).toBeVisible();
  const after = await backstage.call(sender, 'GET', `/api/packages/${made._id}`);
  expect(after).toMatchObject({ description: 'Four bolts', notes: 'Ring twice' });
  await EditPackagePage.open(page, made._id);
  await expect(edit.description).toHaveValue('Four bolts');
  await expect(page.getByText('We restored your unsaved changes.')).toBeHidden();
});

test('leaving unsaved changes asks first', async ({ signedIn, backstage }) => {
  const sender = await backstage.sender();
  const made = await backstage.package(sender);
  const { page, shell } = await signedIn(sender);
  const list = await shell.openTracking();
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
    await expect(page).toHaveURL(new RegExp(`/edit-package/${made._id}$`));
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

test('a pickup date in the past stays @long', async ({ signedIn, backstage }) => {
  const sender = await backstage.sender();
  const pickupDate = '2026-01-15T09:00:00.000Z';
  const made = await backstage.package(sender, { pickupDate });
  const { page } = await signedIn(sender);
  const edit = await EditPackagePage.open(page, made._id);
  await edit.description.fill('Cloth after all');
  await edit.save.click();
  await expect(page.getByText('Package updated successfully!')).toBeVisible();
});
