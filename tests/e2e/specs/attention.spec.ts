/** Resolving refused changes: mine or theirs, and the form again after an error. */
import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { admin, packageBody } from '#tests/e2e/backstage.ts';
import { answerInstead } from '#tests/e2e/inside.ts';
import { expect, test } from '#tests/e2e/kaya.ts';
import { acceptEach, isPatch } from '#tests/e2e/outbox-stage.ts';
import { ChangesPage } from '#tests/e2e/pages/changes-page.ts';
import { WizardPage } from '#tests/e2e/pages/wizard-page.ts';

async function saveEdit(page: Page, changes: Readonly<Record<string, string>>) {
  for (const [label, text] of Object.entries(changes)) await page.getByLabel(label).fill(text);
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page).toHaveURL(/\/package-detail\//);
}

test('two people edit offline: the second chooses @long', async ({
  installed,
  backstage,
  sender,
}) => {
  const { _id: id } = await backstage.package(sender);
  const [amina, dispatcher] = [await installed(sender), await installed(admin)];

  // Both open the form, go offline, and save.
  for (const { page, context } of [amina, dispatcher]) {
    await page.goto(`/edit-package/${id}`);
    await expect(page.getByLabel('Description')).toHaveValue('Two bolts of indigo cloth');
    await context.setOffline(true);
  }
  await saveEdit(amina.page, { Description: 'Three bolts', Notes: 'Fragile' });
  await saveEdit(dispatcher.page, { Description: 'Two bolts, wrapped', 'Price Offer': '2000' });
  // At the package and in its timeline.
  await expect(amina.page.getByText('Waiting to send')).toHaveCount(2);

  // The dispatcher's edit is applied; Amina's is refused.
  await dispatcher.context.setOffline(false);
  await expect(dispatcher.page.getByText('Package updated successfully!')).toBeVisible();
  await amina.context.setOffline(false);
  const chip = amina.page.getByRole('link', { name: 'Needs attention' });
  await expect(chip).toBeVisible();
  // The server's value is shown until she decides.
  await expect(amina.page.getByText('Two bolts, wrapped')).toBeVisible();

  await chip.click();
  const changes = new ChangesPage(amina.page);
  const card = changes.card('Edit package');
  await expect(card).toBeFocused();
  await expect(card).toContainText('Someone else changed the same fields');
  const description = changes.field('Description');
  await expect(description.theirs).toBeChecked();
  await expect(description.theirs).toHaveAccessibleName('Theirs Two bolts, wrapped');
  await expect(description.mine).toHaveAccessibleName('Mine Three bolts');
  // Nobody else touched the notes.
  await expect(changes.field('Notes').mine).toBeChecked();
  await expect(changes.field('Price Offer').mine).toHaveCount(0);
  // It would overwrite the other change unseen.
  await expect(card.getByRole('button', { name: 'Retry' })).toHaveCount(0);

  // By keyboard: the other option of the field, then the button.
  await description.theirs.focus();
  await amina.page.keyboard.press('ArrowUp');
  await expect(description.mine).toBeChecked();
  await amina.page.getByRole('button', { name: 'Send my choice' }).press('Enter');
  await expect(changes.empty).toBeVisible();
  expect(await backstage.call(sender, 'GET', `/api/packages/${id}`)).toMatchObject({
    description: 'Three bolts',
    notes: 'Fragile',
    priceOffer: 2000,
  });
});

test('refused changes are fixed in their forms @long', async ({ installed, backstage }) => {
  const musa = await backstage.sender('Musa');
  const ladi = {
    email: `ladi-${randomUUID().slice(0, 8)}@kaya.test`,
    password: 'a-good-password',
    role: 'Customer',
  } as const;
  const id = await backstage.signUp(ladi);

  const { page, context } = await installed(ladi);
  await page.goto(`/edit-user/${id}`);
  await expect(page.getByLabel('Email')).toHaveValue(ladi.email);

  // Offline she completes her profile with Musa's e-mail and sends a package.
  await context.setOffline(true);
  await page.getByLabel('First Name').fill('Ladi');
  await page.getByLabel('Last Name').fill('Sule');
  await page.getByLabel('Email').fill(musa.email);
  await page.getByLabel('Phone Number').fill('0803 123 4567');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page).not.toHaveURL(/edit-user/);
  const wizard = await WizardPage.open(page);
  await wizard.fill();
  await wizard.submit();
  await expect(page.getByRole('article')).toContainText('Waiting to send');

  // The server refuses both.
  await context.setOffline(false);
  await expect(page.getByRole('link', { name: 'Account 2 need attention' })).toBeVisible();
  // It is in no list any more, so the list links to it.
  await page.getByRole('link', { name: '1 new package needs attention' }).click();
  const changes = new ChangesPage(page);
  await expect(changes.card('Create package')).toBeFocused();
  await expect(changes.card('Edit profile')).toContainText('This email is already in use.');
  await expect(changes.card('Create package')).toContainText('Your profile has no name');

  // The profile as typed, with another e-mail.
  await changes.edit('Edit profile');
  await expect(page.getByLabel('First Name')).toHaveValue('Ladi');
  await expect(page.getByLabel('Email')).toHaveValue(musa.email);
  await expect(page.getByLabel('Email')).toHaveAccessibleDescription(
    'This email is already in use.',
  );
  await page.getByLabel('Email').fill(ladi.email);
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('User updated successfully!')).toBeVisible();
  await expect(page).toHaveURL(/\/outbox/);
  await expect(changes.card('Edit profile')).toHaveCount(0);

  // The package as typed.
  await changes.edit('Create package');
  await expect(page.getByLabel('Pickup Address')).toHaveValue(packageBody.pickupAddress);
  await wizard.fill();
  await wizard.submit();
  await expect(page.getByText('Waiting to send')).toBeHidden();
  expect(await backstage.call(ladi, 'GET', '/api/packages')).toHaveLength(1);
});
test('several refusals make one toast @long', async ({ installed, backstage, network }) => {
  const { courier, packages } = await backstage.offers(2);
  const rival = await backstage.courier('Bala');
  const { page, context } = await installed(courier);
  await context.setOffline(true);
  await acceptEach(page, packages);
  const refused = { status: 409, code: 'invalid_state', message: '' } as const;
  answerInstead(network, 'PATCH', /^\/api\/packages\//, refused);
  // Only after the user would have stopped waiting for the answer.
  await expect(page.getByText('Saved. It will be sent when you are back online.')).toBeHidden();
  await context.setOffline(false);
  const said = page.getByRole('alert').filter({ hasText: '2 changes need attention' });
  await expect(said).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(1);
  await said.getByRole('button', { name: 'View' }).click();
  await expect(page).toHaveURL(/\/outbox$/);
  const attention = page.getByRole('heading', { name: 'Needs attention 2' });
  await expect(attention).toBeVisible();

  const cards = page.getByRole('listitem');
  const [first, second] = packages.map(({ description }) => cards.filter({ hasText: description }));
  if (!first || !second) throw new Error('There are two packages.');
  await expect(first).toContainText('The package’s status has changed');
  network.setFaults(null);
  for (const each of packages) await backstage.accept(rival, each);
  const refusal = network.holdNextReply(isPatch);
  await first.getByRole('button', { name: 'Retry' }).press('Enter');
  await refusal.answered;
  // It is now in another list, and still has the focus.
  await expect(page.getByRole('heading', { name: 'Waiting 1' })).toBeVisible();
  await expect(first).toBeFocused();
  refusal.release();
  await expect(attention).toBeVisible();
  await expect(first).toBeFocused();
  // Announced without a toast, which would cover the card.
  await expect(page.getByRole('status').filter({ hasText: 'Needs attention: 2' })).toBeAttached();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(first).toContainText('Another courier accepted it first.');
  await expect(first.getByRole('button', { name: 'Retry' })).toHaveCount(0);

  await new ChangesPage(page).discard(first);
  await expect(first).toHaveCount(0);
  await expect(second).toBeFocused();
});

test('a courier accepts a changed price @long', async ({ signedIn, backstage }) => {
  const { sender, courier, packages } = await backstage.offers(1);
  const [{ _id: id, description }] = packages;
  const { page, context, shell } = await signedIn(courier);
  const deliveries = await shell.openDeliveries();
  await expect(deliveries.card(description)).toBeVisible();
  await context.setOffline(true);
  await deliveries.accept(description);
  await expect(page.getByText('Waiting to send')).toBeVisible();
  await backstage.call(sender, 'PATCH', `/api/packages/${id}`, { priceOffer: 300 });
  await context.setOffline(false);

  await expect(page.getByText('Failed to accept package. Please try again.')).toBeVisible();
  const changes = await ChangesPage.open(page);
  const card = changes.card('Accept delivery');
  await expect(card).toContainText('The package was changed after you last saw it.');
  await expect(card).toContainText('Now ₦300');
  await card.getByRole('button', { name: 'Accept as it is now' }).click();
  await expect(page.getByText('Delivery accepted!')).toBeVisible();
  await expect(page.getByText('Everything has been sent.')).toBeVisible();
  expect(await backstage.call(sender, 'GET', `/api/packages/${id}`)).toMatchObject({
    deliveryStatus: 'In Transit',
    priceOffer: 300,
  });
});
