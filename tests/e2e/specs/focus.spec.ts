/** Focus is never lost to the body when the focused element disappears. */
import { expect, test } from '#tests/e2e/kaya.ts';
import { Keyboard } from '#tests/e2e/keyboard.ts';
import { PackageListPage } from '#tests/e2e/pages/package-list-page.ts';

test.use({ hasServiceWorker: false });

test('a vanishing button leaves focus on the heading', async ({ signedIn, backstage, network }) => {
  const sender = await backstage.sender();
  const [pkg] = await backstage.packages(sender, 6);
  const id = pkg?._id ?? '';
  const { page } = await signedIn(sender, '/tracking');
  const keys = new Keyboard(page);
  const heading = (name: string) => page.getByRole('heading', { name, exact: true });

  await test.step('a search without results is cleared', async () => {
    const list = new PackageListPage(page);
    await keys.type(list.search, 'zzzz');
    await page.keyboard.press('Enter');
    await expect(heading('Tracking')).toBeFocused();
    await keys.use(page.getByRole('main').getByRole('button', { name: 'Clear all' }).last());
    await expect(list.cards).toHaveCount(6);
    await expect(heading('Tracking')).toBeFocused();
  });

  await test.step('a draft is discarded', async () => {
    await page.goto(`/edit-package/${id}`);
    await keys.type(page.getByLabel('Description'), 'Three bolts');
    await page.reload();
    await keys.use(page.getByRole('button', { name: 'Start over' }));
    await expect(heading('Edit Package')).toBeFocused();
  });

  await test.step('payments fail to load', async () => {
    network.setFaults((_, path) =>
      path.startsWith('/api/payments') ? { kind: 'status', status: 503 } : null,
    );
    await page.goto('/payment');
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
    network.setFaults(null);
    await keys.use(page.getByRole('button', { name: 'Try again' }));
    await expect(page.getByRole('button', { name: 'Try again' })).toBeHidden();
    await keys.expectSomewhere();
  });

  await test.step('another user deletes the package', async () => {
    await page.goto(`/package-detail/${id}`);
    await keys.reach(page.getByRole('link', { name: 'Edit shipment' }));
    await backstage.call(sender, 'DELETE', `/api/packages/${id}`);
    await expect(page.getByRole('link', { name: 'Edit shipment' })).toBeHidden();
    await keys.expectSomewhere();
  });
});

test('a click on the background drops the focus for good', async ({ signedIn, backstage }) => {
  const sender = await backstage.sender();
  const { page } = await signedIn(sender, '/account');
  const heading = page.getByRole('heading', { name: 'Account', exact: true });
  await expect(heading).toBeFocused();
  await page.clock.install();
  await page.mouse.click(2, 400);
  await expect(heading).not.toBeFocused();
  await page.evaluate(() => document.body.append(document.createElement('i')));
  await page.clock.runFor(1000);
  await expect(heading).not.toBeFocused();
});
