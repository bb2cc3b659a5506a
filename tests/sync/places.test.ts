/** Pins on packages between versions of the app: older ones have none. */
import { describe, expect, it } from 'vitest';
import type { Package } from '#domain/package.ts';
import { aPackage } from '#tests/builders/package.ts';
import { aServer, closeDevices, me, packageId, pulled, request, type Tab } from './device.ts';
import { readPackageView } from './views.ts';

closeDevices();

const kofarMata = { lat: 11.9936, lng: 8.5205 };

/** As mirrored by a version without pins. */
function pinless(row: Package): Package {
  const { pickupLocation: _, deliveryLocation: __, ...before } = row;
  return before as Package;
}

const view = (tab: Tab, number = 1) => readPackageView(tab.db, packageId(number), me);

describe('a mirror without pins', () => {
  it('shows its packages', async () => {
    const { tab } = await pulled();
    await tab.db.packages.put(pinless(aPackage({ id: packageId(1) })));
    expect(await view(tab)).toMatchObject({ pickupLocation: null, deliveryLocation: null });
  });

  it('is pulled again once, so that pins set since are shown', async () => {
    const server = aServer(2);
    server.changePackage(packageId(1), { pickupLocation: kofarMata });
    const { tab } = await pulled(server);
    // Written by the older version: rows without pins, and its cursor.
    await tab.db.packages.bulkPut([...server.packages.values()].map(pinless));
    await tab.db.lists.update('packages', { shape: '_id packageId version' });
    await request(tab, 'online');
    expect((await view(tab))?.pickupLocation).toEqual(kofarMata);
    const asked = server.calls.filter(({ name }) => name === 'pullPackages').length;
    await request(tab, 'online');
    expect(server.calls.filter(({ name }) => name === 'pullPackages')).toHaveLength(asked + 1);
  });
});
