/** The Dispatch card of a package: assigning, cancelling and refunding. */
import { admin, type Backstage, nameOf, unique, userOf } from '#tests/e2e/backstage.ts';
import { comeBack } from '#tests/e2e/inside.ts';
import { expect, test } from '#tests/e2e/kaya.ts';
import { DispatchCard } from '#tests/e2e/pages/dispatch-card.ts';

test.use({ hasServiceWorker: false });

const rowOf = ({ call }: Backstage, id: string) => call(admin, 'GET', `/api/packages/${id}`);
const onOffer = { deliveryStatus: 'Pending', deliveryPersonId: null };

test('a dispatcher assigns by keyboard and cancels', async ({ signedIn, backstage, sender }) => {
  const [sani, hauwa] = [
    await backstage.courier(unique('Sani')),
    await backstage.courier(unique('Hauwa')),
  ];
  const { _id: id } = await backstage.package(sender);
  const { page } = await signedIn(admin);
  const card = await DispatchCard.open(page, id);
  await expect(card.card).toContainText('No courier yet.');

  // Keyboard only: open, type a name, arrow to it, assign.
  await card.assign.press('Enter');
  const picker = card.picker('Assign courier');
  await expect(picker.search).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(picker.dialog).toContainText('Choose a courier.');
  await page.keyboard.type(`${sani.firstName.toUpperCase()} bel`);
  await expect(picker.dialog.getByRole('radio')).toHaveCount(1);
  await page.keyboard.press('Tab');
  await expect(picker.courier(nameOf(sani))).toBeFocused();
  await page.keyboard.press('Space');
  await expect(picker.courier(nameOf(sani))).toBeChecked();
  await expect(picker.dialog).toContainText('No active deliveries');
  await page.keyboard.press('Enter');
  await expect(page.getByText(`Assigned to ${nameOf(sani)}.`)).toBeVisible();
  await expect(picker.dialog).toBeHidden();
  await expect(card.reassign).toBeFocused();
  await expect(card.card).toContainText(`Assigned to ${nameOf(sani)}, not picked up yet.`);
  expect(await rowOf(backstage, id)).toMatchObject({
    deliveryStatus: 'In Transit',
    deliveryPersonId: { _id: sani.id },
  });

  // Reassign: neither the current courier nor the sender is offered.
  await card.reassign.press('Enter');
  const second = card.picker('Reassign');
  await second.search.fill(sani.firstName);
  await expect(second.dialog).toContainText('No matching couriers.');
  // Escape clears the search first, then closes the dialog.
  await page.keyboard.press('Escape');
  await expect(second.search).toHaveValue('');
  await page.keyboard.press('Escape');
  await expect(second.dialog).toBeHidden();
  await expect(card.reassign).toBeFocused();
  await card.reassign.click();
  await second.search.fill(hauwa.firstName);
  await second.search.press('Enter');
  await expect(card.card).toContainText(`Assigned to ${nameOf(hauwa)}, not picked up yet.`);

  const question = page.getByRole('dialog', { name: 'Move it back to Pending?' });
  const putBack = async () => {
    await card.toPending.click();
    await question.getByRole('button', { name: 'Back to Pending' }).click();
  };
  await putBack();
  await expect(page.getByText('It’s available to couriers again.')).toBeVisible();
  await expect(card.card).toContainText('No courier yet.');
  await expect(card.toPending).toHaveCount(0);
  expect(await rowOf(backstage, id)).toMatchObject(onOffer);

  await card.cancel.click();
  const last = page.getByRole('dialog', { name: 'Cancel this package?' });
  await last.getByRole('button', { name: 'Go back' }).click();
  await expect(card.cancel).toBeFocused();
  await card.cancel.click();
  await last.getByRole('button', { name: 'Cancel package' }).click();
  await expect(page.getByText('Package cancelled.')).toBeVisible();
  for (const gone of [card.assign, card.cancel]) await expect(gone).toHaveCount(0);
  // The button disappears after its action; the focus is not lost.
  await expect(card.card.getByText('It has been cancelled.')).toBeFocused();
  expect(await rowOf(backstage, id)).toMatchObject({ deliveryStatus: 'Cancelled' });
  await putBack();
  await expect(card.assign).toBeVisible();
});

test('a failed assignment keeps the choice @long', async ({
  signedIn,
  backstage,
  network,
  sender,
}) => {
  const courier = await backstage.courier(unique('Tanko'));
  const { _id: id } = await backstage.package(sender);
  const { page, context } = await signedIn(admin);
  const card = await DispatchCard.open(page, id);
  await card.assign.click();
  const picker = card.picker('Assign courier');
  const alert = picker.dialog.getByRole('alert');
  const assign = picker.dialog.getByRole('button', { name: 'Assign courier' });
  await picker.search.fill(courier.firstName);
  await picker.courier(nameOf(courier)).check();

  await context.setOffline(true);
  await assign.click();
  await expect(alert).toHaveText(/You need an internet connection/);
  await expect(picker.courier(nameOf(courier))).toBeChecked();
  await expect(card.card).toContainText('No courier yet.');

  // Deactivated since, which this phone does not know.
  const isPull = (method: string, path: string) => method === 'GET' && path.includes('since=');
  network.setFaults((method, path) =>
    isPull(method, path) || path.startsWith('/api/events') ? { kind: 'dropped before' } : null,
  );
  await backstage.call(admin, 'DELETE', '/api/users', { id: courier.id });
  await context.setOffline(false);
  await assign.click();
  await expect(alert).toHaveText(/Must be an active delivery personnel/);
  network.setFaults(null);
  await comeBack(page);
  await expect(picker.courier(nameOf(courier))).toHaveCount(0);
  expect(await rowOf(backstage, id)).toMatchObject(onOffer);
});

test('a dispatcher refunds a paid package @long', async ({ signedIn, backstage, sender }) => {
  const funds = { id: sender.id, amount: 5000, reason: 'Paid at the office' };
  await backstage.call(admin, 'PATCH', '/api/users/balance', funds);
  const { _id: id } = await backstage.package(sender, { paymentMethod: 'app' });
  expect((await userOf(backstage, sender)).balance).toBe(3500);
  const { page } = await signedIn(admin);
  const card = await DispatchCard.open(page, id);
  await card.cancel.click();
  const question = page.getByRole('dialog', { name: 'Cancel this package?' });
  await expect(question).toContainText('₦1,500 goes back to the sender’s balance.');
  await question.getByRole('button', { name: 'Go back' }).click();

  const refund = { name: 'Refund sender' };
  await card.card.getByRole('button', refund).click();
  await page.getByRole('dialog').getByRole('button', refund).click();
  await expect(page.getByText('Refunded.')).toBeVisible();
  await expect(card.card.getByRole('button', refund)).toHaveCount(0);
  expect((await userOf(backstage, sender)).balance).toBe(5000);
  expect(await rowOf(backstage, id)).toMatchObject({ paymentStatus: 'unpaid' });
});

test('of two simultaneous dispatchers the second is told @long', async ({
  signedIn,
  backstage,
}) => {
  const { packages, courier: first } = await backstage.offers(1);
  const [{ _id: id }] = packages;
  const second = await backstage.courier(unique('Rabiu'));
  const { page } = await signedIn(admin);
  const card = await DispatchCard.open(page, id);
  await card.assign.click();
  await card.picker('Assign courier').search.fill(second.firstName);
  await card.picker('Assign courier').courier(nameOf(second)).check();

  await backstage.call(admin, 'PATCH', `/api/packages/${id}`, { deliveryPersonId: first.id });
  const { dialog, courier } = card.picker('Reassign');
  await expect(courier(nameOf(second))).toBeChecked();
  const reassign = dialog.getByRole('button', { name: 'Reassign' });
  await reassign.click();
  await expect(dialog.getByRole('alert')).toContainText(
    `It was just assigned to ${nameOf(first)}.`,
  );
  expect(await rowOf(backstage, id)).toMatchObject({ deliveryPersonId: { _id: first.id } });
  await reassign.click();
  await expect(card.card).toContainText(`Assigned to ${nameOf(second)}, not picked up yet.`);
});
