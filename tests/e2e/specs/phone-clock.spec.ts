/** A phone whose clock is wrong: what is shown and offered goes by the server's, and it is said. */
import type { Page } from '@playwright/test';
import type { WirePackage } from '#contract/package.ts';
import { comeBack, enter } from '#tests/e2e/inside.ts';
import { expect, test } from '#tests/e2e/kaya.ts';
import { PackageDetailPage } from '#tests/e2e/pages/package-detail-page.ts';
import { putClockFast } from '#tests/e2e/phone-clock.ts';

const minuteMs = 60_000;

const said = (page: Page, amount: string) =>
  page
    .getByRole('status')
    .filter({ hasText: `Your phone’s clock is ${amount}. Kaya uses the right time; set it under` });

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
  await backstage.record(courier, packages[0], { type: 'delivered' });
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
  const line = said(page, '15 minutes fast');
  await line.getByRole('button', { name: 'Hide' }).click();
  await expect(line).toHaveCount(0);
  await undo.click();
  await expect(detail.events.filter({ hasText: 'Taken back' })).toBeVisible();
  network.setFaults(null);
  await comeBack(page);
  const path = `/api/packages/${_id}`;
  const status = async () =>
    (await backstage.call<WirePackage>(sender, 'GET', path)).deliveryStatus;
  await expect.poll(status).toBe('In Transit');
});
