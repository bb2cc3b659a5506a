/**
 * SPEC.md section 8, what is done with packages: exact words, in their place, gone at their time.
 * Made by a proxy that answers in the server's stead. 'This package has already been assigned' is
 * the business of session.spec.ts, the words of lists of lists.spec.ts.
 */
import type { Page } from '@playwright/test';
import { answerInstead, enter, expectPassing, spoken, stopTime } from '#tests/e2e/inside.ts';
import { expect, test } from '#tests/e2e/kaya.ts';
import { createPackages, type PackageOnServer } from '#tests/e2e/outbox-stage.ts';
import { PackageDetailPage } from '#tests/e2e/pages/package-detail-page.ts';
import { PackageListPage } from '#tests/e2e/pages/package-list-page.ts';
import { WizardPage } from '#tests/e2e/pages/wizard-page.ts';

test.use({ hasServiceWorker: false });

const errorMs = 4000;
const successMs = 2000;
const questionMs = 10_000;

const aPackage = /^\/api\/packages\/[0-9a-f-]{36}$/;

const rejectQuestion = {
  title: 'Reject Delivery Assignment',
  text: 'Are you sure you want to reject this delivery assignment?',
};
const deleteQuestion = {
  title: 'Delete Package',
  text: 'This action cannot be undone. The package will be permanently removed.',
};

type Question = typeof rejectQuestion;

const ask = (page: Page, { title, text }: Question) =>
  page.getByRole('alertdialog', { name: title, description: text });

/** Leaves what was refused behind, so that the next is not held up by it. */
async function discardAll(page: Page) {
  await page.clock.resume();
  await page.goto('/outbox');
  await page.getByRole('button', { name: 'Discard' }).first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
  await expect(page.getByText('No pending changes.')).toBeVisible();
}

async function openDetail(page: Page, { _id }: PackageOnServer) {
  await page.clock.resume();
  await page.goto(`/package-detail/${_id}`);
  await expect(page.getByRole('heading', { name: 'Recipient' })).toBeVisible();
  await stopTime(page);
  return new PackageDetailPage(page);
}

test('accepting, rejecting and delivering fail and succeed in the words of the catalogue', async ({
  phone,
  backstage,
  network,
}) => {
  const [sender, courier] = await Promise.all([
    backstage.account('Customer', 'Amina'),
    backstage.account('Employee', 'Sani'),
  ]);
  const created = await createPackages(backstage.call, sender, 2);
  const [first, second] = created as [PackageOnServer, PackageOnServer];
  const [self] = (await backstage.call(courier, 'GET', '/api/users')) as { _id: string }[];
  await backstage.call(courier, 'PATCH', `/api/packages/${second._id}`, {
    deliveryPersonId: self?._id,
    deliveryStatus: 'In Transit',
  });
  const { page } = await phone();
  await page.clock.install();
  await enter(page, courier, '/delivery/pending');
  const list = new PackageListPage(page);

  await test.step('an acceptance that is refused', async () => {
    await expect(list.card(first.description)).toBeVisible();
    answerInstead(network, 'PATCH', aPackage, { status: 403, code: 'forbidden' });
    await stopTime(page);
    await list.accept(first.description);
    await expectPassing(page, 'alert', 'Failed to accept package. Please try again.', errorMs);
    network.setFaults(null);
    await discardAll(page);
  });

  // By way of the list, where a rejection goes back to.
  const reject = async () => {
    await page.clock.resume();
    await page.goto('/delivery/in-transit');
    const detail = await list.open(second.description);
    await expect(detail.reject).toBeVisible();
    await stopTime(page);
    await detail.reject.click();
    const question = ask(page, rejectQuestion);
    await expect(question).toBeVisible();
    return question;
  };

  await test.step('the question before a rejection goes unanswered, and is answered with no', async () => {
    const question = await reject();
    await expect(question.getByText(rejectQuestion.title)).toBeVisible();
    await expect(question.getByText(rejectQuestion.text)).toBeVisible();
    await page.clock.runFor(questionMs - 1);
    await expect(question).toBeVisible();
    await page.clock.runFor(2);
    await expect(question).toBeHidden();
    await page.getByRole('button', { name: 'Reject Delivery' }).click();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await expect(question).toBeHidden();
    const asked = network.received.filter((line) => line === `PATCH /api/packages/${second._id}`);
    expect(asked).toEqual([]);
  });

  for (const { message, words } of [
    { message: 'Roads are closed.', words: 'Failed to reject delivery: Roads are closed.' },
    { message: '', words: 'Failed to reject delivery: Please try again' },
  ]) {
    await test.step(words, async () => {
      answerInstead(network, 'PATCH', aPackage, { status: 409, code: 'invalid_state', message });
      const question = await reject();
      await question.getByRole('button', { name: 'Confirm' }).click();
      await expectPassing(page, 'alert', words, errorMs);
      network.setFaults(null);
      await discardAll(page);
    });
  }

  await test.step('a rejection that succeeds goes back', async () => {
    const question = await reject();
    await question.getByRole('button', { name: 'Confirm' }).click();
    await expectPassing(page, 'status', 'Delivery rejected successfully', successMs);
    await expect(page).toHaveURL(/\/delivery\/in-transit$/);
    await page.clock.resume();
  });

  await test.step('a delivery that is refused, and one that is not', async () => {
    await page.goto('/delivery/pending');
    await list.accept(first.description);
    await expect(page.getByText('Delivery accepted!')).toBeVisible();
    answerInstead(network, 'PATCH', aPackage, {
      ...{ status: 409, code: 'invalid_state', message: 'Not from here.' },
    });
    const detail = await openDetail(page, first);
    await detail.delivered.click();
    await expectPassing(page, 'alert', 'Update failed: Not from here.', errorMs);
    network.setFaults(null);
    await discardAll(page);
    await (await openDetail(page, first)).delivered.click();
    await expectPassing(page, 'status', 'Package marked as delivered!', successMs);
  });
});

test('creating, editing and deleting fail and succeed in the words of the catalogue', {
  tag: '@long',
}, async ({ phone, backstage, network }) => {
  const [sender, courier] = await Promise.all([
    backstage.account('Customer', 'Amina'),
    backstage.account('Employee', 'Sani'),
  ]);
  const created = await createPackages(backstage.call, sender, 2);
  const [free, taken] = created as [PackageOnServer, PackageOnServer];
  const [self] = (await backstage.call(courier, 'GET', '/api/users')) as { _id: string }[];
  await backstage.call(courier, 'PATCH', `/api/packages/${taken._id}`, {
    deliveryPersonId: self?._id,
    deliveryStatus: 'In Transit',
  });
  const { page } = await phone();
  await page.clock.install();
  await enter(page, sender, '/new-package');
  const wizard = new WizardPage(page);
  const shipment = {
    pickupAddress: '12 Kofar Mata Road, Kano',
    deliveryAddress: '4 Zoo Road, Kano',
    recipientName: 'Musa Ibrahim',
    recipientPhone: '0805 765 4321',
    description: 'A sack of groundnuts',
    pickupDate: '2027-01-15T09:00',
    priceOffer: '1500',
  };

  await test.step('a creation that is refused, and one that is not: two seconds on to the list', async () => {
    await wizard.fill(shipment);
    answerInstead(network, 'POST', /^\/api\/packages$/, { status: 409, code: 'id_taken' });
    await stopTime(page);
    await wizard.create.click();
    await expectPassing(page, 'alert', 'Failed to create package. Please try again.', errorMs);
    network.setFaults(null);
    await discardAll(page);

    await page.goto('/new-package');
    await wizard.fill(shipment);
    await stopTime(page);
    await wizard.create.click();
    const success = spoken(page, 'status', 'Package created successfully!');
    await expect(success).toBeVisible();
    await page.clock.runFor(1900);
    await expect(page).toHaveURL(/\/new-package$/);
    await page.clock.runFor(200);
    await expect(page).toHaveURL(/\/tracking$/);
    await expect(success).toBeHidden();
    await page.clock.resume();
  });

  await test.step('a package with a courier is not even asked about', async () => {
    const detail = await openDetail(page, taken);
    await detail.remove.click();
    const refusal = 'A delivery personnel is already assigned to this package. Cannot delete.';
    await expectPassing(page, 'alert', refusal, errorMs);
    await expect(ask(page, deleteQuestion)).toBeHidden();
    expect(network.received).not.toContain(`DELETE /api/packages/${taken._id}`);
  });

  for (const { message, words } of [
    { message: 'It is on the scales.', words: 'Failed to delete package: It is on the scales.' },
    { message: '', words: 'Failed to delete package: Please try again' },
  ]) {
    await test.step(words, async () => {
      answerInstead(network, 'DELETE', aPackage, { status: 409, code: 'invalid_state', message });
      const detail = await openDetail(page, free);
      await detail.remove.click();
      const question = ask(page, deleteQuestion);
      await expect(question.getByText(deleteQuestion.title)).toBeVisible();
      await expect(question.getByText(deleteQuestion.text)).toBeVisible();
      await question.getByRole('button', { name: 'Confirm' }).click();
      await expectPassing(page, 'alert', words, errorMs);
      network.setFaults(null);
      await discardAll(page);
    });
  }

  await test.step('the question before a deletion waits ten seconds', async () => {
    const detail = await openDetail(page, free);
    await detail.remove.click();
    const question = ask(page, deleteQuestion);
    await expect(question).toBeVisible();
    await page.clock.runFor(questionMs - 1);
    await expect(question).toBeVisible();
    await page.clock.runFor(2);
    await expect(question).toBeHidden();
  });
});

test('a courier who has been given packages that are pending all the same is told so', async ({
  phone,
  backstage,
}) => {
  const sender = await backstage.account('Customer', 'Amina');
  const courier = await backstage.account('Employee', 'Sani');
  const [self] = (await backstage.call(courier, 'GET', '/api/users')) as { _id: string }[];
  const { page } = await phone();
  // Our own server never says so; one that knows only the specification may.
  await page.route(/\/api\/packages(\?|$)/, async (route) => {
    const response = await route.fetch();
    const rows = (await response.json()) as PackageOnServer[];
    const isOurs = ({ description }: PackageOnServer) => description.endsWith(sender.email);
    const json = rows.map((row) => (isOurs(row) ? { ...row, deliveryPersonId: self } : row));
    await route.fulfill({ response, json });
  });
  await enter(page, courier, '/delivery/in-transit');
  const nothing = page.getByText('No packages are currently assigned to you', { exact: true });
  await expect(nothing).toBeVisible();
  await createPackages(backstage.call, sender, 1);
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(page.getByText('You only have pending packages', { exact: true })).toBeVisible();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});
