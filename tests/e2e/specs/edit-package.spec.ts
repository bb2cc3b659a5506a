/** The edit form: drafts are kept, leaving asks first, and errors appear at their fields. */
import { expect, test } from '#tests/e2e/kaya.ts';
import { EditPackagePage } from '#tests/e2e/pages/edit-package-page.ts';

test.use({ hasServiceWorker: false });

const cloth = 'Two bolts of indigo cloth';

test('a draft survives a reload until it is saved, and leaving it asks first', async ({
  signedIn,
  backstage,
  sender,
}) => {
  const made = await backstage.package(sender);
  const { page, shell } = await signedIn(sender);
  let edit = await EditPackagePage.open(page, made._id);
  await expect(page.getByText(made.packageId, { exact: true })).toBeVisible();
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

  await page.goto('/');
  const list = await shell.openTracking();
  const detail = await list.open('Four bolts');
  edit = await detail.editShipment();
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
  // Side by side on a small phone, too: what leaves all as it is first.
  await page.setViewportSize({ width: 360, height: 740 });
  const discard = edit.question.getByRole('button', { name: 'Discard changes' });
  const [stays, act] = await Promise.all(
    [edit.question.getByRole('button', { name: 'Keep editing' }), discard].map((each) =>
      each.boundingBox(),
    ),
  );
  expect(act?.y).toBe(stays?.y);
  expect(act?.x).toBeGreaterThan(stays?.x ?? 360);
  await discard.click();
  await expect(page).toHaveURL(/\/package-detail\//);
  await expect(detail.card('Shipment')).toContainText('Four bolts');
  await page.goBack();
  await expect(page).toHaveURL(/\/tracking$/);

  await list.open('Four bolts');
  edit = await detail.editShipment();
  await expect(edit.description).toHaveValue('Four bolts');
});

test('a refused deletion is said on the form, which stays; one that waits leads away', async ({
  signedIn,
  backstage,
  sender,
  courier,
  network,
}) => {
  const [taken, kept] = [await backstage.package(sender), await backstage.package(sender)];
  const { page } = await signedIn(sender);
  const edit = await EditPackagePage.open(page, taken._id);
  const failed = page.getByRole('alert').filter({ hasText: 'Delete failed' });
  const remove = async () => {
    await edit.remove.click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  };

  await test.step('Back closes the question, on the first page of the app as well', async () => {
    await expect(edit.description).toHaveValue(cloth);
    await edit.remove.click();
    await expect(page.getByRole('alertdialog')).toBeVisible();
    await page.goBack();
    await expect(page.getByRole('alertdialog')).toBeHidden();
    await expect(page).toHaveURL(new RegExp(`/edit-package/${taken._id}$`));
  });

  await test.step('by the server, in a race', async () => {
    network.setFaults((method) =>
      method === 'DELETE' ? { kind: 'status', status: 409, code: 'courier_assigned' } : null,
    );
    await remove();
    await expect(failed).toBeVisible();
    await expect(page).toHaveURL(new RegExp(`/edit-package/${taken._id}$`));
    await expect(edit.description).toHaveValue(cloth);
  });

  await test.step('by what the phone knows', async () => {
    network.setFaults(null);
    await backstage.accept(courier, taken);
    await page.reload();
    await expect(page.getByText(/already assigned to this package/)).toBeVisible();
    await edit.remove.click();
    await expect(failed).toBeVisible();
    await expect(page).toHaveURL(new RegExp(`/edit-package/${taken._id}$`));
  });

  await test.step('offline it waits its turn', async () => {
    await EditPackagePage.open(page, kept._id);
    await expect(edit.description).toHaveValue(cloth);
    await page.context().setOffline(true);
    // The offline line takes space from the form.
    await expect(page.getByText(/^Offline/)).toBeVisible();
    await edit.remove.evaluate((button) => button.scrollIntoView({ block: 'center' }));
    await remove();
    await expect(page).toHaveURL(/\/tracking/);
    await page.context().setOffline(false);
  });
});
