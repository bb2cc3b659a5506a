/** A phone whose clock is wrong: what is shown and offered goes by the server's, and it is said. */
import type { Page } from '@playwright/test';
import type { WirePackage } from '#contract/package.ts';
import type { Account, Backstage } from '#tests/e2e/backstage.ts';
import { comeBack, enter } from '#tests/e2e/inside.ts';
import { expect, test } from '#tests/e2e/kaya.ts';
import { PackageDetailPage } from '#tests/e2e/pages/package-detail-page.ts';
import { PackageListPage } from '#tests/e2e/pages/package-list-page.ts';
import { putClockFast } from '#tests/e2e/phone-clock.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

const said = (page: Page, amount: string) =>
  page
    .getByRole('status')
    .filter({ hasText: `Your phone’s clock is ${amount}. Kaya uses the right time; set it under` });

const delivered = (backstage: Backstage, who: Account, id: string) =>
  backstage.call<WirePackage>(who, 'POST', `/api/packages/${id}/events`, {
    _id: crypto.randomUUID(),
    occurredAt: new Date().toISOString(),
    type: 'delivered',
  });

// A restart is offline where no call is answered: the files come from the same place either way.
test.use({ hasServiceWorker: false });

test('15 minutes ahead: a step is taken back, today, also offline after a restart', async ({
  phone,
  network,
  backstage,
}) => {
  const { sender, courier, packages } = await backstage.offers(1);
  const [{ _id }] = packages;
  await backstage.accept(courier, packages[0]);
  await delivered(backstage, courier, _id);
  const { page, context } = await phone();
  await putClockFast({ context, network }, 15 * minuteMs);
  await enter(page, courier, `/package-detail/${_id}`);
  const detail = new PackageDetailPage(page);
  const undo = detail.timeline.getByRole('button', { name: 'Undo' });
  await expect(undo).toBeVisible();
  await expect(said(page, '15 minutes fast')).toBeVisible();

  network.setFaults((_, at) => (at.startsWith('/api/') ? { kind: 'dropped before' } : null));
  await page.reload();
  await expect(undo).toBeVisible();
  await expect(said(page, '15 minutes fast')).toBeVisible();
  await undo.click();
  await expect(detail.events.filter({ hasText: 'Taken back' })).toBeVisible();
  network.setFaults(null);
  await comeBack(page);
  const path = `/api/packages/${_id}`;
  const status = async () =>
    (await backstage.call<WirePackage>(sender, 'GET', path)).deliveryStatus;
  await expect.poll(status).toBe('In Transit');
});

test('50 hours ahead: a problem is reported, nothing is late, and it is said once', async ({
  phone,
  network,
  backstage,
  sender,
  courier,
}) => {
  const inHours = (hours: number) => new Date(Date.now() + hours * hourMs).toISOString();
  const dates = { pickupDate: inHours(1), deliveryDate: inHours(3) };
  const [due, done] = await backstage.packages(sender, [dates, {}]);
  if (!due || !done) throw new Error('Two packages were asked for.');
  for (const pkg of [due, done]) await backstage.accept(courier, pkg);
  await delivered(backstage, courier, done._id);
  const { page, context } = await phone();
  await putClockFast({ context, network }, 50 * hourMs);
  await enter(page, sender, `/package-detail/${done._id}`);
  await expect(page.getByRole('button', { name: 'Report a problem' })).toBeVisible();
  const line = said(page, '2 days fast');
  await expect(line).toBeVisible();
  await line.getByRole('button', { name: 'Hide' }).click();
  await expect(line).toHaveCount(0);
  const { cards } = await PackageListPage.open(page, '/tracking/in-transit');
  await expect(cards.filter({ hasText: 'In Transit' })).toHaveCount(1);
  await expect(page.getByText('Late', { exact: true })).toHaveCount(0);
  await expect(line).toHaveCount(0);
});

test('a day behind: today is called today @long', async ({ phone, network, backstage }) => {
  const { courier, packages } = await backstage.offers(1);
  const [{ _id }] = packages;
  await backstage.accept(courier, packages[0]);
  const { page, context } = await phone();
  await putClockFast({ context, network }, -24 * hourMs);
  await enter(page, courier, `/package-detail/${_id}`);
  await expect(said(page, '1 day slow')).toBeVisible();
  const { events } = new PackageDetailPage(page);
  await expect(events.first()).toHaveText(/^Accepted \d\d:\d\d · You$/);
});
