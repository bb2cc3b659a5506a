/** Messages that depend on the user and the action. */
import { admin } from '#tests/e2e/backstage.ts';
import { expect, test } from '#tests/e2e/kaya.ts';
import { AuthPage } from '#tests/e2e/pages/auth-page.ts';
import { EditPackagePage } from '#tests/e2e/pages/edit-package-page.ts';

test.use({ hasServiceWorker: false });

test('a taken email is explained by context', async ({ phone, signedIn, backstage }) => {
  const [amina, musa] = [await backstage.sender(), await backstage.sender('Musa')];
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

  await test.step('signing up offline asks for a network', async () => {
    await visitor.context.setOffline(true);
    await signUp.click();
    const offline = 'You are offline. Connect to the internet to sign up.';
    await expect(visitor.page.getByText(offline)).toBeVisible();
  });

  const { page } = await signedIn(amina, '/personal-info');
  await page.getByRole('link', { name: 'Edit Profile' }).click();
  await page.getByLabel('Email').fill(musa.email);
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('This email is already in use.').first()).toBeVisible();
  await page.goto('/outbox');
  await expect(page.getByText('This email is already in use.')).toBeVisible();
  await expect(page.getByText(/Please sign in/)).toHaveCount(0);
});

test('the edit form confirms once @long', async ({ signedIn, backstage, network }) => {
  const sender = await backstage.sender();
  const courier = await backstage.courier();
  const made = await backstage.packages(sender, [{}, {}]);
  for (const each of made) await backstage.accept(courier, each);
  const [first, second] = made.map(({ _id }) => _id) as [string, string];
  const patches = (id: string) =>
    network.received.filter((line) => line === `PATCH /api/packages/${id}`);
  const updated = 'Package updated successfully!';

  await test.step('an admin resets it to Pending', async () => {
    const { page } = await signedIn(admin);
    const form = await EditPackagePage.open(page, first);
    await page.getByLabel('Delivery Status').selectOption('pending');
    await form.save.click();
    await expect(page.getByText(updated)).toBeVisible();
    await expect(page.getByText('Delivery rejected successfully')).toHaveCount(0);
  });
  await test.step('a courier saves Delivered and paid', async () => {
    const { page } = await signedIn(courier);
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
