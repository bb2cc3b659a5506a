/** What a pull brings, when it runs, and packages requested before the lists. */
import { describe, expect, it } from 'vitest';
import { readLastPulledAt } from '#db/queries.ts';
import type { Package } from '#domain/package.ts';
import { aPackage } from '#tests/builders/package.ts';
import { answers, answersStatus, faults } from '#tests/fakes/fake-server.ts';
import {
  accept,
  aServer,
  closeDevices,
  create,
  device,
  enqueue,
  me,
  mirrored,
  newDevice,
  packageId,
  passTime,
  pulled,
  remove,
  request,
  requestUntil,
  settled,
  shown,
  states,
} from './device.ts';
import { readPackageViews } from './views.ts';

closeDevices();

const [users, packages] = ['pullUsers', 'pullPackages'];

/** The names of the calls since now. */
function callsSince() {
  const { calls } = device.server;
  const before = calls.length;
  return () => calls.slice(before).map(({ name }) => name);
}

describe('a pull', () => {
  it('makes the mirror equal the server: new and changed rows in, absent rows out', async () => {
    const { server, tab } = await pulled(aServer(3));
    server.packages.delete(packageId(1));
    server.changePackage(packageId(2), { description: 'Changed' });
    server.packages.set(packageId(4), aPackage({ id: packageId(4) }));
    device.clock.advance(5_000);
    let writes = 0;
    tab.db.packages.hook('updating', () => {
      writes += 1;
    });
    await request(tab, 'pull');
    expect(await tab.db.packages.toArray()).toEqual(server.packages.values());
    expect(await readLastPulledAt(tab.db)).toBe('2026-11-21T10:00:05.000Z');
    // Unchanged rows are not written.
    expect(writes).toBe(1);
  });

  it('never overwrites a newer local row', async () => {
    const { server, tab } = await pulled(aServer(2));
    await tab.db.packages.update(packageId(1), { version: 7, description: 'Newer' });
    server.changePackage(packageId(1), { description: 'Late' });
    server.changePackage(packageId(2), { description: 'Changed' });
    await request(tab, 'pull');
    expect(await mirrored(tab, 2)).toMatchObject({ description: 'Changed' });
    expect(await mirrored(tab)).toMatchObject({ description: 'Newer' });
  });

  it('takes a row of the same version with revealed contacts', async () => {
    const { server, tab } = await pulled();
    server.packages.set(packageId(1), aPackage({ id: packageId(1), recipientPhone: '0809' }));
    await request(tab, 'pull');
    expect(await mirrored(tab)).toMatchObject({ recipientPhone: '0809' });
  });

  it('follows the push, so that the list includes local changes', async () => {
    const { tab } = await pulled();
    const calls = callsSince();
    await enqueue(tab, accept());
    expect(calls()).toEqual(['patchPackage', users, packages]);
  });

  it('is followed immediately by operations enqueued during it', async () => {
    const { tab } = await pulled();
    const barrier = await requestUntil(tab, 'pull', 'pullPackages');
    await tab.engine.enqueue(accept());
    barrier.release();
    await settled();
    // The list was requested before the accept and says 'pending': it must not win.
    expect(await mirrored(tab)).toMatchObject({ status: 'in-transit' });
    expect(await states(tab)).toEqual([]);
  });

  it('21: neither doubles a package created here nor brings back one deleted here', async () => {
    const { server, tab } = await pulled(aServer(2));
    server.fail('createPackage', faults.droppedAfter);
    server.fail('deletePackage', faults.droppedAfter);
    await enqueue(tab, create(7));
    await enqueue(tab, remove(2));
    await passTime(60_000);
    expect(await states(tab)).toEqual([]);
    const views = await readPackageViews(tab.db, me);
    expect(views.map((view) => view.id).sort()).toEqual([packageId(1), packageId(7)]);
  });

  it('keeps the mirror when the request fails, reports it, and retries', async () => {
    const { server, tab } = await pulled();
    server.fail('pullPackages', faults.html, 2);
    server.changePackage(packageId(1), { description: 'Changed' });
    await request(tab, 'pull');
    expect(await tab.db.packages.count()).toBe(1);
    expect(tab.engine.status().lastFailure).toMatchObject({ kind: 'malformed' });
    await passTime(1_000);
    await passTime(2_000);
    expect(await shown(tab)).toMatchObject({ description: 'Changed' });
    expect(tab.engine.status().lastFailure).toBeNull();
  });

  it('is not needed to remove a package deleted here', async () => {
    const { server, tab } = await pulled();
    server.fail('pullUsers', answers('internal'), 9);
    server.fail('pullPackages', answers('internal'), 9);
    await enqueue(tab, remove());
    expect(await states(tab)).toEqual([]);
    expect(await shown(tab)).toBeNull();
  });

  it('that brought a newer row is not reverted by a late acknowledgement', async () => {
    const { server, tab } = await pulled();
    server.fail('patchPackage', faults.truncated);
    server.fail('pullUsers', faults.html);
    await enqueue(tab, accept());
    server.changePackage(packageId(1), { notes: 'Newer' });
    await request(tab, 'pull');
    server.fail('pullUsers', faults.html, 9);
    await request(tab, 'online');
    expect(await states(tab)).toEqual([]);
    expect(await mirrored(tab)).toMatchObject({ notes: 'Newer', version: 3 });
  });

  it('follows a refusal to fetch its cause, even right after another pull', async () => {
    const { server, tab } = await pulled();
    const calls = callsSince();
    const barrier = await requestUntil(tab, 'pull', 'pullPackages');
    server.fail('patchPackage', answers('already_assigned'));
    await tab.engine.enqueue(accept());
    barrier.release();
    await settled();
    expect(calls()).toEqual([users, packages, 'patchPackage', users, packages]);
  });

  it('of users that fails does not hold up packages, and is reported for itself', async () => {
    const { server, tab } = await pulled();
    server.fail('pullUsers', answersStatus(500));
    server.changePackage(packageId(1), { description: 'Changed' });
    await request(tab, 'pull');
    expect(await mirrored(tab)).toMatchObject({ description: 'Changed' });
    const usersFailure = { status: 500 };
    expect(tab.engine.status()).toMatchObject({ lastFailure: usersFailure, usersFailure });
    server.fail('pullPackages', faults.html);
    await request(tab, 'online');
    expect(tab.engine.status()).toMatchObject({
      lastFailure: { kind: 'malformed' },
      usersFailure: null,
    });
  });

  it.each([
    ['respects Retry-After', (): Promise<void> => passTime(15_000), false],
    [
      "does not wait longer after the phone's clock is set back",
      // A wait that was to end in six years is over.
      async () => device.clock.setBack(Date.parse('2020-01-01T00:00:00.000Z')),
      true,
    ],
  ])('%s', async (_, happen, isRepeated) => {
    const { server, tab } = await pulled();
    server.fail('pullUsers', answersStatus(503, 20_000));
    await request(tab, 'pull');
    const calls = callsSince();
    await happen();
    await request(tab, 'focus');
    expect(calls().length > 0).toBe(isRepeated);
    await passTime(6_000);
    expect(calls()).toContain(users);
  });

  it('7: is shared by simultaneous requests, and runs at most once more for those during it', async () => {
    const { tab } = await pulled();
    const calls = callsSince();
    for (let round = 0; round < 20; round += 1) tab.engine.request('focus');
    await settled();
    expect(calls()).toEqual([users, packages]);
    const barrier = await requestUntil(tab, 'focus', 'pullUsers');
    for (let round = 0; round < 20; round += 1) tab.engine.request('visible');
    barrier.release();
    await settled();
    expect(calls()).toHaveLength(6);
  });
});

describe('a requested package', () => {
  function begin(count = 1) {
    const server = aServer(count);
    return { server, tab: newDevice(server).openTab(), calls: callsSince() };
  }

  it('is fetched before the lists, and disappears with the page that removes it', async () => {
    const { server, tab, calls } = begin();
    const barrier = server.holdNext('pullUsers');
    const found = tab.engine.seek(packageId(1));
    await barrier.reached;
    expect(await found).toBeNull();
    expect(await shown(tab)).toMatchObject({ packageId: 'KY-000001' });
    server.packages.delete(packageId(1));
    barrier.release();
    await settled();
    expect(calls()).toEqual(['getPackage', users, packages]);
    expect(await mirrored(tab)).toBeUndefined();
  });

  it('is fetched between the pages of a running list, and stays if they name it', async () => {
    const { tab, calls } = begin();
    const barrier = await requestUntil(tab, 'start', 'pullUsers');
    const found = tab.engine.seek(packageId(1));
    barrier.release();
    expect(await found).toBeNull();
    await settled();
    expect(calls().slice(0, 3)).toEqual([users, 'getPackage', packages]);
    expect(await mirrored(tab)).toBeDefined();
  });

  it.each([
    ['refused', answers('not_found'), 404],
    ['a broken server', answersStatus(500), 500],
  ])('resolves with the result of its own call: %s', async (_, fault, status) => {
    const { server, tab } = begin();
    server.fail('getPackage', fault);
    expect(await tab.engine.seek(packageId(1))).toMatchObject({ status });
    await settled();
    expect(tab.engine.status().lastFailure).toBeNull();
    expect(await mirrored(tab)).toBeDefined();
  });

  it('reports a missing network for all requested packages', async () => {
    const { server, tab } = begin(2);
    server.isReachable = false;
    const found = [1, 2].map((number) => tab.engine.seek(packageId(number)));
    expect(await Promise.all(found)).toMatchObject([{ kind: 'network' }, { kind: 'network' }]);
    await settled();
    expect(tab.engine.status().lastFailure).toMatchObject({ kind: 'network' });
  });
});

it('a mirror without the fields of this version is shown, and pulled again once', async () => {
  const server = aServer(2);
  const pickupLocation = { lat: 11.9936, lng: 8.5205 };
  server.changePackage(packageId(1), { pickupLocation });
  const { tab } = await pulled(server);
  const pinless = server.packages.values().map((row) => {
    const { pickupLocation: _, deliveryLocation: __, ...before } = row;
    return before as Package;
  });
  await tab.db.packages.bulkPut(pinless);
  await tab.db.lists.update('packages', { shape: '_id packageId version' });
  expect(await shown(tab)).toMatchObject({ pickupLocation: null, deliveryLocation: null });
  await request(tab, 'online');
  expect(await shown(tab)).toMatchObject({ pickupLocation });
  await request(tab, 'online');
  const asked = server.callsOf('pullPackages').map(({ body }) => body === '');
  expect(asked).toEqual([true, true, false]);
});
