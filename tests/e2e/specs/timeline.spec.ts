/** What happened to a package: the timeline, taking back a step, the code, and problems. */
import { eventsPerPage, type WireEvent } from '#contract/event.ts';
import type { Account, Backstage } from '#tests/e2e/backstage.ts';
import { admin } from '#tests/e2e/backstage.ts';
import { expect, test } from '#tests/e2e/kaya.ts';
import { PackageDetailPage } from '#tests/e2e/pages/package-detail-page.ts';

test.use({ hasServiceWorker: false });

const typesOf = async (backstage: Backstage, who: Account, id: string) => {
  const path = `/api/packages/${id}/events`;
  const events = await backstage.call<WireEvent[]>(who, 'GET', path);
  return events.map(({ type, correctedBy }) => (correctedBy ? `${type} taken back` : type));
};

test.describe('with a service worker', () => {
  test.use({ hasServiceWorker: true });

  test('the timeline is there offline, with what waits and what was taken back @long', async ({
    installed,
    backstage,
  }) => {
    const { sender, courier, packages } = await backstage.offers(1);
    const [{ _id }] = packages;
    await backstage.accept(courier, packages[0]);
    const { page, context } = await installed(courier);
    const detail = await PackageDetailPage.open(page, _id);
    await expect(detail.events).toHaveText([/^Accepted \d\d:\d\d · You$/, /^Pickup/, /^Delivery/]);
    await context.setOffline(true);
    await page.reload();
    const bar = page.locator('[data-actions]');
    await bar.getByRole('button', { name: 'Picked up' }).click();
    await expect(detail.events.nth(1)).toHaveText(/^Picked up \d\d:\d\d · YouWaiting to sendUndo$/);

    await detail.timeline.getByRole('button', { name: 'Undo' }).click();
    await expect(detail.events.nth(1)).toContainText('Taken back');
    await expect(bar.getByRole('button', { name: 'Picked up' })).toBeVisible();
    await bar.getByRole('button', { name: 'Picked up' }).click();
    await bar.getByRole('button', { name: 'I have arrived' }).click();
    await detail.timeline.getByRole('button', { name: 'Undo' }).click();
    // The last of several was certainly not sent.
    await expect(page.getByText('Undone. It wasn’t sent.')).toBeVisible();
    await expect(detail.events.filter({ hasText: 'At the drop-off' })).toHaveCount(0);

    await context.setOffline(false);
    await expect
      .poll(() => typesOf(backstage, sender, _id), { timeout: 30_000 })
      .toEqual(['created', 'accepted', 'picked_up taken back', 'corrected', 'picked_up']);
  });
});

test('a sender confirms one delivery and reports another, which a dispatcher decides', async ({
  signedIn,
  backstage,
}) => {
  const { sender, courier, packages } = await backstage.offers(2);
  const [{ _id }, { _id: good }] = packages;
  for (const pkg of packages) {
    await backstage.accept(courier, pkg);
    await backstage.record(courier, pkg, { type: 'delivered' });
  }
  const { page, context } = await signedIn(sender);
  const detail = await PackageDetailPage.open(page, _id);
  await expect(page.getByRole('button', { name: 'Confirm delivery' })).toBeVisible();
  await expect(page.getByText(/report a problem until tomorrow \d\d:\d\d/)).toBeVisible();
  await page.getByRole('button', { name: 'Report a problem' }).click();
  const report = page.getByRole('dialog', { name: 'Report a problem' });
  await report.getByRole('button', { name: 'Send report' }).click();
  await expect(report.getByRole('group', { name: 'What is wrong?' })).toHaveAccessibleDescription(
    'Choose what is wrong.',
  );
  await report.getByLabel('It did not arrive').check();
  await report.getByLabel('Describe it').fill('Nobody was here.');
  await context.setOffline(true);
  await report.getByRole('button', { name: 'Send report' }).click();
  const reported = detail.card('Problem reported');
  await expect(reported).toContainText('It did not arrive');
  await expect(reported).toContainText('once it has been sent');
  await expect(detail.events.last()).toHaveText(/^Problem reported.*Waiting to send$/);
  await context.setOffline(false);
  await expect(reported).toContainText('You will see here what they decide.');
  // The report's text appears once.
  await expect(page.getByText('Nobody was here.')).toHaveCount(1);
  await expect(detail.events.last()).not.toContainText('Waiting to send');

  await test.step('a confirmation', async () => {
    await PackageDetailPage.open(page, good);
    await page.getByRole('button', { name: 'Confirm delivery' }).click();
    await expect(page.getByText('Confirmed. Thank you')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Confirm delivery' })).toHaveCount(0);
    await expect(detail.timeline).toContainText('Confirmed');
  });

  const { page: desk } = await signedIn(admin);
  const theirs = await PackageDetailPage.open(desk, _id);
  await theirs.card('Problem reported').getByRole('button', { name: 'Resolve problem' }).click();
  const decision = desk.getByRole('dialog', { name: 'Resolve problem' });
  await decision.getByLabel('The sender').check();
  await decision.getByLabel('Reason').fill('Nothing was handed over.');
  await desk.reload();
  await expect(decision.getByLabel('Reason')).toHaveValue('Nothing was handed over.');
  await decision.getByRole('button', { name: 'Resolve' }).click();
  await expect(theirs.card('Problem reported')).toHaveCount(0);
  await expect(theirs.timeline).toContainText(/Problem settled.*Decided for the sender/);
});

test('what is older of a long history is shown when asked for @long', async ({
  signedIn,
  backstage,
}) => {
  const { courier, packages } = await backstage.offers(1);
  const [{ _id }] = packages;
  await backstage.accept(courier, packages[0]);
  for (let pair = 0; pair < eventsPerPage / 2; pair += 1) {
    const step = crypto.randomUUID();
    await backstage.record(courier, packages[0], { _id: step, type: 'picked_up' });
    await backstage.record(courier, packages[0], { type: 'corrected', corrects: step });
  }
  const { page } = await signedIn(courier);
  const detail = await PackageDetailPage.open(page, _id);
  const older = detail.timeline.getByRole('button', { name: 'Show older' });
  const last = detail.timeline.getByRole('button', { name: /^Show the last \d+/ });
  await last.click();
  await expect(detail.events.first()).toHaveText(/^Picked up/);
  await older.click();
  await expect(detail.events.first()).toHaveText(/^Accepted/);
  await expect(older).toHaveCount(0);
  await expect(last).toHaveCount(0);
});
