import { afterEach, describe, expect, it } from 'vitest';
import { wipeMirror } from '#db/user-database.ts';
import { answersStatus, faults } from '#tests/fakes/fake-server.ts';
import {
  accept,
  aDevice,
  aServer,
  type Device,
  edit,
  packageId,
  settled,
  states,
  type Tab,
} from './device.ts';

let device: Device;
afterEach(() => device.close());

/** Offline, with package 1 mirrored at version 1. */
async function offline(server = aServer()) {
  device = aDevice(server);
  const tab = device.openTab();
  tab.engine.request('start');
  await settled(device);
  server.isReachable = false;
  return { server, tab };
}

async function backOnline(server: { isReachable: boolean }, tab: Tab) {
  server.isReachable = true;
  tab.engine.request('online');
  await settled(device);
}

describe('edits of one’s own, one after another', () => {
  it('of the same field on the same version do not conflict with each other', async () => {
    const { server, tab } = await offline();
    for (const description of ['One', 'Two', 'Three']) {
      await tab.engine.enqueue(edit({ description }, { baseVersion: 1 }));
    }
    await settled(device);
    await backOnline(server, tab);
    expect(await states(tab)).toEqual([]);
    expect(server.packages.get(packageId(1))).toMatchObject({ description: 'Three', version: 4 });
  });

  it('do not, either, behind an accept of one’s own', async () => {
    const { server, tab } = await offline();
    await tab.engine.enqueue(accept());
    await tab.engine.enqueue(edit({ notes: 'Ring twice' }, { baseVersion: 1 }));
    await settled(device);
    await backOnline(server, tab);
    expect(server.mutations()).toHaveLength(1 + 2);
    expect(await states(tab)).toEqual([]);
    expect(server.packages.get(packageId(1))).toMatchObject({ notes: 'Ring twice', version: 3 });
  });

  it('nor with a lost reply and a pull between', async () => {
    const { server, tab } = await offline();
    await tab.engine.enqueue(edit({ description: 'One' }, { baseVersion: 1 }));
    await tab.engine.enqueue(edit({ description: 'Two' }, { baseVersion: 1 }));
    await settled(device);
    // Committed, its reply spoilt: not the network's fault, so the pull runs and brings version 2.
    server.fail('patchPackage', faults.truncated);
    await backOnline(server, tab);
    expect(await tab.db.packages.get(packageId(1))).toMatchObject({ version: 2 });
    device.clock.advance(60_000);
    await settled(device);
    expect(await states(tab)).toEqual([]);
    expect(server.packages.get(packageId(1))).toMatchObject({ description: 'Two', version: 3 });
  });

  it('nor when the second was typed while the first was acknowledged', async () => {
    const { server, tab } = await offline();
    await backOnline(server, tab);
    await tab.engine.enqueue(edit({ description: 'One' }, { baseVersion: 1 }));
    await settled(device);
    await tab.engine.enqueue(edit({ description: 'Two' }, { baseVersion: 1 }));
    await settled(device);
    await tab.engine.enqueue(edit({ description: 'Three' }, { baseVersion: 1 }));
    await settled(device);
    expect(await states(tab)).toEqual([]);
    expect(server.packages.get(packageId(1))?.description).toBe('Three');
  });

  it('nor when a pull brought the first, whose reply was lost, before the second was saved', async () => {
    const { server, tab } = await offline();
    await backOnline(server, tab);
    server.fail('patchPackage', faults.truncated);
    await tab.engine.enqueue(edit({ description: 'One' }, { baseVersion: 1 }));
    await settled(device);
    tab.engine.request('pull');
    await settled(device);
    expect(await tab.db.packages.get(packageId(1))).toMatchObject({ description: 'One' });
    device.clock.advance(60_000);
    await settled(device);
    expect(await states(tab)).toEqual([]);
    await tab.engine.enqueue(edit({ description: 'Two' }, { baseVersion: 1 }));
    await settled(device);
    expect(await states(tab)).toEqual([]);
    expect(server.packages.get(packageId(1))?.description).toBe('Two');
  });

  it('nor when that pull brought another’s change of another field with it', async () => {
    const { server, tab } = await offline();
    await backOnline(server, tab);
    server.fail('patchPackage', faults.truncated);
    server.fail('pullUsers', faults.html);
    await tab.engine.enqueue(edit({ description: 'One' }, { baseVersion: 1 }));
    await settled(device);
    server.changePackage(packageId(1), { notes: 'Theirs' });
    tab.engine.request('pull');
    await settled(device);
    expect(await tab.db.packages.get(packageId(1))).toMatchObject({ version: 3 });
    await tab.engine.enqueue(edit({ description: 'Two' }, { baseVersion: 1 }));
    device.clock.advance(60_000);
    await settled(device);
    expect(await states(tab)).toEqual([]);
    const both = { description: 'Two', notes: 'Theirs' };
    expect(server.packages.get(packageId(1))).toMatchObject(both);
  });

  it('nor when the second was made with another’s change in sight that came after the first', async () => {
    const { server, tab } = await offline();
    await backOnline(server, tab);
    server.fail('patchPackage', faults.truncated);
    server.fail('pullUsers', faults.html);
    await tab.engine.enqueue(edit({ description: 'One' }, { baseVersion: 1 }));
    await settled(device);
    server.changePackage(packageId(1), { description: 'Theirs' });
    tab.engine.request('pull');
    await settled(device);
    await tab.engine.enqueue(edit({ description: 'Two' }, { baseVersion: 3 }));
    device.clock.advance(60_000);
    await settled(device);
    expect(await states(tab)).toEqual([]);
    expect(server.packages.get(packageId(1))?.description).toBe('Two');
  });

  it('nor when a pull brought another’s change of another field before the second was saved', async () => {
    const { server, tab } = await offline();
    await tab.engine.enqueue(edit({ description: 'One' }, { baseVersion: 1 }));
    await settled(device);
    server.changePackage(packageId(1), { notes: 'Theirs' });
    server.fail('patchPackage', { ...faults.html });
    await backOnline(server, tab);
    expect(await tab.db.packages.get(packageId(1))).toMatchObject({ notes: 'Theirs' });
    const both = { description: 'Two', pickupAddress: 'My gate' };
    await tab.engine.enqueue(edit(both, { baseVersion: 1 }));
    device.clock.advance(60_000);
    await settled(device);
    expect(await states(tab)).toEqual([]);
    expect(server.packages.get(packageId(1))).toMatchObject({ ...both, notes: 'Theirs' });
  });

  it('nor when the first, whose reply was lost, came back into an emptied mirror', async () => {
    const { server, tab } = await offline();
    const both = { description: 'Two', notes: 'Two' };
    await tab.engine.enqueue(edit({ description: 'One' }, { baseVersion: 1 }));
    await tab.engine.enqueue(edit(both, { baseVersion: 1 }));
    await settled(device);
    await wipeMirror(tab.db);
    server.fail('patchPackage', faults.truncated);
    await backOnline(server, tab);
    expect(await tab.db.packages.get(packageId(1))).toMatchObject({ version: 2 });
    device.clock.advance(60_000);
    await settled(device);
    expect(await states(tab)).toEqual([]);
    expect(server.packages.get(packageId(1))).toMatchObject(both);
  });

  it('nor when the second was typed before a sign-out and saved after the next sign-in', async () => {
    const { server, tab } = await offline();
    await backOnline(server, tab);
    await tab.engine.enqueue(edit({ description: 'One' }, { baseVersion: 1 }));
    await settled(device);
    await wipeMirror(tab.db);
    await backOnline(server, tab);
    await tab.engine.enqueue(edit({ description: 'Two' }, { baseVersion: 1 }));
    await settled(device);
    expect(await states(tab)).toEqual([]);
    expect(server.packages.get(packageId(1))?.description).toBe('Two');
  });

  it('nor when somebody else changed another field meanwhile', async () => {
    const { server, tab } = await offline();
    await tab.engine.enqueue(edit({ description: 'One' }, { baseVersion: 1 }));
    await tab.engine.enqueue(edit({ description: 'Two' }, { baseVersion: 1 }));
    await settled(device);
    server.changePackage(packageId(1), { notes: 'Theirs' });
    await backOnline(server, tab);
    expect(await states(tab)).toEqual([]);
    const both = { description: 'Two', notes: 'Theirs' };
    expect(server.packages.get(packageId(1))).toMatchObject(both);
  });

  it('nor when a pull brought the other’s change before either went out', async () => {
    const { server, tab } = await offline();
    await tab.engine.enqueue(edit({ description: 'One' }, { baseVersion: 1 }));
    await tab.engine.enqueue(edit({ description: 'Two' }, { baseVersion: 1 }));
    await settled(device);
    server.changePackage(packageId(1), { notes: 'Theirs' });
    server.fail('patchPackage', { ...faults.html });
    await backOnline(server, tab);
    expect(await tab.db.packages.get(packageId(1))).toMatchObject({ notes: 'Theirs' });
    device.clock.advance(60_000);
    await settled(device);
    expect(await states(tab)).toEqual([]);
    expect(server.packages.get(packageId(1))?.description).toBe('Two');
  });
});

describe('a true conflict', () => {
  it('stays one: a queued edit never overwrites what somebody else wrote in that field', async () => {
    const { server, tab } = await offline();
    await tab.engine.enqueue(edit({ description: 'Mine' }, { baseVersion: 1 }));
    await tab.engine.enqueue(edit({ notes: 'Mine' }, { baseVersion: 1 }));
    await settled(device);
    server.changePackage(packageId(1), { notes: 'Theirs' });
    await backOnline(server, tab);
    expect(await states(tab)).toEqual(['editPackage attention conflict']);
    expect(server.packages.get(packageId(1))).toMatchObject({
      description: 'Mine',
      notes: 'Theirs',
    });
  });

  it('stays one after a pull brought the other’s change first', async () => {
    const { server, tab } = await offline();
    await tab.engine.enqueue(edit({ description: 'Mine' }, { baseVersion: 1 }));
    await tab.engine.enqueue(edit({ notes: 'Mine' }, { baseVersion: 1 }));
    await settled(device);
    server.changePackage(packageId(1), { notes: 'Theirs' });
    server.fail('patchPackage', { ...faults.html });
    await backOnline(server, tab);
    device.clock.advance(60_000);
    await settled(device);
    expect(await states(tab)).toEqual(['editPackage attention conflict']);
    expect(server.packages.get(packageId(1))?.notes).toBe('Theirs');
  });

  it('stays one behind a move of one’s own that had happened already', async () => {
    const { server, tab } = await offline();
    await tab.engine.enqueue({ name: 'rejectDelivery', targetId: packageId(1), args: {} });
    await tab.engine.enqueue(edit({ notes: 'Mine' }, { baseVersion: 1 }));
    await settled(device);
    server.changePackage(packageId(1), { notes: 'Theirs' });
    await backOnline(server, tab);
    expect(await states(tab)).toEqual(['editPackage attention conflict']);
    expect(server.packages.get(packageId(1))?.notes).toBe('Theirs');
  });

  it('stays one for an edit typed before that pull and saved after it', async () => {
    const { server, tab } = await offline();
    await tab.engine.enqueue(edit({ description: 'Mine' }, { baseVersion: 1 }));
    await settled(device);
    server.changePackage(packageId(1), { notes: 'Theirs' });
    server.fail('patchPackage', { ...faults.html });
    await backOnline(server, tab);
    await tab.engine.enqueue(edit({ notes: 'Mine' }, { baseVersion: 1 }));
    device.clock.advance(60_000);
    await settled(device);
    expect(await states(tab)).toEqual(['editPackage attention conflict']);
    expect(server.packages.get(packageId(1))?.notes).toBe('Theirs');
  });

  it('stays one behind an edit of one’s own that changed nothing', async () => {
    const { server, tab } = await offline();
    const { description } = server.packages.get(packageId(1)) ?? { description: '' };
    await tab.engine.enqueue(edit({ description }, { baseVersion: 1 }));
    await tab.engine.enqueue(edit({ notes: 'Mine' }, { baseVersion: 1 }));
    await settled(device);
    server.changePackage(packageId(1), { notes: 'Theirs' });
    server.fail('patchPackage', faults.html);
    await backOnline(server, tab);
    device.clock.advance(60_000);
    await settled(device);
    expect(await states(tab)).toEqual(['editPackage attention conflict']);
    expect(server.packages.get(packageId(1))?.notes).toBe('Theirs');
  });

  it('stays one for an edit typed on a version that others have left since', async () => {
    const { server, tab } = await offline();
    await backOnline(server, tab);
    await tab.engine.enqueue(edit({ description: 'One' }, { baseVersion: 1 }));
    await settled(device);
    server.changePackage(packageId(1), { description: 'Theirs' });
    await tab.engine.enqueue(edit({ description: 'Two' }, { baseVersion: 1 }));
    await settled(device);
    expect(await states(tab)).toEqual(['editPackage attention conflict']);
  });
});

describe('a repeat', () => {
  it('is the same request to the letter, whatever a pull brought between', async () => {
    const { server, tab } = await offline();
    await tab.engine.enqueue(edit({ description: 'Mine' }, { baseVersion: 1 }));
    await settled(device);
    server.changePackage(packageId(1), { notes: 'Theirs' });
    server.fail('patchPackage', faults.html);
    await backOnline(server, tab);
    expect(await tab.db.packages.get(packageId(1))).toMatchObject({ notes: 'Theirs' });
    device.clock.advance(60_000);
    await settled(device);
    const bodies = server.calls.filter((call) => call.key !== '').map((call) => call.body);
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
    expect(await states(tab)).toEqual([]);
  });

  it('is the same request also where its person has put it behind another', async () => {
    const { server, tab } = await offline();
    await backOnline(server, tab);
    // Not the server's own word: it may have been done.
    server.fail('patchPackage', answersStatus(403));
    const { id } = await tab.engine.enqueue(edit({ description: 'One' }, { baseVersion: 1 }));
    await settled(device);
    server.isReachable = false;
    await tab.engine.enqueue(edit({ description: 'Two' }, { baseVersion: 1 }));
    await tab.engine.retry(id);
    await settled(device);
    await backOnline(server, tab);
    const sent = server.calls.filter(({ key }) => key === id).map(({ body }) => body);
    expect(sent.length).toBeGreaterThan(1);
    expect(sent).toEqual(sent.map(() => sent[0]));
  });
});
