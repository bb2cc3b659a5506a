/** Lists as series of pages, interrupted wherever they can be. */
import { describe, expect, it } from 'vitest';
import { readLastPulledAt } from '#db/queries.ts';
import { aPackage } from '#tests/builders/package.ts';
import { type FakeServer, faults } from '#tests/fakes/fake-server.ts';
import {
  accept,
  aServer,
  closeDevices,
  create,
  device,
  newDevice,
  packageId,
  passTime,
  pulled,
  request,
  requestUntil,
  settled,
  type Tab,
  until,
} from './device.ts';

closeDevices();

/** A server whose full list takes several pages, and a device that has not asked yet. */
function longServer(count = 25, pageSize = 10): { server: FakeServer; tab: Tab } {
  const server = aServer(count);
  server.rows.pageSize.packages = pageSize;
  newDevice(server);
  return { server, tab: device.openTab() };
}

const mirroredIds = async (tab: Tab) => (await tab.db.packages.toCollection().primaryKeys()).sort();
const serverIds = (server: FakeServer) => [...server.packages.keys()].sort();
const pulls = (server: FakeServer) =>
  server.calls.filter(({ name }) => name === 'pullPackages').map(({ body }) => body);

describe('a list that takes several pages', () => {
  it('is shown as it comes, and says how far it is', async () => {
    const { server, tab } = longServer();
    const barrier = await requestUntil(
      tab,
      'start',
      ({ name, body }) => name === 'pullPackages' && body !== '',
    );
    expect(await tab.db.packages.count()).toBe(10);
    expect(tab.engine.status().progress).toBe(10);
    expect(await readLastPulledAt(tab.db)).toBeNull();
    barrier.release();
    await settled();
    expect(await mirroredIds(tab)).toEqual(serverIds(server));
    expect(tab.engine.status().progress).toBeNull();
    expect(await readLastPulledAt(tab.db)).not.toBeNull();
  });

  it('goes on where it was after the network failed in the middle', async () => {
    const { server, tab } = longServer();
    server.fail(({ name, body }) => name === 'pullPackages' && body !== '', faults.droppedAfter);
    await request(tab, 'start');
    await passTime(60_000);
    expect(await mirroredIds(tab)).toEqual(serverIds(server));
    expect(pulls(server).filter((since) => since === '')).toHaveLength(1);
  });

  it('goes on where it was after the tab was killed in the middle', async () => {
    const { server, tab } = longServer();
    await requestUntil(tab, 'start', ({ name, body }) => name === 'pullPackages' && body !== '');
    tab.kill();
    const next = device.openTab();
    // Gone since the first page named it: what the rest of the series does not know of.
    server.packages.delete(packageId(1));
    await request(next, 'start');
    expect(pulls(server).filter((since) => since === '')).toHaveLength(1);
    await request(next, 'pull');
    expect(await mirroredIds(next)).toEqual(serverIds(server));
  });

  it('asks again for a page that could not be stored', async () => {
    const { server, tab } = longServer();
    const fail = () => {
      throw new Error('Not written.');
    };
    tab.db.packages.hook('creating', fail);
    tab.engine.request('start');
    await settled(device);
    tab.db.packages.hook('creating').unsubscribe(fail);
    device.clock.advance(60_000);
    await settled(device);
    expect(await mirroredIds(tab)).toEqual(serverIds(server));
  });

  it('lets what is to be sent go first, between two pages', async () => {
    const { server, tab } = longServer();
    const barrier = await requestUntil(
      tab,
      'start',
      ({ name, body }) => name === 'pullPackages' && body === '',
    );
    await tab.engine.enqueue(accept(1));
    barrier.release();
    await settled();
    const order = server.calls.map(({ name }) => name).filter((name) => name !== 'pullUsers');
    expect(order.slice(0, 3)).toEqual(['pullPackages', 'patchPackage', 'pullPackages']);
    expect(await mirroredIds(tab)).toEqual(serverIds(server));
    expect(await tab.db.packages.get(packageId(1))).toMatchObject({ status: 'in-transit' });
  });

  it('does not take away what was created and acknowledged while it ran', async () => {
    const { server, tab } = longServer();
    const barrier = await requestUntil(
      tab,
      'start',
      ({ name, body }) => name === 'pullPackages' && body === '',
    );
    const gone: unknown[] = [];
    tab.db.packages.hook('deleting', (id) => {
      gone.push(id);
    });
    await tab.engine.enqueue(create(0));
    const second = server.holdNext('pullPackages');
    barrier.release();
    await second.reached;
    // Newest first: no later page names it.
    const created = server.rows.find(packageId(0));
    if (created) created.number = 1_000_000;
    second.release();
    await settled();
    expect(await mirroredIds(tab)).toContain(packageId(0));
    expect(gone).toEqual([]);
  });

  it('takes away what a full list does not name any more, and only at its end', async () => {
    const { server, tab } = longServer();
    await request(tab, 'start');
    server.packages.delete(packageId(3));
    server.packages.delete(packageId(24));
    server.rows.forgetCursors();
    const barrier = await requestUntil(
      tab,
      'pull',
      ({ name, body }) => name === 'pullPackages' && `${body}` > '2',
    );
    expect(await mirroredIds(tab)).toContain(packageId(24));
    barrier.release();
    await settled();
    expect(await mirroredIds(tab)).toEqual(serverIds(server));
    expect(await tab.db.seen.count()).toBe(0);
  });

  it('that begins anew forgets what the pages before had named', async () => {
    const { server, tab } = longServer();
    const barrier = await requestUntil(
      tab,
      'start',
      ({ name, body }) => name === 'pullPackages' && body !== '',
    );
    // Named by the first page of the list that is void from here on, and gone in the new one.
    server.packages.delete(packageId(1));
    server.packages.delete(packageId(2));
    server.rows.pageSize.packages = 500;
    server.rows.forgetCursors();
    barrier.release();
    await settled();
    expect(await mirroredIds(tab)).toEqual(serverIds(server));
  });
});

describe('changes since the last pull', () => {
  it('are all that is asked for', async () => {
    const { server, tab } = await pulled(aServer(3));
    server.changePackage(packageId(2), { description: 'Changed' });
    server.packages.delete(packageId(3));
    await request(tab, 'pull');
    expect(pulls(server)[0]).toBe('');
    expect(pulls(server)[1]).not.toBe('');
    expect(await mirroredIds(tab)).toEqual([packageId(1), packageId(2)]);
    expect(await tab.db.packages.get(packageId(2))).toMatchObject({ description: 'Changed' });
  });

  it('22: include what changes while their pages come', async () => {
    const server = aServer(6);
    server.rows.pageSize.packages = 2;
    const { tab } = await pulled(server);
    for (const number of [1, 6, 5]) server.changePackage(packageId(number), { notes: 'Changed' });
    const barrier = await requestUntil(
      tab,
      'event',
      ({ name, body }) => name === 'pullPackages' && body !== '',
    );
    server.changePackage(packageId(2), { notes: 'Late' });
    barrier.release();
    await settled();
    await request(tab, 'event');
    const byId = new Map((await tab.db.packages.toArray()).map((row) => [row.id, row]));
    for (const row of server.packages.values()) expect(byId.get(row.id)).toEqual(row);
  });

  it('of a server without deltas are its whole list', async () => {
    const { server, tab } = await pulled(aServer(3));
    server.packages.hasDeltas = false;
    server.packages.delete(packageId(3));
    server.packages.set(packageId(4), aPackage({ id: packageId(4) }));
    await request(tab, 'pull');
    expect(await mirroredIds(tab)).toEqual(serverIds(server));
  });

  it('that a server gives twice over are a failure and no endless loop', async () => {
    const { server, tab } = await pulled(aServer(3));
    const page = server.packages.page.bind(server.packages);
    server.packages.page = (since) => ({ ...page(since), cursor: since, hasMore: true });
    await request(tab, 'pull');
    expect(tab.engine.status().lastFailure).toMatchObject({ kind: 'malformed' });
  });

  it('whose headers were taken off on the way are no whole list', async () => {
    const { server, tab } = await pulled(aServer(3));
    const page = server.packages.page.bind(server.packages);
    server.changePackage(packageId(2), { description: 'Changed' });
    server.packages.page = (since) => ({ ...page(since), cursor: null, isReset: true });
    await request(tab, 'pull');
    expect(await mirroredIds(tab)).toEqual(serverIds(server));
    expect(await tab.db.packages.get(packageId(2))).toMatchObject({ description: 'Changed' });
  });

  it('that name what is gone are no whole list, whatever they lack', async () => {
    const { server, tab } = await pulled(aServer(3));
    server.packages.page = () => ({
      ...{ rows: [], removedIds: [packageId(1)] },
      ...{ cursor: null, hasMore: false, isReset: true },
    });
    await request(tab, 'pull');
    expect(await tab.db.packages.count()).toBe(3);
    expect(tab.engine.status().lastFailure).toMatchObject({ kind: 'malformed' });
  });

  it.each([
    ['two places in turn', (asked: number) => `place ${asked % 2}`, 9],
    ['ever new places without a row', (asked: number) => `place ${asked}`, 150],
  ])('of users that lead round and round (%s) end in a failure, and packages come', async (_, place, most) => {
    const { server, tab } = await pulled(aServer(3));
    let asked = 0;
    server.users.page = () => {
      asked += 1;
      return { rows: [], removedIds: [], cursor: place(asked), hasMore: true, isReset: false };
    };
    server.changePackage(packageId(2), { description: 'Changed' });
    await request(tab, 'pull');
    await until(() => tab.engine.status().phase === 'idle');
    expect(asked).toBeLessThan(most);
    expect(tab.engine.status().lastFailure).toMatchObject({ kind: 'malformed' });
    expect(await tab.db.packages.get(packageId(2))).toMatchObject({ description: 'Changed' });
  });
});
