/** What another changed and one's own edit wrote over is one's own again, for the edits behind it. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FakeServer, faults } from '#tests/fakes/fake-server.ts';
import {
  aPulledDevice,
  aServer,
  type Device,
  edit,
  packageId,
  settled,
  states,
  type Tab,
} from './device.ts';

let device: Device;
let server: FakeServer;
let tab: Tab;

/** Three edits made without a network on version 1, and another's notes that the second writes over. */
beforeEach(async () => {
  server = aServer(1);
  ({ device, tab } = await aPulledDevice(server));
  server.isReachable = false;
  await tab.engine.enqueue(edit({ description: 'One' }, { baseVersion: 1 }));
  await tab.engine.enqueue(edit({ notes: 'Two' }));
  await tab.engine.enqueue(edit({ description: 'Three', notes: 'Three' }, { baseVersion: 1 }));
  await settled(device);
  server.changePackage(packageId(1), { notes: 'Theirs' });
  server.isReachable = true;
});
afterEach(() => device.close());

async function goOnline() {
  tab.engine.request('online');
  await settled(device);
}

async function passMinute() {
  device.clock.advance(60_000);
  await settled(device);
}

const isThird = ({ body }: { body: unknown }) => JSON.stringify(body)?.includes('Three') ?? false;
const row = () => server.packages.get(packageId(1));

describe('an edit behind one that wrote over another’s change', () => {
  it('does not conflict', async () => {
    await goOnline();
    expect(await states(tab)).toEqual([]);
    expect(row()).toMatchObject({ description: 'Three', notes: 'Three' });
  });

  it('does not where a pull had brought that change', async () => {
    server.fail('patchPackage', faults.html);
    await goOnline();
    expect(await tab.db.packages.get(packageId(1))).toMatchObject({ notes: 'Theirs' });
    await passMinute();
    expect(await states(tab)).toEqual([]);
    expect(row()).toMatchObject({ description: 'Three', notes: 'Three' });
  });

  it('does not where a pull brought what was written over, and its reply was lost', async () => {
    server.fail(({ body }) => JSON.stringify(body)?.includes('Two') ?? false, faults.truncated);
    await goOnline();
    expect(await tab.db.packages.get(packageId(1))).toMatchObject({ notes: 'Two' });
    await passMinute();
    expect(await states(tab)).toEqual([]);
    expect(row()).toMatchObject({ description: 'Three', notes: 'Three' });
  });

  it('conflicts with what another wrote once more', async () => {
    const third = server.holdNext(isThird);
    tab.engine.request('online');
    await third.reached;
    server.changePackage(packageId(1), { notes: 'Theirs again' });
    third.release();
    await settled(device);
    expect(await states(tab)).toEqual(['editPackage attention conflict']);
    expect(row()).toMatchObject({ description: 'One', notes: 'Theirs again' });
  });

  it('conflicts with another’s change of another of its fields', async () => {
    server.changePackage(packageId(1), { description: 'Theirs' });
    await goOnline();
    expect(await states(tab)).toContain('editPackage attention conflict');
    expect(row()).toMatchObject({ description: 'Theirs' });
  });
});
