/** People: found in the list, added, and seen by those who may see them. */
import { untilAtWork } from '#tests/e2e/answers.ts';
import { admin } from '#tests/e2e/backstage.ts';
import { dispatcher, nameOf, packageOf, unique, userOf } from '#tests/e2e/dispatch-stage.ts';
import { enter } from '#tests/e2e/inside.ts';
import { expect, test } from '#tests/e2e/kaya.ts';
import { UserPage, UsersPage } from '#tests/e2e/pages/users-page.ts';

test('a dispatcher adds a courier: what is wrong is said at its field, what is typed stays, and the card opens', async ({
  phone,
  backstage,
}) => {
  const taken = await backstage.account('Customer', 'Amina');
  const { page } = await dispatcher(phone);
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
  await page.getByLabel('First Name').fill('x'.repeat(10_000));
  await page.getByLabel('Last Name').fill('   ');
  await page.getByLabel('Email').fill('not an e-mail');
  await page.getByLabel('Phone Number').fill('call me 📞');
  await page.getByLabel('Password').fill('12345');
  await save.click();
  for (const [label, said] of [
    ['First Name', /at most 80 characters/],
    ['Last Name', 'This field is required.'],
    ['Email', 'Please enter a valid email address.'],
    ['Phone Number', /valid phone number/],
    ['Password', /at least 6 characters/],
  ] as const) {
    await expect(page.getByLabel(label)).toHaveAccessibleDescription(said);
  }
  await expect(page.getByLabel('First Name')).toHaveValue('x'.repeat(10_000));

  // Turned text, which would mislead whoever reads it; and markup, which is only text.
  await page.getByLabel('First Name').fill('\u202eokk');
  await page.getByLabel('Last Name').fill('<b>Yusuf</b>');
  await page.getByLabel('Phone Number').fill('0803 555 0199');
  await page.getByLabel('Email').fill(taken.email);
  await page.getByLabel('Password').fill('first-password');
  await save.click();
  await expect(page.getByLabel('First Name')).toHaveAccessibleDescription(/control characters/);
  await page.getByLabel('First Name').fill(first);
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

  const courier = await phone();
  const shell = await enter(courier.page, {
    ...{ email, password: 'first-password' },
  });
  await expect(shell.deliveries).toBeVisible();
  await expect(shell.tracking).toBeHidden();
});

test('the list is searched by name, e-mail and phone, filtered, and says when nobody is found', async ({
  phone,
  backstage,
}) => {
  const first = unique('Khadija');
  const courier = await backstage.account('Employee', first);
  const { _id: id } = await userOf(backstage, courier);
  const digits = String(Date.now()).slice(-7);
  await backstage.call(admin, 'PATCH', '/api/users', { id, phoneNumber: `+234 803 ${digits}` });
  await backstage.call(admin, 'DELETE', '/api/users', { id });
  const { page } = await dispatcher(phone);
  const list = await UsersPage.open(page);
  const card = list.card(`${first} Bello`);

  for (const text of [first.toUpperCase(), courier.email, `0803${digits}`, `bello ${first}`]) {
    await list.search.fill(text);
    await expect(card).toBeVisible();
    await expect(page.getByRole('article')).toHaveCount(1);
  }
  await expect(card).toContainText('Delivery Personnel');
  await expect(card).toContainText('Deactivated');
  await expect(card).toContainText(courier.email);
  await expect(card).toContainText('₦0 available');
  await list.state.selectOption('Active');
  await expect(list.empty).toBeVisible();
  await list.state.selectOption('Deactivated');
  await list.role.selectOption('User');
  await expect(list.empty).toBeVisible();
  await list.role.selectOption('Delivery Personnel');
  await expect(card).toBeVisible();

  // Looked at and come back: the list is as it was left.
  await list.edit(`${first} Bello`);
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(list.search).toHaveValue(`bello ${first}`);
  await expect(card).toBeVisible();
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect(list.search).toHaveValue('');
  await list.search.fill('<img src=x onerror=alert(1)>');
  await expect(list.empty).toBeVisible();
});

test('a list that could not be had says why, and comes once it can', { tag: '@long' }, async ({
  phone,
  backstage,
  network,
}) => {
  const sender = await backstage.account('Customer', 'Amina');
  const isList = (method: string, path: string) =>
    method === 'GET' && path.startsWith('/api/users');
  const closed = { kind: 'status', status: 503, code: 'unavailable' } as const;
  network.setFaults((method, path) => {
    if (isList(method, path)) return closed;
    // What another call met is not said here.
    return path.startsWith('/api/packages') ? { ...closed, message: 'No packages.' } : null;
  });
  const { page } = await phone();
  await enter(page, sender);
  await page.goto('/users-list');
  await expect(page.getByRole('alert')).toHaveText('No.');
  network.setFaults((method, path) => (isList(method, path) ? { kind: 'portal' } : null));
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await expect(page.getByRole('alert')).toHaveText('An error occurred');
  network.setFaults(null);
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await expect(page.getByRole('article')).toHaveCount(1);
});

test('senders and couriers see themselves and each other, edit themselves alone, and add nobody', {
  tag: '@long',
}, async ({ phone, backstage }) => {
  const sender = await backstage.account('Customer', unique('Safiya'));
  const courier = await backstage.account('Employee', unique('Rabiu'));
  const { _id: courierId } = await userOf(backstage, courier);
  const packageId = await packageOf(backstage, sender);
  await backstage.call(admin, 'PATCH', `/api/packages/${packageId}`, {
    deliveryPersonId: courierId,
  });
  const { page } = await phone();
  await enter(page, sender);
  await page.goto('/account');
  await expect(page.getByRole('link', { name: 'Personal Info' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Users' })).toHaveCount(0);
  const list = await UsersPage.open(page);
  const other = list.card(nameOf(courier));
  await expect(other).toBeVisible();
  await expect(other).not.toContainText(courier.email);
  await expect(other.getByRole('link', { name: /^Edit/ })).toHaveCount(0);
  await expect(list.card(nameOf(sender)).getByRole('link', { name: /^Edit/ })).toBeVisible();
  await expect(list.add).toHaveCount(0);
  await page.goto('/new-user');
  await expect(page.getByText('You are not allowed to do this.')).toBeVisible();
  await page.goto(`/edit-user/${courierId}`);
  await expect(page.getByText('User not found')).toBeVisible();
});

test('the list is asked for every minute and on coming back, without a word from the server', {
  tag: '@long',
}, async ({ phone, backstage, network }) => {
  // No stream of events: then only the minute and the person wake it.
  network.setFaults((_, path) => (path === '/api/events' ? { kind: 'dropped before' } : null));
  const { page } = await phone();
  await page.clock.install();
  await enter(page, admin);
  const list = await UsersPage.open(page);
  await expect(page.getByRole('article').first()).toBeVisible();
  // What it asked for in the beginning has come: whoever is made now is news.
  await untilAtWork(page);

  const first = await backstage.account('Customer', unique('Nasiru'));
  await list.search.fill(first.firstName);
  await expect(list.empty).toBeVisible();
  await page.clock.fastForward(60_000);
  await expect(list.card(nameOf(first))).toBeVisible();

  const second = await backstage.account('Customer', unique('Isah'));
  await list.search.fill(second.firstName);
  await expect(list.empty).toBeVisible();
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await expect(list.card(nameOf(second))).toBeVisible();
});

test('what is typed about people is kept for who looks something up and comes back', {
  tag: '@long',
}, async ({ phone, backstage }) => {
  const sender = await backstage.account('Customer', unique('Rukayya'));
  const { page } = await dispatcher(phone);
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
