/** The app before a backend that knows the specification's table alone, as people use it. */
import { test as base, expect } from '@playwright/test';
import { AuthPage } from '#tests/e2e/pages/auth-page.ts';
import { EditPackagePage } from '#tests/e2e/pages/edit-package-page.ts';
import { PackageDetailPage } from '#tests/e2e/pages/package-detail-page.ts';
import { PackageListPage } from '#tests/e2e/pages/package-list-page.ts';
import { DepositPage } from '#tests/e2e/pages/payment-page.ts';
import type { ShellPage } from '#tests/e2e/pages/shell-page.ts';
import { WizardPage } from '#tests/e2e/pages/wizard-page.ts';
import { openPhoneContext } from '#tests/e2e/phone-context.ts';
import { type PlainOptions, PlainServer } from '#tests/fakes/plain-server.ts';

type User = ReturnType<PlainServer['addUser']>;

interface Fixtures {
  plain: PlainOptions;
  server: PlainServer;
  /** A new phone with this person signed in. */
  phoneOf(user: User): Promise<ShellPage>;
}

const test = base.extend<Fixtures>({
  plain: [{}, { option: true }],
  server: async ({ plain }, use) => {
    const server = await new PlainServer(plain).start();
    await use(server);
    await server.stop();
  },
  phoneOf: async ({ browser, server }, use) => {
    const contexts: { close(): Promise<void> }[] = [];
    await use(async (user) => {
      const context = await openPhoneContext(browser, server.url);
      contexts.push(context);
      const auth = await AuthPage.open(await context.newPage());
      return auth.signInAs(user);
    });
    for (const context of contexts) await context.close();
  },
});

const cloth = 'Two bolts of indigo cloth';
const inOneDay = () => new Date(Date.now() + 86_400_000).toISOString().slice(0, 16);

test('a package is created, accepted and delivered', async ({ server, phoneOf }) => {
  const amina = server.addUser('Customer', 'Amina');
  const sani = server.addUser('Employee', 'Sani');
  const odd = { description: 'Beans', paymentMethod: undefined, deliveryStatus: undefined };
  server.addPackage(amina._id, odd);

  const { page } = await phoneOf(amina);
  const wizard = await WizardPage.open(page);
  await wizard.fill({ pickupDate: inOneDay() });
  await wizard.submit();
  const list = new PackageListPage(page);
  await expect(list.card(cloth)).toHaveCount(1);
  await expect(list.card('Beans')).toContainText('Not specified');
  expect(server.packages.size).toBe(2);

  const courier = await phoneOf(sani);
  const offers = await courier.openDeliveries();
  await offers.accept(cloth);
  const detail = await offers.open(cloth);
  await detail.deliverForCash();
  await expect(courier.page.getByText('Package marked as delivered!')).toBeVisible();
  const [made] = [...server.packages.values()].filter(({ description }) => description === cloth);
  expect(made).toMatchObject({ deliveryPersonId: sani._id, deliveryStatus: 'Delivered' });
  expect(server.changes()).toEqual([
    'POST /api/packages',
    `PATCH /api/packages/${made?._id}`,
    `PATCH /api/packages/${made?._id}`,
  ]);
});

test.describe('with the barest answers that the table allows', () => {
  test.use({ plain: { answers: 'nothing', people: 'ids', refusals: 'text' } });

  test('a sender edits, deletes, pays in and looks after the account @long', async ({
    server,
    phoneOf,
  }) => {
    const amina = server.addUser('Customer', 'Amina');
    const row = server.addPackage(amina._id);
    const { page } = await phoneOf(amina);

    await test.step('an edit', async () => {
      const edit = await EditPackagePage.open(page, row._id);
      await edit.description.fill('Three bolts');
      await edit.save.click();
      await expect(page.getByText('Package updated successfully!')).toBeVisible();
      expect(server.packages.get(row._id)?.description).toBe('Three bolts');
    });

    await test.step('a refused deletion', async () => {
      const edit = await EditPackagePage.open(page, row._id);
      server.failNext('DELETE', /packages/, 409);
      await edit.remove.click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
      await expect(page.getByRole('alert').getByText('Delete failed')).toBeVisible();
      await expect(page.getByText('Failed to delete package: Not today')).toBeVisible();
    });

    await test.step('a deletion', async () => {
      const detail = await PackageDetailPage.open(page, row._id);
      await detail.remove.click();
      await detail.question.getByRole('button', { name: 'Delete' }).click();
      await expect.poll(() => server.packages.size).toBe(0);
    });

    await test.step('money', async () => {
      const deposit = await DepositPage.open(page);
      await deposit.amount.fill('500');
      await deposit.proceed.click();
      // The provider's page, two questions and a moment.
      const paidIn = page.getByText('Deposit of ₦500 successful!');
      await expect(paidIn).toBeVisible({ timeout: 30_000 });
    });

    await test.step('the profile', async () => {
      await page.goto(`/edit-user/${amina._id}`);
      await page.getByLabel('Address').fill('9 Zoo Road');
      await page.getByRole('button', { name: 'Save Changes' }).click();
      await expect(page.getByText('User updated successfully!')).toBeVisible();
      expect(server.users.get(amina._id)?.address).toBe('9 Zoo Road');
    });

    await test.step('the list of users', async () => {
      await page.goto('/users-list');
      await expect(page.getByText('Amina Bello').first()).toBeVisible();
    });

    await test.step('a password, refused and changed', async () => {
      await page.goto('/security');
      await page.getByRole('button', { name: 'Change Password' }).click();
      await page.getByLabel('New Password').fill('better-word');
      await page.getByLabel('Confirm Password').fill('better-word');
      server.failNext('PATCH', /users/, 400);
      await page.getByRole('button', { name: 'Save Password' }).click();
      await expect(page.getByText('Not today').first()).toBeVisible();
      await page.getByRole('button', { name: 'Save Password' }).click();
      await expect(page.getByText('Password updated successfully!')).toBeVisible();
      expect(server.users.get(amina._id)?.password).toBe('better-word');
    });
  });

  test('a courier rejects, works offline and logs out @long', async ({ server, phoneOf }) => {
    const amina = server.addUser('Customer', 'Amina');
    const sani = server.addUser('Employee', 'Sani');
    const [kept, given] = [server.addPackage(amina._id), server.addPackage(amina._id)];
    const shell = await phoneOf(sani);
    const { page } = shell;
    const list = await shell.openDeliveries();

    await list.accept(String(given.description));
    const detail = await list.open(String(given.description));
    await detail.reject.click();
    await detail.question.getByRole('button', { name: 'Confirm' }).click();
    await expect(page.getByText('Delivery rejected successfully')).toBeVisible();
    expect(given).toMatchObject({ deliveryPersonId: null, deliveryStatus: 'Pending' });

    await PackageListPage.open(page, '/delivery/pending');
    await expect(list.card(String(kept.description))).toBeVisible();
    const before = server.changes().length;
    await page.context().setOffline(true);
    await list.accept(String(kept.description));
    await (await list.open(String(kept.description))).deliverForCash();
    server.failNext('PATCH', /packages/);
    await page.context().setOffline(false);
    await expect.poll(() => kept.deliveryStatus, { timeout: 60_000 }).toBe('Delivered');
    expect(kept.deliveryPersonId).toBe(sani._id);
    expect(server.changes().slice(before)).toHaveLength(2);

    await page.goto('/account');
    server.failNext('POST', /logout/, 500);
    await page.getByRole('button', { name: 'Log Out' }).click();
    await expect(page.getByText('Not today').first()).toBeVisible();
    await page.getByRole('button', { name: 'Log Out' }).click();
    await expect(page.getByText('Logged out successfully!')).toBeVisible();
  });

  test('a session goes on by a refresh, and ends with a refused one @long', async ({
    server,
    phoneOf,
  }) => {
    const amina = server.addUser('Customer', 'Amina');
    const { page } = await phoneOf(amina);
    server.expire();
    server.addPackage(amina._id, { description: 'Rice' });
    const list = await PackageListPage.open(page, '/tracking/pending');
    await expect(list.card('Rice')).toBeVisible();
    server.expire(true);
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Session Expired' })).toBeVisible();
    await expect(page.getByText('Refresh token expired')).toBeVisible();
  });
});
