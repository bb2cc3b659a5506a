/** Pins on packages between versions of the app: those of before know none. */
import { afterEach, describe, expect, it } from 'vitest';
import { readAllPackages } from '#db/queries.ts';
import { upgradeOperation } from '#domain/operation-migrations.ts';
import { operationSchemaVersion } from '#domain/operation-names.ts';
import type { Package } from '#domain/package.ts';
import { aPackage, operationBase } from '#tests/builders/package.ts';
import {
  aPulledDevice,
  aServer,
  create,
  type Device,
  edit,
  me,
  packageId,
  settled,
  states,
  type Tab,
} from './device.ts';
import { readPackageView } from './views.ts';

let device: Device;
afterEach(() => device?.close());

async function pulled(server = aServer()) {
  const all = await aPulledDevice(server);
  device = all.device;
  return all;
}

async function again(tab: Tab) {
  tab.engine.request('online');
  await settled(device);
}

const kofarMata = { lat: 11.9936, lng: 8.5205 };
const zooRoad = { lat: 11.9702, lng: 8.5434 };

/** As a version without pins has mirrored it. */
function pinless(row: Package): Package {
  const { pickupLocation: _, deliveryLocation: __, ...before } = row;
  return before as Package;
}

const view = (tab: Tab, number = 1) => readPackageView(tab.db, packageId(number), me);

describe('a queued operation of before', () => {
  it('is read as it is, without a step', () => {
    for (const intent of [create(7), edit({ notes: 'Fragile' }, { baseVersion: 1 })]) {
      const stored = { ...operationBase(), ...intent, schemaVersion: operationSchemaVersion };
      const upgraded = upgradeOperation(stored);
      expect('operation' in upgraded && upgraded.operation).toBe(stored);
    }
  });

  it('is sent as it was made, and its package has no pins', async () => {
    const { server, tab } = await pulled();
    server.isReachable = false;
    await tab.engine.enqueue(create(7));
    expect(await view(tab, 7)).toMatchObject({ pickupLocation: null, deliveryLocation: null });
    server.isReachable = true;
    await again(tab);
    const sent = server.calls.findLast(({ name }) => name === 'createPackage')?.body;
    expect(sent).not.toHaveProperty('pickupLocation');
    expect(await states(tab)).toEqual([]);
  });
});

describe('pins set without a network', () => {
  it('are seen at once, and are on the server once it is back', async () => {
    const { server, tab } = await pulled();
    server.isReachable = false;
    await tab.engine.enqueue(edit({ pickupLocation: kofarMata }, { baseVersion: 1 }));
    await tab.engine.enqueue(edit({ deliveryLocation: zooRoad }, { baseVersion: 1 }));
    await tab.engine.enqueue(edit({ pickupLocation: null }, { baseVersion: 1 }));
    expect(await view(tab)).toMatchObject({ pickupLocation: null, deliveryLocation: zooRoad });
    server.isReachable = true;
    await again(tab);
    expect(await states(tab)).toEqual([]);
    expect(server.packages.get(packageId(1))).toMatchObject({
      ...{ pickupLocation: null, deliveryLocation: zooRoad, version: 4 },
    });
  });

  it('ask the person where somebody else has moved the same pin', async () => {
    const { server, tab } = await pulled();
    server.isReachable = false;
    await tab.engine.enqueue(edit({ pickupLocation: kofarMata }, { baseVersion: 1 }));
    server.changePackage(packageId(1), { pickupLocation: zooRoad });
    server.isReachable = true;
    await again(tab);
    expect(await states(tab)).toEqual(['editPackage attention conflict']);
    const [row] = await tab.db.outbox.toArray();
    expect(Object.keys(row?.lastError?.fields ?? {})).toEqual(['pickupLocation']);
  });
});

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
    await again(tab);
    expect((await view(tab))?.pickupLocation).toEqual(kofarMata);
    const asked = server.calls.filter(({ name }) => name === 'pullPackages').length;
    await again(tab);
    expect(server.calls.filter(({ name }) => name === 'pullPackages')).toHaveLength(asked + 1);
  });
});

describe('a damaged pin', () => {
  it('empties the mirror, which is pulled again', async () => {
    const { server, tab } = await pulled();
    const row = { ...aPackage({ id: packageId(1) }), pickupLocation: { lat: 'north' } };
    await tab.db.packages.put(row as never);
    const reading = readAllPackages(tab.db, { ...me, email: '', roles: ['Employee'] });
    await expect(reading).rejects.toMatchObject({ name: 'UnreadableRowError' });
    await again(tab);
    await again(tab);
    expect(await tab.db.packages.toArray()).toEqual([...server.packages.values()]);
  });
});
