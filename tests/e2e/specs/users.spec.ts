import { untilAtWork } from '#tests/e2e/answers.ts';
import { admin, nameOf, unique, userOf } from '#tests/e2e/backstage.ts';
import { comeBack, enter } from '#tests/e2e/inside.ts';
import { expect, test } from '#tests/e2e/kaya.ts';
import { UserPage, UsersPage } from '#tests/e2e/pages/users-page.ts';

test('a dispatcher adds a courier', async ({ signedIn, installed, backstage }) => {
  const taken = await backstage.sender();
  const { page } = await installed(admin);
  await page.goto('/account');
  await page.getByRole('link', { name: 'Users' }).click();
  const list = new UsersPage(page);
  await list.add.click();
  await expect(page.getByRole('heading', { name: 'Add User' })).toBeVisible();

  const save = page.getByRole('button', { name: 'Add User' });
  await save.click();
  await expect(page.getByText('Required fields are missing.')).toBeVisible();
  await expect(page.getByLabel('Role')).toBeFocused();
  await expect(page.getByLabel('Role')).toHaveAccessibleDescription('This field is required.');

  const first = unique('Tanko');
  await page.getByLabel('Role').selectOption('Delivery Personnel');
  await page.getByLabel('First Name').fill(first);
  await page.getByLabel('Last Name').fill('<b>Yusuf</b>');
  await page.getByLabel('Phone Number').fill('0803 555 0199');
  await page.getByLabel('Email').fill(taken.email);
  await page.getByLabel('Password').fill('first-password');
  await save.click();
  await expect(page.getByLabel('Email')).toHaveAccessibleDescription(
    'This email is already in use.',
  );
  await expect(page.getByLabel('Email')).toBeFocused();

  const email = `${first.toLowerCase()}@kaya.test`;
  await page.getByLabel('Email').fill(email);
  await save.click();
  await expect(page.getByText('User added successfully!')).toBeVisible();
  await expect(page).toHaveURL(/\/edit-user\//);
  await expect(page.getByRole('heading', { name: `${first} <b>Yusuf</b>` })).toBeVisible();
  await expect(new UserPage(page).profile.getByLabel('Email')).toHaveValue(email);

  const { shell } = await signedIn({ email, password: 'first-password' });
  await expect(shell.deliveries).toBeVisible();
  await expect(shell.tracking).toBeHidden();
});

test('users are searched, filtered and not found', async ({ installed, backstage }) => {
  const first = unique('Khadija');
  const courier = await backstage.courier(first);
  await backstage.call(admin, 'DELETE', '/api/users', { id: courier.id });
  const { page } = await installed(admin);
  const list = await UsersPage.open(page);
  const card = list.card(`${first} Bello`);

  await list.search.fill(`bello ${first}`);
  await expect(card).toContainText('Delivery Personnel');
  await expect(card).toContainText('Deactivated');
  await expect(card).toContainText(courier.email);
  await expect(card).toContainText('₦0 available');
  await list.role.selectOption('Delivery Personnel');
  await list.state.selectOption('Active');
  await expect(list.empty).toBeVisible();
  await list.state.selectOption('Deactivated');
  await expect(card).toBeVisible();

  // After a detour the list is unchanged.
  await list.edit(`${first} Bello`);
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(list.search).toHaveValue(`bello ${first}`);
  await expect(card).toBeVisible();
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect(list.search).toHaveValue('');
});

test('the list of users polls every minute @long', async ({ phone, backstage, network }) => {
  // Without an event stream: only the timer and the user trigger a pull.
  network.setFaults((_, path) => (path === '/api/events' ? { kind: 'dropped before' } : null));
  const { page } = await phone();
  await page.clock.install();
  await enter(page, admin);
  const list = await UsersPage.open(page);
  await expect(page.getByRole('article').first()).toBeVisible();
  // The initial pulls are done: users created now are news.
  await untilAtWork(page);

  const first = await backstage.sender(unique('Nasiru'));
  await list.search.fill(first.firstName);
  await expect(list.empty).toBeVisible();
  await page.clock.fastForward(60_000);
  await expect(list.card(nameOf(first))).toBeVisible();

  const second = await backstage.sender(unique('Isah'));
  await list.search.fill(second.firstName);
  await expect(list.empty).toBeVisible();
  await comeBack(page);
  await expect(list.card(nameOf(second))).toBeVisible();
});

test('drafts about people are kept @long', async ({ installed, backstage }) => {
  const sender = await backstage.sender(unique('Rukayya'));
  const { page } = await installed(admin);
  const list = await UsersPage.open(page);
  await list.add.click();
  await page.getByLabel('First Name').fill('Yakubu');
  await page.getByLabel('Role').selectOption('Delivery Personnel');
  await page.getByLabel('Password').fill('not-for-keeping');
  await page.getByRole('button', { name: 'Back' }).click();
  await list.search.fill(sender.firstName);
  const card = await list.edit(nameOf(sender));
  await card.profile.getByLabel('Address').fill('4 Zoo Road');
  await page.getByRole('button', { name: 'Back' }).click();

  await list.edit(nameOf(sender));
  await expect(card.profile.getByLabel('Address')).toHaveValue('4 Zoo Road');
  await card.saveProfile({});
  await expect(page.getByText('User updated successfully!')).toBeVisible();
  expect(await userOf(backstage, sender)).toMatchObject({ address: '4 Zoo Road' });
  await page.getByRole('button', { name: 'Back' }).click();
  await list.add.click();
  await expect(page.getByLabel('First Name')).toHaveValue('Yakubu');
  await expect(page.getByLabel('Role')).toHaveValue('Employee');
  await expect(page.getByLabel('Password')).toHaveValue('');
});
