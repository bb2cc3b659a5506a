/** Text that users type stays text wherever it is shown: no markup, no script. */
import type { Page } from '@playwright/test';
import { expect, test } from '#tests/e2e/kaya.ts';
import { PackageListPage } from '#tests/e2e/pages/package-list-page.ts';

test.use({ hasServiceWorker: false });

const markup = `<img src=x onerror="window['taken']=1"><b>Kola</b><script>window['taken']=1</script> 👩🏾‍🌾 شحنة`;

async function expectOnlyText(page: Page) {
  await expect(page.getByRole('main').locator('img[src="x"], script, b')).toHaveCount(0);
  expect(await page.evaluate(() => 'taken' in window)).toBe(false);
}

test('markup in a package is shown as text to its sender and to couriers', async ({
  signedIn,
  backstage,
}) => {
  const sender = await backstage.sender();
  const made = await backstage.package(sender, {
    description: markup,
    pickupAddress: markup,
    recipientName: '<b>موسى</b>',
    notes: markup,
    paymentMethod: 'app',
  });
  const own = await signedIn(sender, '/tracking/pending');
  const card = new PackageListPage(own.page).card('👩🏾‍🌾');
  for (const text of [markup, 'Pay with App', 'Not specified'])
    await expect(card).toContainText(text);
  await expectOnlyText(own.page);
  await own.page.goto(`/package-detail/${made._id}`);
  await expect(own.page.getByText('Unpaid', { exact: true })).toBeVisible();
  await expect(own.page.getByText(markup).first()).toBeVisible();
  await expectOnlyText(own.page);

  const courier = await signedIn(await backstage.courier(), '/delivery/pending');
  await expect(new PackageListPage(courier.page).card('👩🏾‍🌾')).toContainText(markup);
  await expectOnlyText(courier.page);
});
