/** The same refusal or success is said as it fits the person and what they did. */
import { admin } from '#tests/e2e/backstage.ts';
import { enter } from '#tests/e2e/inside.ts';
import { expect, test } from '#tests/e2e/kaya.ts';
import { makePackages } from '#tests/e2e/package-stage.ts';
import { AuthPage } from '#tests/e2e/pages/auth-page.ts';
import { EditPackagePage } from '#tests/e2e/pages/edit-package-page.ts';

test.use({ hasServiceWorker: false });

test('an email that is taken: who signs up is sent to sign in, who is signed in is not', async ({
  phone,
  backstage,
}) => {
  const [amina, musa] = [
    await backstage.account('Customer', 'Amina'),
    await backstage.account('Customer', 'Musa'),
  ];
  const visitor = await phone();
  const auth = await AuthPage.open(visitor.page);
  await visitor.page.getByRole('button', { name: 'Join Us Today' }).click();
  await expect(visitor.page.getByRole('heading', { name: 'Create Account' })).toBeVisible();
  await auth.email.fill(musa.email);
  await auth.password.fill('a-good-password');
  await auth.confirmPassword.fill('a-good-password');
  const signUp = visitor.page.getByRole('button', { name: 'Sign Up', exact: true });
  await signUp.click();
  const toSignIn = 'This email is already registered. Please sign in.';
  await expect(visitor.page.getByText(toSignIn)).toBeVisible();

  await test.step('without a network, signing up is what needs it', async () => {
    await visitor.context.setOffline(true);
    await signUp.click();
    const offline = 'You are offline. Connect to the internet to sign up.';
    await expect(visitor.page.getByText(offline)).toBeVisible();
  });

  const { page } = await phone();
  await enter(page, amina, '/personal-info');
  await page.getByRole('link', { name: 'Edit Profile' }).click();
  await page.getByLabel('Email').fill(musa.email);
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('This email is already in use.').first()).toBeVisible();
  await page.goto('/outbox');
  await expect(page.getByText('This email is already in use.')).toBeVisible();
  await expect(page.getByText(/Please sign in/)).toHaveCount(0);
});

test('the edit form says once what was saved, and calls a correction no rejection', {
  tag: '@long',
}, async ({ phone, backstage, network }) => {
  const sender = await backstage.account('Customer', 'Amina');
  const courier = await backstage.account('Employee', 'Sani');
  const made = await makePackages(backstage.serverUrl, sender, [{}, {}]);
  const [self] = (await backstage.call(courier, 'GET', '/api/users')) as { _id: string }[];
  for (const { _id } of made) {
    const accepted = { deliveryPersonId: self?._id, deliveryStatus: 'In Transit' };
    await backstage.call(courier, 'PATCH', `/api/packages/${_id}`, accepted);
  }
  const [first, second] = made.map(({ _id }) => _id) as [string, string];
  const patches = (id: string) =>
    network.received.filter((line) => line === `PATCH /api/packages/${id}`);
  const updated = 'Package updated successfully!';

  await test.step('an admin puts it back to Pending', async () => {
    const { page } = await phone();
    await enter(page, admin);
    const form = await EditPackagePage.open(page, first);
    await page.getByLabel('Delivery Status').selectOption('pending');
    await form.save.click();
    await expect(page.getByText(updated)).toBeVisible();
    await expect(page.getByText('Delivery rejected successfully')).toHaveCount(0);
  });
  await test.step('a courier saves Delivered and paid', async () => {
    const { page } = await phone();
    await enter(page, courier);
    const form = await EditPackagePage.open(page, second);
    await page.getByLabel('Delivery Status').selectOption('delivered');
    await page.getByLabel('Payment Status').selectOption('paid');
    await form.save.click();
    await expect(page.getByText(updated)).toBeVisible();
    expect(patches(second)).toHaveLength(1);
    expect(await backstage.call(sender, 'GET', `/api/packages/${second}`)).toMatchObject({
      ...{ deliveryStatus: 'Delivered', paymentStatus: 'paid' },
    });
  });
});

test('a courier is told that details are not theirs to change', { tag: '@long' }, async ({
  phone,
  backstage,
}) => {
  const sender = await backstage.account('Customer', 'Amina');
  const courier = await backstage.account('Employee', 'Sani');
  const [made] = await makePackages(backstage.serverUrl, sender, [{}]);
  const { page } = await phone();
  await enter(page, courier, `/edit-package/${made?._id}`);
  await expect(page.getByText('Couriers can’t change the details of a package.')).toBeVisible();
  await expect(page.getByText(/no longer be changed/)).toHaveCount(0);
});
