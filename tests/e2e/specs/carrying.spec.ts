/** The carrying limit, and the dispatcher's view of returned packages. */
import { admin } from '#tests/e2e/backstage.ts';
import { expect, test } from '#tests/e2e/kaya.ts';
import { packagesOf } from '#tests/e2e/outbox-stage.ts';
import { ChangesPage } from '#tests/e2e/pages/changes-page.ts';
import { PackageListPage } from '#tests/e2e/pages/package-list-page.ts';
import { UserPage, UsersPage } from '#tests/e2e/pages/users-page.ts';

test.use({ hasServiceWorker: false });
test.use({ serverEnv: { TILE_URL: 'off', MAX_CARRIED: '1' } });

test('a courier at their limit is told, and retries @long', async ({ signedIn, backstage }) => {
  const [sender, courier] = [await backstage.sender(), await backstage.courier()];
  const packages = await backstage.packages(sender, 2);
  const [first, second] = packages.map(({ description }) => description);
  const { page } = await signedIn(courier);

  const list = await PackageListPage.open(page, '/delivery/pending');
  await list.accept(first ?? '');
  await expect(page.getByText('Delivery accepted!')).toBeVisible();
  await list.pending.click();
  await list.accept(second ?? '');
  const refusal = 'You already carry the most packages allowed.';
  await expect(page.getByText(`${refusal} Deliver or drop one, then try again.`)).toBeVisible();

  const changes = await ChangesPage.open(page);
  const card = changes.card('Accept delivery');
  await expect(card).toContainText(refusal);
  await expect(card).toContainText('Deliver or drop one, then retry.');
  expect((await packagesOf(backstage, courier)).map((row) => row.deliveryStatus).sort()).toEqual([
    'In Transit',
    'Pending',
  ]);

  await PackageListPage.open(page, '/delivery/in-transit');
  const detail = await list.open(first ?? '');
  await detail.delivered.click();
  await expect(page.getByText('Package marked as delivered!')).toBeVisible();
  await ChangesPage.open(page);
  await card.getByRole('button', { name: 'Retry' }).click();
  await expect(changes.empty).toBeVisible();
  await expect
    .poll(async () =>
      (await packagesOf(backstage, courier)).map((row) => row.deliveryStatus).sort(),
    )
    .toEqual(['Delivered', 'In Transit']);
});

test('a dispatcher sees how often a courier drops @long', async ({ signedIn, backstage }) => {
  const [sender, courier] = [await backstage.sender(), await backstage.courier('Musa')];
  const id = courier.id;
  for (const { _id } of await backstage.packages(sender, 2)) {
    const path = `/api/packages/${_id}`;
    await backstage.call(courier, 'PATCH', path, {
      ...{ deliveryPersonId: id, deliveryStatus: 'In Transit' },
    });
    await backstage.call(courier, 'PATCH', path, {
      ...{ deliveryPersonId: null, deliveryStatus: 'Pending' },
    });
  }
  const { page } = await signedIn(admin, '/users-list');
  await new UsersPage(page).search.fill(courier.email);
  const said = page.getByText('Dropped 2 packages in 30 days');
  await expect(said).toBeVisible();
  await page.getByRole('link', { name: /^Edit/ }).click();
  await expect(new UserPage(page).profile.getByLabel('Email')).toHaveValue(courier.email);
  await expect(said).toBeVisible();

  // Couriers do not see it.
  const other = await signedIn(courier, '/users-list');
  await expect(other.page.getByText(courier.email)).toBeVisible();
  await expect(other.page.getByText(/Dropped/)).toBeHidden();
});
