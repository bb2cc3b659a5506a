/** What others wrote is replaced by nobody who has not seen it, whatever one's own edits happen to say. */
import { afterEach, describe, expect, it } from 'vitest';
import { aPackage } from '#tests/builders/package.ts';
import { faults } from '#tests/fakes/fake-server.ts';
import { aPulledDevice, aServer, type Device, edit, packageId, settled, states } from './device.ts';

let device: Device;
afterEach(() => device.close());
const id = packageId(1);

/** Without a network, with its packages mirrored at version 1. */
async function offline(count = 1) {
  const server = aServer(count);
  const all = await aPulledDevice(server);
  device = all.device;
  server.isReachable = false;
  const { tab } = all;
  const goOnline = async () => {
    server.isReachable = true;
    tab.engine.request('online');
    await settled(device);
  };
  return { server, tab, goOnline };
}

async function passMinute() {
  device.clock.advance(60_000);
  await settled(device);
}

describe('another’s value that a later edit of one’s own happens to repeat', () => {
  /** The third says what somebody else says too; a pull brings that before anything is sent. */
  async function repeated(third: { notes: string; pickupAddress?: string }) {
    const all = await offline();
    const { server, tab, goOnline } = all;
    await tab.engine.enqueue(edit({ description: 'One' }, { baseVersion: 1 }));
    await tab.engine.enqueue(edit({ notes: 'Tuesday' }, { baseVersion: 1 }));
    const { id: thirdId } = await tab.engine.enqueue(edit(third, { baseVersion: 1 }));
    await settled(device);
    server.changePackage(id, { ...third, ...(third.pickupAddress && { pickupAddress: 'Theirs' }) });
    server.fail('patchPackage', faults.html);
    await goOnline();
    expect(await tab.db.packages.get(id)).toMatchObject({ notes: 'Wednesday', version: 2 });
    return { ...all, thirdId };
  }

  it('is not replaced by the earlier one, where the later is cancelled', async () => {
    const { server, tab, thirdId } = await repeated({ notes: 'Wednesday' });
    expect(await tab.engine.cancel(thirdId)).toBe(true);
    await passMinute();
    expect(server.packages.get(id)?.notes).toBe('Wednesday');
    expect(await states(tab)).toEqual(['editPackage attention conflict']);
  });

  it('nor where the later conflicts over another field', async () => {
    const { server, tab } = await repeated({ notes: 'Wednesday', pickupAddress: 'My gate' });
    await passMinute();
    expect(server.packages.get(id)?.notes).toBe('Wednesday');
    expect(await states(tab)).toEqual([
      'editPackage attention conflict',
      'editPackage attention depends_on_refused',
    ]);
  });
});

describe('an older edit that leaned on a refused one', () => {
  it('does not replace one’s own newer value without a word', async () => {
    const { server, tab, goOnline } = await offline();
    const first = await tab.engine.enqueue(edit({ description: 'Mine' }, { baseVersion: 1 }));
    await tab.engine.enqueue(edit({ notes: 'Old' }, { baseVersion: 1 }));
    await settled(device);
    server.changePackage(id, { description: 'Theirs', notes: 'Theirs' });
    server.fail('patchPackage', faults.html);
    await goOnline();
    await passMinute();
    await tab.engine.enqueue(edit({ notes: 'New' }, { baseVersion: 2 }));
    await settled(device);
    expect(server.packages.get(id)).toMatchObject({ notes: 'New', version: 3 });
    server.isReachable = false;
    await tab.engine.enqueue(edit({ pickupAddress: 'Gate' }, { baseVersion: 3 }));
    expect(await tab.engine.acceptTheirs(first.id)).toBe(true);
    await settled(device);
    await goOnline();
    await passMinute();
    expect(server.packages.get(id)?.notes).toBe('New');
    expect(await states(tab)).toEqual(['editPackage attention conflict']);
  });
});

describe('a server that was restored', () => {
  it('takes the steps to versions with it that it has not had, also where an answer shows it', async () => {
    const { server, tab, goOnline } = await offline(3);
    const third = packageId(3);
    await goOnline();
    for (const [index, notes] of ['a', 'b', 'c'].entries()) {
      await tab.engine.enqueue(edit({ notes }, { number: 3, baseVersion: index + 1 }));
      await settled(device);
    }
    expect(await tab.db.packages.get(third)).toMatchObject({ version: 4 });
    for (const number of [1, 2, 3]) {
      const packageNumber = `KY-00000${number}`;
      const row = aPackage({ id: packageId(number), packageId: packageNumber, version: 1 });
      server.packages.set(packageId(number), row);
    }
    server.rows.pageSize.packages = 1;
    server.rows.forgetCursors();
    const page = server.holdNext(({ name, body }) => name === 'pullPackages' && `${body}` < '2');
    tab.engine.request('pull');
    await page.reached;
    await tab.engine.enqueue(edit({ notes: 'anew' }, { number: 3 }));
    page.release();
    await settled(device);
    expect(await tab.db.packages.get(third)).toMatchObject({ version: 2, notes: 'anew' });
    server.changePackage(third, { description: 'Theirs' });
    await tab.engine.enqueue(edit({ description: 'Mine' }, { number: 3, baseVersion: 2 }));
    await settled(device);
    expect(server.packages.get(third)?.description).toBe('Theirs');
    expect(await states(tab)).toEqual(['editPackage attention conflict']);
  });
});
