/** A courier's steps from pick-up to delivery, without a network, and what the sender sees of them. */
import type { WireEvent } from '#contract/event.ts';
import { expect, test } from '#tests/e2e/kaya.ts';
import { PackageDetailPage } from '#tests/e2e/pages/package-detail-page.ts';

test.use({ hasServiceWorker: false });

test.describe('with a service worker', () => {
  test.use({ hasServiceWorker: true });

  test('a delivery is recorded step by step offline, and sent in order', async ({
    installed,
    backstage,
  }) => {
    const { sender, courier, packages } = await backstage.offers(1);
    const [pkg] = packages;
    await backstage.accept(courier, pkg);
    const { page, context } = await installed(courier);
    const detail = await PackageDetailPage.open(page, pkg._id);
    const bar = page.locator('[data-actions]');
    await expect(bar.getByRole('button')).toHaveText(['Picked up']);
    await expect(detail.delivered).toBeVisible();
    await context.setOffline(true);

    // Whatever is under the thumb that taps again and again: it is one step.
    const box = await bar.getByRole('button').boundingBox();
    if (!box) throw new Error('Not shown.');
    await page.evaluate(({ x, y }) => {
      const tap = () =>
        document
          .elementFromPoint(x + 40, y + 20)
          ?.closest('button')
          ?.click();
      for (let ms = 0; ms < 500; ms += 20) setTimeout(tap, ms);
    }, box);
    await expect(bar.getByRole('button')).toHaveText(['I have arrived']);
    await expect(detail.reject).toHaveCount(0);
    await bar.getByRole('button', { name: 'I have arrived' }).click();
    await expect(bar.getByRole('button')).toHaveText(['Package Delivered']);

    await page.getByRole('button', { name: 'Could not deliver' }).click();
    const attempt = page.getByRole('dialog', { name: 'Could not deliver' });
    const report = attempt.getByRole('button', { name: 'Report not delivered' });
    // It has been picked up: what is found there is no reason any more.
    await expect(attempt.getByRole('radio')).toHaveCount(16);
    await expect(attempt.getByLabel('Package not ready')).toHaveCount(0);
    await report.click();
    await expect(attempt.getByRole('group', { name: 'The recipient' })).toHaveAccessibleDescription(
      'Choose what happened.',
    );
    await attempt.getByLabel('Something else', { exact: true }).check();
    await report.click();
    await expect(attempt.getByLabel('Note')).toHaveAccessibleDescription('Describe what happened.');
    // A page that is reloaded loses nothing, and Back closes the sheet.
    await attempt.getByLabel('Note').fill('The road is flooded');
    await page.reload();
    await expect(attempt.getByLabel('Note')).toHaveValue('The road is flooded');
    await page.goBack();
    await expect(attempt).toBeHidden();
    await expect(page).toHaveURL(`/package-detail/${pkg._id}`);
    await page.getByRole('button', { name: 'Could not deliver' }).click();
    await attempt.getByLabel('Note').fill('');
    await report.click();
    await expect(attempt.getByLabel('Note')).toHaveAccessibleDescription('Describe what happened.');
    await attempt.getByLabel('Recipient unavailable').check();
    await expect(attempt.getByText('Describe what happened.')).toHaveCount(0);
    await report.click();
    await expect(page.getByText('Not delivered: Recipient unavailable')).toBeVisible();

    // The app is closed and opened again.
    await page.reload();
    await bar.getByRole('button', { name: 'I’m here again' }).click();
    await page.getByRole('button', { name: 'Could not deliver' }).click();
    await attempt.getByLabel('Note').fill('He shouted at me');
    await page.goBack();
    await expect(attempt).toBeHidden();
    await detail.deliverForCash('Cash collected');
    await expect(page.getByText('Waiting to send').first()).toBeVisible();
    // What was typed in one sheet is not about to be sent by another.
    await page.getByRole('button', { name: 'Report a problem' }).click();
    const problem = page.getByRole('dialog', { name: 'Report a problem' });
    await expect(problem.getByLabel('Describe it')).toHaveValue('');
    await page.goBack();
    await expect(problem).toBeHidden();
    await context.setOffline(false);

    const types = async () => {
      const events = (await backstage.call(
        sender,
        'GET',
        `/api/packages/${pkg._id}/events`,
      )) as WireEvent[];
      return events.map(({ type }) => type);
    };
    await expect
      .poll(types, { timeout: 30_000 })
      .toEqual([
        ...['created', 'accepted', 'picked_up', 'arrived', 'attempt_failed', 'arrived'],
        ...['delivered', 'paid'],
      ]);
  });
});

test('a package that could not be delivered goes back, and its sender ends it', async ({
  signedIn,
  backstage,
}) => {
  const { sender, courier, packages } = await backstage.offers(1);
  const [pkg] = packages;
  await backstage.accept(courier, pkg);
  await backstage.record(courier, pkg, { type: 'picked_up' });
  await backstage.record(courier, pkg, { type: 'attempt_failed', reason: 'refused' });
  const { page } = await signedIn(courier);
  const detail = await PackageDetailPage.open(page, pkg._id);
  await page.getByRole('button', { name: 'Return to sender' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Return to sender' }).click();
  await expect(page.getByText('On its way back').first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Mark as paid' })).toHaveCount(0);
  await expect(page.getByText(/^Return to Amina/)).toBeVisible();
  await expect(detail.delivered).toHaveCount(0);
  await page.goto('/');
  await expect(page.getByRole('link', { name: /^Next stop: Return to Amina/ })).toBeVisible();
  await page.getByRole('button', { name: 'Collapse' }).click();
  await expect(
    page.getByRole('link', { name: /Next stop · Return to Amina Bello$/ }),
  ).toBeVisible();

  const { page: senders } = await signedIn(sender);
  await PackageDetailPage.open(senders, pkg._id);
  await senders.getByRole('button', { name: 'Package returned' }).click();
  await expect(senders.getByText('Returned to the sender')).toBeVisible();
  await expect(senders.getByText('Cancelled').first()).toBeVisible();
});
