/** Pins on packages between versions of the app: those of before know none. */
import { describe, expect, it } from 'vitest';
import type { Package } from '#domain/package.ts';
import { aPackage } from '#tests/builders/package.ts';
import { aServer, closeDevices, me, packageId, pulled, request, type Tab } from './device.ts';
import { readPackageView } from './views.ts';

closeDevices();

const kofarMata = { lat: 11.9936, lng: 8.5205 };

/** As a version without pins has mirrored it. */
function pinless(row: Package): Package {
  const { pickupLocation: _, deliveryLocation: __, ...before } = row;
  return before as Package;
}

const view = (tab: Tab, number = 1) => readPackageView(tab.db, packageId(number), me);

describe('a mirror of before', () => {
  it('shows packages without pins', async () => {
    const { tab } = await pulled();
    await tab.db.packages.put(pinless(aPackage({ id: packageId(1) })));
    expect(await view(tab)).toMatchObject({ pickupLocation: null, deliveryLocation: null });
  });

  it('is asked for anew once, so that pins set meanwhile are seen', async () => {
    const server = aServer(2);
    server.changePackage(packageId(1), { pickupLocation: kofarMata });
    const { tab } = await pulled(server);
    // What the version of before has written: the rows without pins, and its place in the list.
    await tab.db.packages.bulkPut([...server.packages.values()].map(pinless));
    await tab.db.lists.update('packages', { shape: '_id packageId version' });
    await request(tab, 'online');
    expect((await view(tab))?.pickupLocation).toEqual(kofarMata);
    const asked = server.calls.filter(({ name }) => name === 'pullPackages').length;
    await request(tab, 'online');
    expect(server.calls.filter(({ name }) => name === 'pullPackages')).toHaveLength(asked + 1);
  });
});
