/** The main job in each browser engine, from first visit to log-out, with an outage. */
import { expect } from '@playwright/test';
import type { PackageOnServer } from '#tests/e2e/backstage.ts';
import { test } from './stage.ts';

test('a courier accepts offline, syncs once, updates and logs out', async ({
  backstage,
  network,
  server,
  person,
  site,
}) => {
  const sender = await backstage.sender();
  const courier = await backstage.courier();
  const [first, second] = (await backstage.packages(sender, 2)) as [
    PackageOnServer,
    PackageOnServer,
  ];
  const onServer = async ({ _id: id }: PackageOnServer) => {
    const pkg = (await backstage.call(sender, 'GET', `/api/packages/${id}`)) as PackageOnServer;
    return [pkg.deliveryStatus, pkg.version, pkg.deliveryPersonId?.firstName];
  };
  /** Version 2: one change applied. */
  const acceptedOnce = ['In Transit', 2, 'Sani'];

  await test.step('the first visit and signing in', async () => {
    await person.signIn(courier);
    expect(network.received.filter((line) => line === 'GET /auth')).toHaveLength(1);
  });

  await test.step('accepting', async () => {
    await person.press('link', 'Deliveries');
    await person.press('button', 'Accept Delivery', first.description);
    await expect.poll(() => onServer(first), { timeout: 30_000 }).toEqual(acceptedOnce);
  });

  await test.step('starting and accepting without a server', async () => {
    await server.stop();
    await person.open('/delivery/pending');
    await person.see('Server unreachable');
    await person.press('button', 'Accept Delivery', second.description);
    await person.see('Waiting to send', second.description);
    await person.open('/delivery/in-transit');
    await person.see('Waiting to send', second.description);
  });

  await test.step('the server is back', async () => {
    await server.start();
    await expect.poll(() => onServer(second), { timeout: 60_000 }).toEqual(acceptedOnce);
    await person.seeNoMore('Waiting to send');
    await person.seeNoMore('Sending');
    await person.see(second.description);
  });

  await test.step('updating', async () => {
    site.publish();
    await person.ask(`
      window.isOldPage = true;
      await (await navigator.serviceWorker.getRegistration()).update();
    `);
    await person.see('A new version of Kaya is ready');
    await person.press('button', 'Update');
    await person.until('the new page', "return 'isOldPage' in window", false);
    await person.until(
      'the new worker',
      'return (await navigator.serviceWorker.getRegistration()).waiting === null',
    );
    await person.see(second.description);
  });

  await test.step('logging out', async () => {
    await person.press('link', 'Account');
    await person.press('button', 'Log Out');
    await person.see('Welcome Back');
    await person.open('/delivery/in-transit');
    await person.see('Welcome Back');
    await person.seeNoMore(second.description);
  });

  expect(await onServer(first)).toEqual(acceptedOnce);
  expect(await onServer(second)).toEqual(acceptedOnce);
});

for (const [what, ending] of [
  ['scripts', '.js'],
  ['stylesheet', '.css'],
] as const) {
  test(`a page whose ${what} never load reloads once, then offers a reload`, async ({
    network,
    person,
  }) => {
    network.setFaults((_, path) => (path.endsWith(ending) ? { kind: 'dropped before' } : null));
    await person.open('/auth');
    await person.see('Kaya could not be loaded.');
    network.setFaults(null);
    await person.press('link', 'Retry');
    await person.see('Welcome Back');
    // The first, the automatic reload, and the requested one.
    expect(network.received.filter((line) => line === 'GET /auth')).toHaveLength(3);
  });
}
