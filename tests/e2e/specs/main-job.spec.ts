/**
 * The main job end to end: a sender creates a package, an offline courier accepts it, the reply of
 * the acceptance is lost, and the server still has exactly one.
 */
import { comeBack } from '#tests/e2e/inside.ts';
import { expect, test } from '#tests/e2e/kaya.ts';
import { AuthPage } from '#tests/e2e/pages/auth-page.ts';
import { WizardPage } from '#tests/e2e/pages/wizard-page.ts';

interface PackageOnServer {
  _id: string;
  description: string;
  version: number;
  deliveryStatus: string;
  deliveryPersonId: { firstName: string } | null;
}

test('a package is delivered despite a lost reply', async ({ phone, backstage, network }) => {
  const sender = await backstage.sender();
  const courier = await backstage.courier();
  // Other tests of this worker have packages on the same server.
  const description = 'Four lengths of Zaria lace';

  const packageOnServer = async () => {
    const rows = (await backstage.call(sender, 'GET', '/api/packages')) as PackageOnServer[];
    expect(rows).toHaveLength(1);
    return rows[0] as PackageOnServer;
  };

  const amina = await phone();
  const aminasShell = await (await AuthPage.open(amina.page)).signInAs(sender);
  const wizard = await WizardPage.open(amina.page);
  await wizard.fill({ description });
  await wizard.submit();
  const tracking = await aminasShell.openTracking();
  await expect(tracking.card(description)).toContainText('₦1,500');
  const { _id: id } = await packageOnServer();

  // The courier sees it, goes offline, and accepts it.
  const sani = await phone();
  const sanisShell = await (await AuthPage.open(sani.page)).signInAs(courier);
  await sanisShell.untilInstalled();
  const deliveries = await sanisShell.openDeliveries();
  await expect(deliveries.card(description)).toBeVisible();
  await sani.context.setOffline(true);
  await deliveries.accept(description);
  await expect(deliveries.card(description)).toContainText('Waiting to send');
  await expect(sani.page.getByText(/^Offline/)).toBeVisible();

  // The phone is closed and reopened, still offline.
  await sani.page.reload();
  await expect(deliveries.card(description)).toContainText('Waiting to send');
  expect((await packageOnServer()).deliveryStatus).toBe('Pending');

  // The network returns, and drops the reply of the acceptance after the server committed it.
  const cut = network.cutNextReply(
    (method, path, status) =>
      method === 'PATCH' && path === `/api/packages/${id}` && status === 200,
  );
  await sani.context.setOffline(false);
  await cut;
  await expect(deliveries.card(description)).not.toContainText(/Waiting to send|Sending/, {
    timeout: 30_000,
  });
  await expect(sani.page.getByText(/^Offline/)).toBeHidden();

  // It was sent twice and applied once.
  const tries = network.forwarded.filter((line) => line === `PATCH /api/packages/${id}`);
  expect(tries.length).toBeGreaterThanOrEqual(2);
  const accepted = await packageOnServer();
  expect(accepted).toMatchObject({ deliveryStatus: 'In Transit', version: 2 });
  expect(accepted.deliveryPersonId?.firstName).toBe('Sani');

  await comeBack(amina.page);
  await tracking.inTransit.click();
  await expect(tracking.card(description)).toContainText('In Transit');

  const detail = await deliveries.open(description);
  await expect(sani.page.getByText('0805 765 4321')).toBeVisible();
  await detail.delivered.click();
  await expect(sani.page.getByText('Package marked as delivered!')).toBeVisible();
  expect(await packageOnServer()).toMatchObject({ deliveryStatus: 'Delivered', version: 3 });

  await comeBack(amina.page);
  await expect(tracking.card(description)).toContainText('Delivered');
});
