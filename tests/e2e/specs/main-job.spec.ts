/**
 * The main job end to end: a sender creates a package, an offline courier accepts it, the reply of
 * the acceptance is lost, and the server still has exactly one.
 */
import type { PackageOnServer } from '#tests/e2e/backstage.ts';
import { comeBack } from '#tests/e2e/inside.ts';
import { expect, test } from '#tests/e2e/kaya.ts';
import { packagesOf, patchesOf, untilSent } from '#tests/e2e/outbox-stage.ts';
import { AuthPage } from '#tests/e2e/pages/auth-page.ts';
import { WizardPage } from '#tests/e2e/pages/wizard-page.ts';

test('the main job, with a lost reply', async ({
  signedIn,
  phone,
  backstage,
  network,
  sender,
  courier,
}) => {
  // Other tests of this worker have packages on the same server.
  const description = 'Four lengths of Zaria lace';
  const amina = await signedIn(sender);
  const wizard = await WizardPage.open(amina.page);
  await wizard.fill({ description });
  await wizard.submit();
  const tracking = await amina.shell.openTracking();
  await expect(tracking.card(description)).toContainText('₦1,500');
  const [created, ...others] = await packagesOf(backstage, sender);
  expect(others).toEqual([]);
  const pkg = created as PackageOnServer;

  // The courier sees it, goes offline, and accepts it.
  const sani = await phone();
  const shell = await (await AuthPage.open(sani.page)).signInAs(courier);
  await shell.untilInstalled();
  const deliveries = await shell.openDeliveries();
  await expect(deliveries.card(description)).toBeVisible();
  await sani.context.setOffline(true);
  await deliveries.accept(description);
  await expect(deliveries.card(description)).toContainText('Waiting to send');
  await expect(sani.page.getByText(/^Offline/)).toBeVisible();

  // The phone is closed and reopened, still offline.
  await sani.page.reload();
  await expect(deliveries.card(description)).toContainText('Waiting to send');
  expect(await packagesOf(backstage, sender)).toMatchObject([{ deliveryStatus: 'Pending' }]);

  // The network returns, and drops the reply of the acceptance after the server committed it.
  const cut = network.cutNextReply(
    (method, path, status) => method === 'PATCH' && path.endsWith(pkg._id) && status === 200,
  );
  await sani.context.setOffline(false);
  await cut;
  await untilSent(sani.page);
  await expect(deliveries.card(description)).not.toContainText(/Waiting to send|Sending/);
  await expect(sani.page.getByText(/^Offline/)).toBeHidden();

  // It was sent twice and applied once.
  expect(patchesOf(network, pkg)).toBeGreaterThanOrEqual(2);
  expect(await packagesOf(backstage, sender)).toMatchObject([
    { deliveryStatus: 'In Transit', version: 2, deliveryPersonId: { firstName: 'Sani' } },
  ]);
  await comeBack(amina.page);
  await tracking.inTransit.click();
  await expect(tracking.card(description)).toContainText('In Transit');

  const detail = await deliveries.open(description);
  await expect(sani.page.getByText('0805 765 4321')).toBeVisible();
  await detail.deliverForCash();
  await expect(sani.page.getByText('Package marked as delivered!')).toBeVisible();
  expect(await packagesOf(backstage, sender)).toMatchObject([
    { deliveryStatus: 'Delivered', version: 3 },
  ]);
  await comeBack(amina.page);
  await expect(tracking.card(description)).toContainText('Delivered');
});
