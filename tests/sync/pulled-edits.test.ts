/** What a pull does to edits that wait, and what it must leave alone. */
import { afterEach, describe, expect, it } from 'vitest';
import { answersStatus } from '#tests/fakes/fake-server.ts';
import { aPulledDevice, aServer, type Device, edit, packageId, settled, states } from './device.ts';

let device: Device;
afterEach(() => device.close());

/** Offline, with its packages mirrored at version 1. */
async function offline(count = 1) {
  const all = await aPulledDevice(aServer(count));
  device = all.device;
  all.server.isReachable = false;
  return all;
}

describe('a pull that brings a newer version', () => {
  it('leaves the first of a lane as it is: it may have been sent already', async () => {
    const { server, tab } = await offline();
    server.isReachable = true;
    server.changePackage(packageId(1), { notes: 'Theirs' });
    const barrier = server.holdNext('pullPackages');
    tab.engine.request('pull');
    await barrier.reached;
    await tab.engine.enqueue(edit({ description: 'Mine' }, { baseVersion: 1 }));
    barrier.release();
    await settled(device);
    const sent = server.calls.find(({ name }) => name === 'patchPackage');
    expect(sent?.body).toMatchObject({ baseVersion: 1 });
    expect(await states(tab)).toEqual([]);
  });

  it('is not taken for our own doing where others have set a field to something else', async () => {
    const { server, tab } = await offline();
    await tab.engine.enqueue(edit({ description: 'One' }, { baseVersion: 1 }));
    await tab.engine.enqueue(edit({ description: 'Two' }, { baseVersion: 1 }));
    await settled(device);
    server.fail('patchPackage', answersStatus(503, 3_600_000), 9);
    server.changePackage(packageId(1), { description: 'Theirs' });
    server.isReachable = true;
    tab.engine.request('online');
    await settled(device);
    expect(await tab.db.packages.get(packageId(1))).toMatchObject({ description: 'Theirs' });
    const bases = (await tab.db.outbox.toArray()).map((row) =>
      row.name === 'editPackage' ? row.args.baseVersion : null,
    );
    expect(bases).toEqual([1, 1]);
  });
});
