/** A phone without any room for more: what it holds is sent to the end, and leaves it. */
import { describe, expect, it } from 'vitest';
import {
  clearSession,
  DeviceDatabase,
  readDueWipes,
  readSession,
  writeSession,
} from '#db/device-database.ts';
import { NotSavedError } from '#db/storage-fault.ts';
import { UserDatabase } from '#db/user-database.ts';
import { wipeUser } from '#db/wipe.ts';
import type { Intent } from '#domain/operation.ts';
import type { ProofPicture } from '#domain/proof-picture.ts';
import { aPackage, ids } from '#tests/builders/package.ts';
import { failStorage } from '#tests/fakes/failing-storage.ts';
import { answersStatus } from '#tests/fakes/fake-server.ts';
import {
  accept,
  aServer,
  closeDevices,
  create,
  deliver,
  device,
  edit,
  mirrored,
  newDevice,
  onServer,
  packageId,
  passTime,
  request,
  settled,
  states,
  until,
} from './device.ts';

closeDevices();

let names = 0;

/** A phone that has pulled `count` packages. `fill`: from now on it has no room, or has it again. */
async function aPhone(count = 1, makeRoom?: () => Promise<boolean>) {
  names += 1;
  const server = aServer(count);
  const db = new UserDatabase(`full-${names}`);
  const tab = newDevice(server, makeRoom && { makeRoom }).openTab(db);
  const { fill } = failStorage(db);
  await request(tab, 'start');
  return { server, tab, db, fill };
}

const photoId = (number: number) => `70000000-0000-4000-8000-00000000000${number}`;

const aPhoto = (number: number): ProofPicture => ({
  id: photoId(number),
  packageId: packageId(number),
  kind: 'photo',
  type: 'image/webp',
  digest: photoId(number),
  bytes: new Uint8Array([1, 2, 3]).buffer,
  createdAt: '2026-11-21T10:00:00.000Z',
});

const deliverWithPhoto = (number: number): Intent => ({
  name: 'deliverPackage',
  targetId: packageId(number),
  args: {
    proof: { recipientName: 'Musa', relation: 'neighbour', photoIds: [photoId(number)] },
  },
});

describe('what a full phone holds', () => {
  it('is sent to the end: a day of six packages with their photos', async () => {
    const { server, tab, db, fill } = await aPhone(6);
    const day = [1, 2, 3, 4, 5, 6];
    server.isReachable = false;
    for (const number of day) {
      await tab.engine.enqueue(accept(number));
      await tab.engine.addProof(aPhoto(number));
      await tab.engine.enqueue(deliverWithPhoto(number));
    }
    await tab.engine.enqueue(create(9));
    await settled();
    fill(true);
    server.isReachable = true;
    await request(tab, 'online');
    expect(await states(tab)).toEqual([]);
    expect(day.map((number) => onServer(number)?.status)).toEqual(day.map(() => 'delivered'));
    expect([...server.pictures.keys()].sort()).toEqual(day.map(photoId));
    expect(onServer(9)).toBeDefined();
    expect(server.effects).toHaveLength(13);
    expect(await db.proofs.count()).toBe(0);
    expect(db.storage.fault()).toBe('full');
    expect(tab.faults).toEqual([]);
    // The rows that did not fit come with the next pull.
    fill(false);
    await request(tab, 'focus');
    expect(await mirrored(tab, 1)).toMatchObject({ status: 'delivered' });
    expect(await mirrored(tab, 9)).toBeDefined();
    expect(db.storage.fault()).toBeNull();
  });

  it('is sent from a phone that was full when it started, and by the next tab', async () => {
    const { server, tab, fill } = await aPhone(2);
    server.isReachable = false;
    await tab.engine.enqueue(accept(1));
    await tab.engine.enqueue(accept(2));
    await settled();
    const name = `full-${names}`;
    await tab.engine.stop();
    fill(true);
    const db = new UserDatabase(name);
    failStorage(db).fill(true);
    server.isReachable = true;
    const next = device.openTab(db);
    await request(next, 'start');
    expect(await states(next)).toEqual([]);
    expect(server.effects).toHaveLength(2);
  });

  it('waits in memory for its next try, without a storm', async () => {
    const { server, tab, fill } = await aPhone(2);
    server.isReachable = false;
    await tab.engine.enqueue(accept(1));
    await tab.engine.enqueue(accept(2));
    await settled();
    fill(true);
    server.isReachable = true;
    server.fail('patchPackage', answersStatus(500), 3);
    await request(tab, 'online');
    const tries = () => server.calls.filter(({ name }) => name === 'patchPackage').length;
    const [before, effects] = [tries(), server.effects.length];
    expect(effects).toBeLessThan(2);
    await settled();
    expect(tries()).toBe(before);
    await until(async () => {
      await passTime(1_000);
      return (await states(tab)).length === 0;
    });
    expect(server.effects).toHaveLength(2);
    expect(tries()).toBeLessThan(10);
  });

  it('keeps what the server refuses until there is room to say so', async () => {
    const { server, tab, fill } = await aPhone(2);
    server.isReachable = false;
    await tab.engine.enqueue(accept(1));
    await tab.engine.enqueue(accept(2));
    await settled();
    server.changePackage(packageId(1), { status: 'cancelled' });
    fill(true);
    server.isReachable = true;
    await request(tab, 'online');
    expect((await states(tab)).map((state) => state.split(' ')[1])).toEqual(['waiting']);
    expect(tab.events.filter(({ kind }) => kind === 'refused')).toEqual([]);
    fill(false);
    await request(tab, 'retry');
    expect((await states(tab)).map((state) => state.split(' ')[1])).toEqual(['attention']);
    expect(tab.events.filter(({ kind }) => kind === 'refused')).toHaveLength(1);
  });

  it('does not fetch a list again and again that does not fit', async () => {
    const { server, tab, fill } = await aPhone(1);
    server.changePackage(packageId(1), { description: 'Newer' });
    fill(true);
    await request(tab, 'focus');
    const pulls = () => server.calls.filter(({ name }) => name === 'pullPackages').length;
    const before = pulls();
    for (let event = 0; event < 20; event += 1) await request(tab, 'event');
    expect(pulls()).toBe(before);
    fill(false);
    await request(tab, 'focus');
    expect(await mirrored(tab)).toMatchObject({ description: 'Newer' });
  });

  it('is not taken for that of a frozen tab, which could not say that it is well', async () => {
    const { server, tab, fill } = await aPhone(1);
    const second = device.openTab(new UserDatabase(`full-${names}`));
    const full = failStorage(second.db);
    fill(true);
    full.fill(true);
    const hold = server.holdNext('pullUsers');
    tab.engine.request('focus');
    await hold.reached;
    second.engine.request('focus');
    for (let step = 0; step < 12; step += 1) {
      device.clock.advance(5_000);
      for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
    }
    expect(device.locks.mostAtOnce()).toBe(1);
    hold.release();
    await settled();
  });
});

describe('on a full phone', () => {
  it.each<[string, (phone: Awaited<ReturnType<typeof aPhone>>) => Promise<unknown>]>([
    ['a new package', ({ tab }) => tab.engine.enqueue(create(7))],
    ['a step', ({ tab }) => tab.engine.enqueue(deliver(1))],
    ['an edit', ({ tab }) => tab.engine.enqueue(edit({ notes: 'Gate' }))],
    ['a photo', ({ tab }) => tab.engine.addProof(aPhoto(1))],
    ['a working area', ({ tab }) => tab.engine.setWorkingArea({ lat: 12, lng: 8.5, km: 5 })],
  ])('%s is refused for want of storage, and kept nowhere by half', async (_, save) => {
    const phone = await aPhone(1);
    phone.fill(true);
    const error = await save(phone).catch((cause: NotSavedError) => cause);
    expect(error).toBeInstanceOf(NotSavedError);
    expect(error).toMatchObject({ fault: 'full' });
    expect([await phone.db.outbox.count(), await phone.db.proofs.count()]).toEqual([0, 0]);
    phone.fill(false);
    await save(phone);
  });

  it("drops tiles first, then what has ended, for someone's work; never what is carried", async () => {
    const freed: string[] = [];
    const phone = await aPhone(3, async () => {
      freed.push('tiles');
      return true;
    });
    const { server, tab, db, fill } = phone;
    server.changePackage(packageId(1), { status: 'delivered' });
    server.changePackage(packageId(2), { status: 'in-transit' });
    await request(tab, 'focus');
    await db.events.put({ packageId: packageId(2), version: 2, events: [] });
    db.packages.hook('deleting', (id) => {
      freed.push(String(id));
      fill(false);
    });
    fill(true);
    await tab.engine.enqueue(edit({ notes: 'Gate' }, { number: 3 }));
    expect(freed).toEqual(['tiles', packageId(1)]);
    expect(await db.events.count()).toBe(0);
    // The next pull brings back what was dropped.
    await request(tab, 'focus');
    expect(await mirrored(tab, 1)).toMatchObject({ status: 'delivered' });
    expect(await mirrored(tab, 2)).toMatchObject({ status: 'in-transit' });
  });

  it('a page that was on its way while rows were dropped does not hide them for ever', async () => {
    const { server, tab, db, fill } = await aPhone(2);
    server.changePackage(packageId(1), { status: 'delivered' });
    await request(tab, 'focus');
    const hold = server.holdNext('pullPackages');
    tab.engine.request('focus');
    await hold.reached;
    db.packages.hook('deleting', () => fill(false));
    fill(true);
    await tab.engine.enqueue(edit({ notes: 'Gate' }, { number: 2 }));
    hold.release();
    await settled();
    await passTime(2_000);
    expect(await mirrored(tab, 1)).toMatchObject({ status: 'delivered' });
  });

  it('a log-out ends the session and deletes the mirror, and keeps the outbox', async () => {
    const { server, tab, db, fill } = await aPhone(1);
    server.isReachable = false;
    await tab.engine.enqueue(accept());
    await tab.engine.stop();
    fill(true);
    await wipeUser(db);
    expect([await db.packages.count(), await db.outbox.count()]).toEqual([0, 1]);
  });

  const userInfo = {
    id: ids.courier,
    email: 'sani@kaya.test',
    roles: ['Employee' as const],
    firstName: 'Sani',
    lastName: 'Token',
  };

  it('a log-out needs no note of the wipe that it has done', async () => {
    const device = new DeviceDatabase('full-device');
    const { fill } = failStorage(device);
    await writeSession(device, { userId: ids.courier, userInfo, isTrusted: true });
    const mirror = new UserDatabase(ids.courier);
    await mirror.packages.put(aPackage());
    fill(true);
    await clearSession(device);
    expect([await readSession(device), await readDueWipes(device)]).toEqual([null, []]);
    expect(await mirror.packages.count()).toBe(0);
    device.close();
    mirror.close();
  });

  it("a sign-in works, and ends another's session; one's own is kept", async () => {
    const device = new DeviceDatabase('full-device-2');
    const { fill } = failStorage(device);
    const own = { userId: ids.courier, userInfo, isTrusted: true };
    await writeSession(device, own);
    fill(true);
    await writeSession(device, own);
    expect(await readSession(device)).toEqual(own);
    await writeSession(device, { userId: ids.sender, userInfo, isTrusted: false });
    expect(await readSession(device)).toBeNull();
    device.close();
  });
});
