import { describe, expect, it } from 'vitest';
import { readLastPulledAt } from '#db/queries.ts';
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
  packageId,
  passTime,
  pulled,
  remove,
  request,
  requestUntil,
  settled,
  states,
} from './device.ts';
import { readPackageView, readPackageViews } from './views.ts';

closeDevices();

describe('a pull', () => {
  it('makes the mirror equal the server: new and changed rows in, absent rows out', async () => {
    const { server, tab } = await pulled(aServer(3));
    server.packages.delete(packageId(1));
    server.changePackage(packageId(2), { description: 'Changed' });
    server.packages.set(packageId(4), aPackage({ id: packageId(4) }));
    device.clock.advance(5_000);
    await request(tab, 'pull');
    const rows = await tab.db.packages.toArray();
    expect(rows.sort((a, b) => a.id.localeCompare(b.id))).toEqual([...server.packages.values()]);
    expect(await readLastPulledAt(tab.db)).toBe('2026-11-21T10:00:05.000Z');
  });

  it('never overwrites a newer local row', async () => {
    const { server, tab } = await pulled(aServer(2));
    await tab.db.packages.update(packageId(1), { version: 7, description: 'Newer' });
    server.changePackage(packageId(1), { description: 'Late' });
    server.changePackage(packageId(2), { description: 'Changed' });
    await request(tab, 'pull');
    expect(await tab.db.packages.get(packageId(2))).toMatchObject({ description: 'Changed' });
    expect(await tab.db.packages.get(packageId(1))).toMatchObject({ description: 'Newer' });
  });

  it('takes a row of the same version with revealed contacts', async () => {
    const { server, tab } = await pulled();
    server.packages.set(packageId(1), aPackage({ id: packageId(1), recipientPhone: '0809' }));
    await request(tab, 'pull');
    expect(await tab.db.packages.get(packageId(1))).toMatchObject({ recipientPhone: '0809' });
  });

  it('does not write an unchanged row', async () => {
    const { tab } = await pulled(aServer(3));
    let writes = 0;
    tab.db.packages.hook('updating', () => {
      writes += 1;
    });
    await request(tab, 'pull');
    expect(writes).toBe(0);
  });

  it('follows the push, so that the list includes local changes', async () => {
    const { server, tab } = await pulled();
    const before = server.calls.length;
    await enqueue(tab, accept());
    expect(server.calls.slice(before).map((call) => call.name)).toEqual([
      'patchPackage',
      'pullUsers',
      'pullPackages',
    ]);
  });

  it('is followed immediately by operations enqueued during it', async () => {
    const { tab } = await pulled();
    const barrier = await requestUntil(tab, 'pull', 'pullPackages');
    await tab.engine.enqueue(accept());
    barrier.release();
    await settled();
    // The list was requested before the accept and says 'pending': it must not win.
    expect(await tab.db.packages.get(packageId(1))).toMatchObject({ status: 'in-transit' });
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
    expect(await readPackageView(tab.db, packageId(1), me)).toMatchObject({
      description: 'Changed',
    });
    expect(tab.engine.status().lastFailure).toBeNull();
  });

  it('is not needed to remove a package deleted here', async () => {
    const { server, tab } = await pulled();
    server.fail('pullUsers', faults.html, 9);
    await enqueue(tab, remove());
    expect(await states(tab)).toEqual([]);
    expect(await readPackageView(tab.db, packageId(1), me)).toBeNull();
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
    expect(await tab.db.packages.get(packageId(1))).toMatchObject({ notes: 'Newer', version: 3 });
  });

  it('follows a refusal to fetch its cause, even right after another pull', async () => {
    const { server, tab } = await pulled();
    const before = server.calls.length;
    const barrier = await requestUntil(tab, 'pull', 'pullPackages');
    server.fail('patchPackage', answers('already_assigned'));
    await tab.engine.enqueue(accept());
    barrier.release();
    await settled();
    const names = server.calls.slice(before).map(({ name }) => name);
    const [users, packages] = ['pullUsers', 'pullPackages'];
    expect(names).toEqual([users, packages, 'patchPackage', users, packages]);
  });

  it("does not wait longer after the phone's clock is set back", async () => {
    const { server, tab } = await pulled();
    server.fail('pullUsers', answersStatus(503, 20_000));
    await request(tab, 'pull');
    const before = server.calls.length;
    device.clock.setBack(Date.parse('2020-01-01T00:00:00.000Z'));
    await request(tab, 'focus');
    // A wait that was to end in six years is over.
    expect(server.calls.length).toBeGreaterThan(before);
  });

  it('of users that fails does not hold up packages', async () => {
    const { server, tab } = await pulled();
    server.fail('pullUsers', faults.html, 9);
    server.changePackage(packageId(1), { description: 'Changed' });
    await request(tab, 'pull');
    expect(await tab.db.packages.get(packageId(1))).toMatchObject({ description: 'Changed' });
    expect(tab.engine.status().lastFailure).toMatchObject({ kind: 'malformed' });
  });

  it('respects Retry-After', async () => {
    const { server, tab } = await pulled();
    server.fail('pullUsers', answersStatus(503, 20_000));
    await request(tab, 'pull');
    const before = server.calls.length;
    await request(tab, 'focus');
    await passTime(15_000);
    expect(server.calls).toHaveLength(before);
    await passTime(6_000);
    expect(server.calls.length).toBeGreaterThan(before);
  });

  it('7: is shared by simultaneous requests', async () => {
    const { server, tab } = await pulled();
    const before = server.calls.length;
    for (let round = 0; round < 20; round += 1) tab.engine.request('focus');
    await settled();
    expect(server.calls.length - before).toBe(2);
  });

  it('runs at most once more for everything requested during it', async () => {
    const { server, tab } = await pulled();
    const before = server.calls.length;
    const barrier = await requestUntil(tab, 'focus', 'pullUsers');
    for (let round = 0; round < 20; round += 1) tab.engine.request('visible');
    barrier.release();
    await settled();
    expect(server.calls.length - before).toBe(4);
  });
});
