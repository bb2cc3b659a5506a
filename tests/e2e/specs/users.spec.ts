/** A dispatcher adds, finds and edits users: profile, role, balance, password, account. */
import type { Page } from '@playwright/test';
import type { WireUser } from '#contract/user.ts';
import { errorCatalogue } from '#server/http/error-catalogue.ts';
import { untilAtWork } from '#tests/e2e/answers.ts';
import { type Account, admin, nameOf, unique, userOf, usersOf } from '#tests/e2e/backstage.ts';
import { comeBack, enter } from '#tests/e2e/inside.ts';
import { expect, test } from '#tests/e2e/kaya.ts';
import { UserPage, UsersPage } from '#tests/e2e/pages/users-page.ts';

test.use({ hasServiceWorker: false });

const updated = 'User updated successfully!';
const required = 'This field is required.';
const needsNetwork = /You need an internet connection/;

test('a dispatcher adds a courier and finds others', async ({
  signedIn,
  backstage,
  sender: taken,
}) => {
  const courier = await backstage.courier(unique('Khadija'));
  const dropped = await backstage.package(taken);
  await backstage.accept(courier, dropped);
  const back = { deliveryPersonId: null, deliveryStatus: 'Pending' };
  await backstage.call(courier, 'PATCH', `/api/packages/${dropped._id}`, back);
  await backstage.call(admin, 'DELETE', '/api/users', { id: courier.id });
  const { page } = await signedIn(admin, '/account');
  await page.getByRole('link', { name: 'Users' }).click();
  await new UsersPage(page).add.click();
  await expect(page.getByRole('heading', { name: 'Add User' })).toBeVisible();

  const save = page.getByRole('button', { name: 'Add User' });
  await save.click();
  await expect(page.getByText('Required fields are missing.')).toBeVisible();
  await expect(page.getByLabel('Role')).toBeFocused();
  await expect(page.getByLabel('Role')).toHaveAccessibleDescription(required);

  const first = unique('Tanko');
  const field = page.getByLabel('Email');
  await page.getByLabel('Role').selectOption('Delivery Personnel');
  await page.getByLabel('First Name').fill(first);
  await page.getByLabel('Last Name').fill('<b>Yusuf</b>');
  await page.getByLabel('Phone Number').fill('0803 555 0199');
  await field.fill(taken.email);
  await page.getByLabel('Password').fill('first-password');
  await save.click();
  await expect(field).toHaveAccessibleDescription('This email is already in use.');
  await expect(field).toBeFocused();

  const email = `${first.toLowerCase()}@kaya.test`;
  await field.fill(email);
  await save.click();
  await expect(page.getByText('User added successfully!')).toBeVisible();
  await expect(page).toHaveURL(/\/edit-user\//);
  await expect(page.getByRole('heading', { name: `${first} <b>Yusuf</b>` })).toBeVisible();
  await expect(new UserPage(page).profile.getByLabel('Email')).toHaveValue(email);

  const login = { email, password: 'first-password' };
  const seen = await backstage.call<WireUser[]>(login, 'GET', '/api/users');
  const own = seen.find((user) => user.email === email);
  expect(own).toMatchObject({ roles: ['Employee'], firstName: first });

  await test.step('users are searched, filtered and not found', () => find(page, courier));
});

async function find(page: Page, courier: Account) {
  const [name, query] = [nameOf(courier), `bello ${courier.firstName}`];
  const list = await UsersPage.open(page);
  const card = list.card(name);
  await list.search.fill(query);
  for (const text of ['Delivery Personnel', 'Deactivated', courier.email, '₦0 available']) {
    await expect(card).toContainText(text);
  }
  await expect(card).toContainText('Rejected 1 in 30 days');
  await list.role.selectOption('Delivery Personnel');
  await list.state.selectOption('Active');
  await expect(list.empty).toBeVisible();
  await list.state.selectOption('Deactivated');
  await expect(card).toBeVisible();

  // After a detour the list is unchanged.
  await list.edit(name);
  await expect(page.getByText('Rejected 1 in 30 days')).toBeVisible();
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(list.search).toHaveValue(query);
  await expect(card).toBeVisible();
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect(list.search).toHaveValue('');
}

test('drafts about people are kept @long', async ({ signedIn, backstage }) => {
  const sender = await backstage.sender(unique('Rukayya'));
  const { page, shell } = await signedIn(admin);
  const back = () => page.getByRole('button', { name: 'Back' }).click();
  const list = await UsersPage.open(page);
  await list.add.click();
  await page.getByLabel('First Name').fill('Yakubu');
  await page.getByLabel('Password').fill('not-for-keeping');
  await back();
  await list.search.fill(sender.firstName);
  const card = await list.edit(nameOf(sender));
  await card.profile.getByLabel('Address').fill('4 Zoo Road');
  // Back would ask; a wide window's rail leads away without.
  const size = page.viewportSize();
  await page.setViewportSize({ width: 1280, height: 800 });
  await shell.account.click();
  await expect(page).toHaveURL(/\/account$/);
  await page.goBack();
  if (size) await page.setViewportSize(size);
  await expect(page.getByRole('region', { name: 'List' })).toBeHidden();
  await expect(card.profile.getByLabel('Address')).toHaveValue('4 Zoo Road');
  await back();
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await list.add.click();
  await expect(page.getByLabel('First Name')).toHaveValue('Yakubu');
  await expect(page.getByLabel('Password')).toHaveValue('');
});

test('a dispatcher edits profile, password and balance @long', async ({ signedIn, backstage }) => {
  const sender = await backstage.sender(unique('Zainab'));
  const { page } = await signedIn(admin);
  const card = await UsersPage.openUser(page, nameOf(sender));

  await card.saveProfile({ 'Phone Number': '' });
  await expect(card.profile.getByLabel('Phone Number')).toHaveAccessibleDescription(required);
  const changes = { phoneNumber: '0809 111 2222', address: '5 Lamido Crescent' };
  await card.saveProfile({ 'Phone Number': changes.phoneNumber, Address: changes.address });
  await expect(page.getByText(updated)).toBeVisible();
  expect(await userOf(backstage, sender)).toMatchObject({
    ...changes,
    phoneNumber: '+2348091112222',
  });
  await expect(card.profile.getByLabel('Phone Number')).toHaveValue(changes.phoneNumber);

  const amount = card.balance.getByLabel('Amount');
  await card.adjustBalance('abc', '');
  await expect(amount).toHaveAccessibleDescription(/Must be a number/);
  await expect(card.balance.getByLabel('Reason')).toHaveAccessibleDescription(/is required/);
  await card.adjustBalance('₦2,500.50', 'Paid at the office');
  await expect(page.getByText('The balance is now ₦2,500.50.')).toBeVisible();
  await expect(card.balance).toContainText('₦2,500.50 available');
  await expect(card.balance.getByRole('button', { name: 'Adjust Balance' })).toBeFocused();
  // Never below zero; the input is kept.
  await card.adjustBalance('-3000', 'Mistake');
  await expect(amount).toHaveAccessibleDescription(/exceeds their balance by ₦499\.50/);
  await expect(amount).toHaveValue('-3000');
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

test('deactivation signs out an open phone @long', async ({ signedIn, backstage, sender }) => {
  const courier = await backstage.courier(unique('Sani'));
  const name = nameOf(courier);
  await backstage.accept(courier, await backstage.package(sender));
  const sanis = await signedIn(courier, '/delivery/in-transit');
  const { page } = await signedIn(admin);
  const card = await UsersPage.openUser(page, name);
  const deactivate = card.account.getByRole('button', { name: 'Deactivate' });
  await deactivate.click();
  const question = page.getByRole('dialog', { name: `Deactivate ${name}?` });
  await expect(question).toContainText('1 package in transit will stay assigned to them.');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(deactivate).toBeFocused();
  await deactivate.click();
  await question.getByRole('button', { name: 'Deactivate' }).click();
  await expect(page.getByText(`${name} has been deactivated.`)).toBeVisible();
  await expect(page.getByText('Deactivated', { exact: true })).toBeVisible();
  await expect(sanis.page.getByRole('heading', { name: 'Session Expired' })).toBeVisible();
  await expect(sanis.page.getByText(errorCatalogue.account_inactive.message)).toBeVisible();

  await card.account.getByRole('button', { name: 'Reactivate' }).click();
  await expect(page.getByText(updated)).toBeVisible();
  await expect(deactivate).toBeVisible();
  expect(await userOf(backstage, courier)).toMatchObject({ active: true });
});

test('two dispatchers edit one person: the second chooses @long', async ({
  signedIn,
  backstage,
}) => {
  const courier = await backstage.courier(unique('Binta'));
  const other = await backstage.dispatcher();
  const path = `/edit-user/${courier.id}`;
  const [ladi, hadiza] = [await signedIn(admin, path), await signedIn(other, path)];
  const [first, second] = [new UserPage(ladi.page), new UserPage(hadiza.page)];

  // Both type before either saves.
  await second.profile.getByLabel('Phone Number').fill('0802 222 2222');
  await second.profile.getByLabel('Address').fill('2 Second Street');
  await second.profile.getByLabel('Vehicle').fill('Bicycle');
  await first.saveProfile({ 'Phone Number': '0801 111 1111', Address: '1 First Street' });
  await expect(ladi.page.getByText(updated)).toBeVisible();
  await expect(second.profile.getByText('Someone else changed this profile.')).toBeVisible();
  await expect(second.profile.getByLabel('Address')).toHaveValue('2 Second Street');

  await second.saveProfile({});
  const question = second.profile.getByRole('form', {
    name: 'Someone else changed the same fields',
  });
  await expect(question).toBeVisible();
  const phoneChoice = question.getByRole('group', { name: 'Phone Number' });
  await expect(phoneChoice.getByRole('radio', { name: '0801 111 1111' })).toBeChecked();
  await expect(question.getByRole('group', { name: 'Vehicle' })).toHaveCount(0);
  await phoneChoice.getByRole('radio', { name: '0802 222 2222' }).check();
  await question.getByRole('button', { name: 'Save my choice' }).click();
  await expect(hadiza.page.getByText(updated)).toBeVisible();
  expect(await userOf(backstage, courier)).toMatchObject({
    phoneNumber: '+2348022222222',
    address: '1 First Street',
    vehicle: 'Bicycle',
  });
  // Without input there, the first one's form updates.
  await expect(first.profile.getByLabel('Phone Number')).toHaveValue('0802 222 2222');
  await backstage.call(admin, 'DELETE', '/api/users', { id: other.id });
});

test("roles change, except the last admin's @long", async ({ signedIn, backstage }) => {
  const sender = await backstage.sender(unique('Umar'));
  const own = await userOf(backstage, admin);
  for (const { _id, roles, active } of await usersOf(backstage)) {
    const isOther = roles.includes('Admin') && active && _id !== own._id;
    if (isOther) await backstage.call(admin, 'DELETE', '/api/users', { id: _id });
  }
  const { page } = await signedIn(admin);
  const card = await UsersPage.openUser(page, nameOf(sender));
  const saveRole = card.role.getByRole('button', { name: 'Save Role' });
  await card.chosenRole.selectOption('Delivery Personnel');
  await saveRole.click();
  await expect(page.getByText(updated)).toBeVisible();
  expect((await userOf(backstage, sender)).roles).toEqual(['Employee']);

  await page.goto(`/edit-user/${own._id}`);
  const refusal = /There must be at least one other active admin first\./;
  await card.chosenRole.selectOption('User');
  await saveRole.click();
  await expect(card.chosenRole).toHaveAccessibleDescription(refusal);
  await card.account.getByRole('button', { name: 'Deactivate' }).click();
  const question = page.getByRole('dialog', { name: 'Deactivate your own account?' });
  await question.getByRole('button', { name: 'Deactivate' }).click();
  await expect(card.account.getByRole('alert')).toHaveText(refusal);
});

test('an edit without reply counts once @long', async ({ signedIn, backstage, network }) => {
  const sender = await backstage.sender(unique('Maryam'));
  const { page, context } = await signedIn(admin);
  const card = await UsersPage.openUser(page, nameOf(sender));
  await context.setOffline(true);
  await card.saveProfile({ Address: '9 Offline Street' });
  await expect(card.profile.getByRole('alert')).toHaveText(needsNetwork);
  await expect(card.profile.getByLabel('Address')).toHaveValue('9 Offline Street');
  await card.adjustBalance('700', 'Office');
  await expect(card.balance.getByRole('alert')).toHaveText(needsNetwork);
  await card.account.getByRole('button', { name: 'Deactivate' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click();
  await expect(card.account.getByRole('alert')).toHaveText(needsNetwork);
  await context.setOffline(false);
  expect(await userOf(backstage, sender)).toMatchObject({ address: null, active: true });

  const adjustUnanswered = async (amount: string, reason: string) => {
    const cut = network.cutNextReply((_, path) => path === '/api/users/balance');
    await card.adjustBalance(amount, reason);
    await cut;
    await expect(card.balance.getByRole('alert')).toHaveText(/No response\. Try again/);
    await card.balance.getByRole('button', { name: 'Cancel' }).click();
  };
  // Applied, but the reply is lost: pressing again repeats the same adjustment.
  await adjustUnanswered('700', 'Office');
  await card.adjustBalance('700', 'Office');
  await expect(page.getByText('The balance is now ₦700.')).toBeVisible();
  // After another change, the same input is a new adjustment.
  await adjustUnanswered('100', 'Fuel');
  await card.adjustBalance('-200', 'Fine');
  await expect(page.getByText('The balance is now ₦600.')).toBeVisible();
  await card.adjustBalance('100', 'Fuel');
  // Read from the card: an earlier toast may still show the same sum.
  await expect(card.balance).toContainText('₦700 available');
  expect((await userOf(backstage, sender)).balance).toBe(700);
});

test('the list of users polls every minute @long', async ({ backstage, network, page }) => {
  // Without an event stream: only the timer and the user trigger a pull.
  network.setFaults((_, path) =>
    path.startsWith('/api/events') ? { kind: 'dropped before' } : null,
  );
  await page.clock.install();
  await enter(page, admin);
  const list = await UsersPage.open(page);
  await expect(page.getByRole('article').first()).toBeVisible();
  // The initial pulls are done: users created now are news.
  await untilAtWork(page);
  for (const pull of [() => page.clock.fastForward(60_000), () => comeBack(page)]) {
    const added = await backstage.sender(unique('Nasiru'));
    await list.search.fill(added.firstName);
    await expect(list.empty).toBeVisible();
    await pull();
    await expect(list.card(nameOf(added))).toBeVisible();
  }
});
