/** A server whose database was restored from a backup: its versions begin again below the phone's. */
import { afterEach, describe, expect, it } from 'vitest';
import { aPackage } from '#tests/builders/package.ts';
import type { FakeServer } from '#tests/fakes/fake-server.ts';
import {
  accept,
  aPulledDevice,
  aServer,
  type Device,
  edit,
  packageId,
  settled,
  states,
} from './device.ts';

let device: Device;
afterEach(() => device.close());

const asBackedUp = (number: number, description: string) => {
  const id = packageId(number);
  return aPackage({ id, packageId: `KY-00000${number}`, version: 1, description });
};

function restore(server: FakeServer, count: number): void {
  for (let number = 1; number <= count; number += 1) {
    server.packages.set(packageId(number), asBackedUp(number, 'restored'));
  }
  server.rows.forgetCursors();
}

/** The phone has version 5 of each, the backup of the server version 1. */
async function restored(count = 1, pageSize = 500) {
  const all = await aPulledDevice(aServer(count));
  device = all.device;
  const { server, tab } = all;
  for (let number = 1; number <= count; number += 1) {
    for (const notes of ['1', '2', '3', '4']) server.changePackage(packageId(number), { notes });
  }
  tab.engine.request('pull');
  await settled(device);
  server.rows.pageSize.packages = pageSize;
  restore(server, count);
  return all;
}

describe('after the server was restored from a backup', () => {
  it('a page that is behind does not take back what was acknowledged since the list began', async () => {
    const { server, tab } = await restored(3, 1);
    const page = server.packages.page.bind(server.packages);
    const stale = asBackedUp(3, 'restored');
    server.packages.page = (since) => {
      const made = page(since);
      return { ...made, rows: made.rows.map((row) => (row.id === stale.id ? stale : row)) };
    };
    const first = server.holdNext(({ name, body }) => name === 'pullPackages' && `${body}` < '2');
    tab.engine.request('pull');
    await first.reached;
    await tab.engine.enqueue(accept(3));
    first.release();
    await settled(device);
    expect(await states(tab)).toEqual([]);
    expect(await tab.db.packages.get(packageId(3))).toMatchObject({ status: 'in-transit' });
  });

  it('the phone shows what the server has, older versions and all', async () => {
    const { server, tab } = await restored(3);
    tab.engine.request('pull');
    await settled(device);
    expect(await tab.db.packages.toArray()).toEqual([...server.packages.values()]);
  });

  it('what is done from then on is shown and stays', async () => {
    const { server, tab } = await restored();
    tab.engine.request('pull');
    await settled(device);
    await tab.engine.enqueue(accept());
    await settled(device);
    expect(server.packages.get(packageId(1))).toMatchObject({ status: 'in-transit', version: 2 });
    expect(await tab.db.packages.get(packageId(1))).toEqual(server.packages.get(packageId(1)));
  });

  it('what was acknowledged between two pages of the new list is not taken back by a later one', async () => {
    const { server, tab } = await restored(3, 1);
    const first = server.holdNext(({ name, body }) => name === 'pullPackages' && `${body}` < '2');
    tab.engine.request('pull');
    await first.reached;
    await tab.engine.enqueue(accept(3));
    first.release();
    await settled(device);
    expect(server.effects).toHaveLength(1);
    expect(await tab.db.packages.toArray()).toEqual([...server.packages.values()]);
    expect(await tab.db.packages.get(packageId(3))).toMatchObject({ status: 'in-transit' });
  });

  it('an edit made on a version that is there again goes out as it was made', async () => {
    const { server, tab } = await restored();
    tab.engine.request('pull');
    await settled(device);
    const operation = await tab.engine.enqueue(edit({ description: 'Mine' }, { baseVersion: 1 }));
    expect(operation.args).toMatchObject({ baseVersion: 1 });
    await settled(device);
    expect(server.packages.get(packageId(1))).toMatchObject({ description: 'Mine' });
    expect(await states(tab)).toEqual([]);
  });
});
