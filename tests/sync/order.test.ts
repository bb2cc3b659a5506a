import { describe, expect, it } from 'vitest';
import { aUser } from '#tests/builders/package.ts';
import { answers, faults } from '#tests/fakes/fake-server.ts';
import {
  accept,
  aServer,
  closeDevices,
  create,
  deliver,
  device,
  edit,
  editProfile,
  enqueue,
  goOnline,
  me,
  offline,
  packageId,
  passTime,
  pulled,
  request,
  settled,
  states,
} from './device.ts';
import { readPackageView } from './views.ts';

closeDevices();

describe('order', () => {
  it('is first in, first out for one package, one request at a time', async () => {
    const { server, tab } = await pulled();
    const barrier = server.holdNext('patchPackage');
    await tab.engine.enqueue(accept());
    await tab.engine.enqueue(deliver());
    await barrier.reached;
    expect(server.mutations()).toHaveLength(1);
    barrier.release();
    await settled();
    expect(server.calls.filter(({ key }) => key !== '').map(({ body }) => body)).toEqual([
      { deliveryPersonId: me.id, deliveryStatus: 'In Transit' },
      { deliveryStatus: 'Delivered' },
    ]);
    expect(server.packages.get(packageId(1))?.status).toBe('delivered');
  });

  it('23: does not depend on the clock', async () => {
    const { server, tab } = await offline();
    await tab.engine.enqueue(accept());
    device.clock.setBack(Date.parse('1999-01-01T00:00:00.000Z'));
    await enqueue(tab, deliver());
    await goOnline(tab);
    expect(server.packages.get(packageId(1))?.status).toBe('delivered');
    expect(await tab.db.outbox.count()).toBe(0);
  });

  it('makes an edit wait for the create of its package', async () => {
    const { server, tab } = await offline();
    await tab.engine.enqueue(create(7));
    await tab.engine.enqueue(edit({ description: 'Three bolts' }, { number: 7, baseVersion: 0 }));
    const view = await readPackageView(tab.db, packageId(7), me);
    expect(view).toMatchObject({ description: 'Three bolts', mark: 'waiting', packageId: '' });
    await settled();
    server.isReachable = true;
    server.fail('createPackage', faults.droppedAfter);
    await request(tab, 'online');
    await passTime(60_000);
    expect(server.effects).toEqual([
      `createPackage ${packageId(7)}`,
      `patchPackage ${packageId(7)}`,
    ]);
    expect(await readPackageView(tab.db, packageId(7), me)).toMatchObject({
      description: 'Three bolts',
      mark: 'none',
      version: 2,
    });
  });

  it('sends up to four packages in parallel', async () => {
    const { server, tab } = await offline(aServer(6));
    for (let number = 1; number <= 6; number += 1) await tab.engine.enqueue(accept(number));
    await settled();
    server.isReachable = true;
    server.mostAtOnce = 0;
    await request(tab, 'online');
    expect(server.mostAtOnce).toBe(4);
    expect(server.effects).toHaveLength(6);
  });

  it('17: does not let a failing package block the others', async () => {
    const { server, tab } = await pulled(aServer(3));
    server.fail((call) => call.targetId === packageId(1), answers('internal'), 1_000);
    await enqueue(tab, accept(1), deliver(1), accept(2), accept(3));
    expect(server.effects.sort()).toEqual([2, 3].map((n) => `patchPackage ${packageId(n)}`));
    expect(await states(tab)).toEqual(['acceptPackage waiting internal', 'deliverPackage waiting']);
  });

  it('sends a profile completed offline before the create that needs it', async () => {
    const server = aServer();
    server.users.set(me.id, aUser(me, { phoneNumber: null }));
    const { tab } = await offline(server);
    await enqueue(tab, editProfile({ phoneNumber: '0803 123 4567' }), create(7));
    server.isReachable = true;
    server.fail('patchUser', faults.droppedBefore);
    await request(tab, 'online');
    await passTime(60_000);
    expect(server.effects).toEqual([`patchUser ${me.id}`, `createPackage ${packageId(7)}`]);
    expect(await states(tab)).toEqual([]);
  });
});

describe('a profile completed offline', () => {
  it('holds back an accept even if another operation of the package goes first', async () => {
    const server = aServer();
    server.users.set(me.id, aUser(me, { phoneNumber: null }));
    const { tab } = await offline(server);
    await enqueue(
      tab,
      editProfile({ phoneNumber: '0803 123 4567' }),
      edit({ notes: 'First' }),
      accept(),
    );
    server.isReachable = true;
    server.fail('patchUser', answers('internal'));
    await request(tab, 'online');
    expect(await states(tab)).toEqual(['editProfile waiting internal', 'acceptPackage waiting']);
    await passTime(60_000);
    expect(await states(tab)).toEqual([]);
  });
});
