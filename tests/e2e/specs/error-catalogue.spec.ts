/**
 * The specified messages for package actions: exact text, place and duration, with answers faked by
 * a proxy. 'This package has already been assigned' is tested in session.spec.ts, list messages in
 * lists.spec.ts.
 */
import type { Page } from '@playwright/test';
import { answerInstead, enter, expectPassing, stopTime } from '#tests/e2e/inside.ts';
import { expect, test } from '#tests/e2e/kaya.ts';
import { ChangesPage } from '#tests/e2e/pages/changes-page.ts';
import { PackageListPage } from '#tests/e2e/pages/package-list-page.ts';

test.use({ hasServiceWorker: false });

const errorMs = 4000;
const successMs = 2000;
/** How long the toast of a step offers Undo. */
const undoMs = 10_000;
const questionMs = 10_000;

const aPackage = /^\/api\/packages\/[0-9a-f-]{36}$/;

const rejectQuestion = {
  title: 'Reject Delivery Assignment',
  text: 'Are you sure you want to reject this delivery assignment?',
};

/** Discards the refused operation, so that it does not block the next. */
async function discardAll(page: Page) {
  await page.clock.resume();
  const changes = await ChangesPage.open(page);
  await changes.discard(page.getByRole('listitem').first());
  await expect(changes.empty).toBeVisible();
}

test('actions fail and succeed in the specified words @long', async ({
  backstage,
  network,
  page,
}) => {
  const { courier, packages } = await backstage.offers(2);
  const [first, second] = packages;
  await backstage.accept(courier, second);
  await page.clock.install();
  await enter(page, courier, '/delivery/pending');
  const list = new PackageListPage(page);

  await test.step('a refused acceptance', async () => {
    await expect(list.card(first.description)).toBeVisible();
    answerInstead(network, 'PATCH', aPackage, { status: 403, code: 'forbidden' });
    await stopTime(page);
    await list.accept(first.description);
    await expectPassing(page, 'alert', 'Failed to accept package. Please try again.', errorMs);
    network.setFaults(null);
    await discardAll(page);
  });

  // Via the list, which a rejection returns to.
  const reject = async () => {
    await page.clock.resume();
    await page.goto('/delivery/in-transit');
    const detail = await list.open(second.description);
    await expect(detail.reject).toBeVisible();
    await stopTime(page);
    await detail.reject.click();
    const question = page.getByRole('alertdialog', {
      name: rejectQuestion.title,
      description: rejectQuestion.text,
    });
    await expect(question).toBeVisible();
    return question;
  };

  await test.step('the question before a rejection is dismissed, then answered with no', async () => {
    const question = await reject();
    for (const text of Object.values(rejectQuestion)) {
      await expect(question.getByText(text)).toBeVisible();
    }
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

  await test.step('a refused rejection', async () => {
    const message = 'Roads are closed.';
    answerInstead(network, 'PATCH', aPackage, { status: 409, code: 'invalid_state', message });
    const question = await reject();
    await question.getByRole('button', { name: 'Confirm' }).click();
    await expectPassing(page, 'alert', `Failed to reject delivery: ${message}`, errorMs);
    network.setFaults(null);
    await discardAll(page);
  });

  await test.step('a successful rejection goes back', async () => {
    const question = await reject();
    await question.getByRole('button', { name: 'Confirm' }).click();
    await expectPassing(page, 'status', 'Delivery rejected successfully', successMs);
    await expect(page).toHaveURL(/\/delivery\/in-transit$/);
    await page.clock.resume();
  });

  await test.step('a delivery', async () => {
    await page.goto('/delivery/pending');
    await list.accept(first.description);
    await expect(page.getByText('Delivery accepted!')).toBeVisible();
    const detail = await list.open(first.description);
    await stopTime(page);
    await detail.deliverForCash();
    await expectPassing(page, 'status', 'Package marked as delivered!', undoMs);
  });
});
