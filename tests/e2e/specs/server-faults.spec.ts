/** A server that fails without a word is not called a missing network. */
import type { Page } from '@playwright/test';
import { admin } from '#tests/e2e/backstage.ts';
import { enter } from '#tests/e2e/inside.ts';
import { expect, test } from '#tests/e2e/kaya.ts';

test.use({ hasServiceWorker: false });

const failing = (path: RegExp) => (method: string, at: string) =>
  method !== 'GET' && path.test(at) ? ({ kind: 'status', status: 500 } as const) : null;

async function expectFault(page: Page, sentence: string) {
  await expect(page.getByText(sentence, { exact: true }).first()).toBeVisible();
  await expect(page.getByText(/You need an internet connection/)).toHaveCount(0);
}

test('a 500 is not called a missing network @long', async ({
  signedIn,
  backstage,
  network,
  sender,
  page,
}) => {
  const [made, cash] = [await backstage.package(sender), await backstage.package(sender)];

  await test.step('a deposit', async () => {
    network.setFaults(failing(/^\/api\/payments\/initiate$/));
    await enter(page, sender, '/deposit');
    await page.getByLabel('Amount (NGN)').fill('500');
    await page.getByRole('button', { name: 'Proceed to Payment' }).click();
    await expectFault(page, 'Payment failed. Try again.');
  });

  network.setFaults(failing(/^\/api\/packages\//));
  await test.step('a payment in cash', async () => {
    await page.goto(`/package-detail/${cash._id}`);
    await page.getByRole('button', { name: 'Mark as paid' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click();
    await expectFault(page, 'The payment did not go through. Please try again.');
    network.setFaults(null);
    await page.getByRole('button', { name: 'Mark as paid' }).click();
    const question = page.getByRole('dialog');
    await expect(question).toContainText('Confirm that ₦1,500 has been paid in cash.');
    await question.getByRole('button', { name: 'Confirm' }).click();
    await expect(page.getByText('Marked as paid.')).toBeVisible();
    await expect(page.getByText('₦1,500 has been paid in cash.')).toBeVisible();
    network.setFaults(failing(/^\/api\/packages\//));
  });
  await test.step('the edit form', async () => {
    await page.goto(`/edit-package/${made._id}`);
    await page.getByLabel('Payment Status').selectOption('paid');
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await expectFault(page, 'Update failed');
  });

  await test.step('a password', async () => {
    network.setFaults(failing(/^\/api\/users$/));
    await page.goto('/security');
    await page.getByRole('button', { name: 'Change Password' }).click();
    await page.getByLabel('New Password').fill('better-word');
    await page.getByLabel('Confirm Password').fill('better-word');
    await page.getByRole('button', { name: 'Save Password' }).click();
    await expectFault(page, 'Failed to update password');
  });

  await test.step('a profile that an admin edits', async () => {
    const office = await signedIn(admin, `/edit-user/${sender.id}`);
    network.setFaults(failing(/^\/api\/users$/));
    await office.page.getByLabel('Address').fill('7 Zaria Road, Kano');
    await office.page.getByRole('button', { name: 'Save Changes' }).click();
    await expectFault(office.page, 'Failed to update user');
    await office.page.getByRole('button', { name: 'Deactivate' }).click();
    await office.page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click();
    await expectFault(office.page, 'Delete failed');
  });
});
