/** A dispatcher edits a user: profile, role, balance, password, account. */
import { errorCatalogue } from '#contract/errors.ts';
import { admin, nameOf, unique, userOf, usersOf } from '#tests/e2e/backstage.ts';
import { expect, test } from '#tests/e2e/kaya.ts';
import { UserPage, UsersPage } from '#tests/e2e/pages/users-page.ts';

test('a dispatcher edits profile, password and balance', async ({ installed, backstage }) => {
  const sender = await backstage.sender(unique('Zainab'));
  const name = nameOf(sender);
  const { page } = await installed(admin);
  const card = await UsersPage.openUser(page, name);

  await card.saveProfile({ 'Phone Number': '' });
  await expect(card.profile.getByLabel('Phone Number')).toHaveAccessibleDescription(
    'This field is required.',
  );
  await card.saveProfile({ 'Phone Number': '0809 111 2222', Address: '5 Lamido Crescent' });
  await expect(page.getByText('User updated successfully!')).toBeVisible();
  expect(await userOf(backstage, sender)).toMatchObject({
    ...{ phoneNumber: '0809 111 2222', address: '5 Lamido Crescent', firstName: sender.firstName },
  });

  await card.adjustBalance('abc', '');
  await expect(card.balance.getByLabel('Amount')).toHaveAccessibleDescription(/Must be a number/);
  await expect(card.balance.getByLabel('Reason')).toHaveAccessibleDescription(
    /This field is required/,
  );
  await card.adjustBalance('₦2,500.50', 'Paid at the office');
  await expect(page.getByText('The balance is now ₦2,500.50.')).toBeVisible();
  await expect(card.balance).toContainText('₦2,500.50 available');
  await expect(card.balance.getByRole('button', { name: 'Adjust Balance' })).toBeFocused();

  // Never below zero; the input is kept.
  await card.adjustBalance('-3000', 'Mistake');
  await expect(card.balance.getByLabel('Amount')).toHaveAccessibleDescription(
    /exceeds their balance by ₦499\.50/,
  );
  await expect(card.balance.getByLabel('Amount')).toHaveValue('-3000');
  await card.adjustBalance('-500', 'Mistake');
  await expect(card.balance).toContainText('₦2,000.50 available');
  expect((await userOf(backstage, sender)).balance).toBe(2000.5);

  await card.password.getByRole('button', { name: 'Set New Password' }).click();
  const newPassword = card.password.getByRole('textbox', { name: 'New Password' });
  await expect(newPassword).toBeFocused();
  const savePassword = card.password.getByRole('button', { name: 'Save Password' });
  await savePassword.click();
  await expect(newPassword).toHaveAccessibleDescription('New password is required');
  await newPassword.fill('another-one');
  await card.password.getByLabel('Confirm Password').fill('another-one');
  await savePassword.click();
  await expect(page.getByText('Password updated successfully!')).toBeVisible();
  const login = { email: sender.email, password: 'another-one' };
  expect(await backstage.call(login, 'GET', '/api/users')).toHaveLength(1);
});

test('deactivation signs out an open phone @long', async ({ signedIn, installed, backstage }) => {
  const sender = await backstage.sender();
  const courier = await backstage.courier(unique('Sani'));
  const courierId = courier.id;
  const packageId = (await backstage.package(sender))._id;
  await backstage.call(admin, 'PATCH', `/api/packages/${packageId}`, {
    deliveryPersonId: courierId,
  });

  const sanis = await signedIn(courier, '/delivery/in-transit');
  await expect(sanis.page.getByRole('article')).toContainText('Two bolts of indigo cloth');

  const { page } = await installed(admin);
  const name = nameOf(courier);
  const card = await UsersPage.openUser(page, name);
  await card.account.getByRole('button', { name: 'Deactivate' }).click();
  const question = page.getByRole('dialog', { name: `Deactivate ${name}?` });
  await expect(question).toContainText('1 package in transit will stay assigned to them.');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(card.account.getByRole('button', { name: 'Deactivate' })).toBeFocused();
  expect((await userOf(backstage, courier)).active).toBe(true);

  await card.account.getByRole('button', { name: 'Deactivate' }).click();
  await question.getByRole('button', { name: 'Deactivate' }).click();
  await expect(page.getByText(`${name} has been deactivated.`)).toBeVisible();
  await expect(page.getByText('Deactivated', { exact: true })).toBeVisible();
  await expect(sanis.page.getByRole('heading', { name: 'Session Expired' })).toBeVisible();
  await expect(sanis.page.getByText(errorCatalogue.account_inactive.message)).toBeVisible();

  await card.account.getByRole('button', { name: 'Reactivate' }).click();
  await expect(page.getByText('User updated successfully!')).toBeVisible();
  await expect(card.account.getByRole('button', { name: 'Deactivate' })).toBeVisible();
  expect(await userOf(backstage, courier)).toMatchObject({ active: true });
});

test('two dispatchers edit one person: the second chooses', async ({ installed, backstage }) => {
  const sender = await backstage.sender(unique('Binta'));
  const other = await backstage.dispatcher();
  const id = sender.id;
  const [ladi, hadiza] = [await installed(admin), await installed(other)];
  const [first, second] = [new UserPage(ladi.page), new UserPage(hadiza.page)];
  for (const { page } of [ladi, hadiza]) await page.goto(`/edit-user/${id}`);

  // Both type before either saves.
  await second.profile.getByLabel('Phone Number').fill('0802 222 2222');
  await second.profile.getByLabel('Address').fill('2 Second Street');
  await second.profile.getByLabel('Vehicle').fill('Bicycle');
  await first.saveProfile({ 'Phone Number': '0801 111 1111', Address: '1 First Street' });
  await expect(ladi.page.getByText('User updated successfully!')).toBeVisible();
  await expect(second.profile.getByText('Someone else changed this profile.')).toBeVisible();
  await expect(second.profile.getByLabel('Address')).toHaveValue('2 Second Street');

  await second.profile.getByRole('button', { name: 'Save Changes' }).click();
  const question = second.profile.getByRole('form', {
    name: 'Someone else changed the same fields',
  });
  await expect(question).toBeVisible();
  const phoneChoice = question.getByRole('group', { name: 'Phone Number' });
  await expect(phoneChoice.getByRole('radio', { name: '0801 111 1111' })).toBeChecked();
  await expect(question.getByRole('group', { name: 'Vehicle' })).toHaveCount(0);
  await phoneChoice.getByRole('radio', { name: '0802 222 2222' }).check();
  await question.getByRole('button', { name: 'Save my choice' }).click();
  await expect(hadiza.page.getByText('User updated successfully!')).toBeVisible();
  expect(await userOf(backstage, sender)).toMatchObject({
    ...{ phoneNumber: '0802 222 2222', address: '1 First Street', vehicle: 'Bicycle' },
  });
  // Without input there, the first one's form updates.
  await expect(first.profile.getByLabel('Phone Number')).toHaveValue('0802 222 2222');
  await backstage.call(admin, 'DELETE', '/api/users', { id: other.id });
});

test("roles change, except the last admin's @long", async ({ installed, backstage }) => {
  const sender = await backstage.sender(unique('Umar'));
  const own = await userOf(backstage, admin);
  for (const { _id, roles, active } of await usersOf(backstage)) {
    const isOther = roles.includes('Admin') && active && _id !== own._id;
    if (isOther) await backstage.call(admin, 'DELETE', '/api/users', { id: _id });
  }
  const { page } = await installed(admin);
  const card = await UsersPage.openUser(page, nameOf(sender));
  await card.chosenRole.selectOption('Delivery Personnel');
  await card.role.getByRole('button', { name: 'Save Role' }).click();
  await expect(page.getByText('User updated successfully!')).toBeVisible();
  expect((await userOf(backstage, sender)).roles).toEqual(['Employee']);

  await page.goto(`/edit-user/${own._id}`);
  await card.chosenRole.selectOption('User');
  await card.role.getByRole('button', { name: 'Save Role' }).click();
  await expect(card.chosenRole).toHaveAccessibleDescription(
    /There must be at least one other active admin first\./,
  );
  await card.account.getByRole('button', { name: 'Deactivate' }).click();
  await page
    .getByRole('dialog', { name: 'Deactivate your own account?' })
    .getByRole('button', { name: 'Deactivate' })
    .click();
  await expect(card.account.getByRole('alert')).toHaveText(
    'There must be at least one other active admin first.',
  );
  expect(await userOf(backstage, admin)).toMatchObject({ active: true, roles: ['Admin'] });
});

test('an edit without reply counts once @long', async ({ installed, backstage, network }) => {
  const sender = await backstage.sender(unique('Maryam'));
  const { page, context } = await installed(admin);
  const card = await UsersPage.openUser(page, nameOf(sender));

  await context.setOffline(true);
  await card.saveProfile({ Address: '9 Offline Street' });
  await expect(card.profile.getByRole('alert')).toHaveText(/You need an internet connection/);
  await expect(card.profile.getByLabel('Address')).toHaveValue('9 Offline Street');
  await card.adjustBalance('700', 'Office');
  await expect(card.balance.getByRole('alert')).toHaveText(/You need an internet connection/);
  await card.account.getByRole('button', { name: 'Deactivate' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click();
  await expect(card.account.getByRole('alert')).toHaveText(/You need an internet connection/);
  await context.setOffline(false);
  await expect(card.profile.getByLabel('Address')).toHaveValue('9 Offline Street');
  expect(await userOf(backstage, sender)).toMatchObject({ address: null, active: true });

  // Applied, but the reply is lost: pressing again repeats the same adjustment.
  const cut = network.cutNextReply((_, path) => path === '/api/users/balance');
  await card.adjustBalance('700', 'Office');
  await cut;
  await expect(card.balance.getByRole('alert')).toHaveText(/No response\. Try again/);
  // Even after the form was closed in between.
  await card.balance.getByRole('button', { name: 'Cancel' }).click();
  await card.adjustBalance('700', 'Office');
  await expect(page.getByText('The balance is now ₦700.')).toBeVisible();
  expect((await userOf(backstage, sender)).balance).toBe(700);

  // After another change, the same input is a new adjustment.
  const cutAgain = network.cutNextReply((_, path) => path === '/api/users/balance');
  await card.adjustBalance('100', 'Fuel');
  await cutAgain;
  await expect(card.balance.getByRole('alert')).toHaveText(/No response\. Try again/);
  await card.balance.getByRole('button', { name: 'Cancel' }).click();
  await card.adjustBalance('-200', 'Fine');
  await expect(page.getByText('The balance is now ₦600.')).toBeVisible();
  await expect(card.balance).toContainText('₦600 available');
  await card.adjustBalance('100', 'Fuel');
  // Read from the card: an earlier toast may still show the same sum.
  await expect(card.balance).toContainText('₦700 available');
  expect((await userOf(backstage, sender)).balance).toBe(700);
});
