/** Lists as series of pages, interrupted at every possible point. */
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

/** A server whose full list takes several pages, and a device that has not pulled yet. */
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

describe('a paginated list', () => {
  it('is shown as pages arrive, with its progress', async () => {
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

  it('resumes after a network failure', async () => {
    const { server, tab } = longServer();
    server.fail(({ name, body }) => name === 'pullPackages' && body !== '', faults.droppedAfter);
    await request(tab, 'start');
    await passTime(60_000);
    expect(await mirroredIds(tab)).toEqual(serverIds(server));
    expect(pulls(server).filter((since) => since === '')).toHaveLength(1);
  });

  it('resumes after the tab is killed', async () => {
    const { server, tab } = longServer();
    await requestUntil(tab, 'start', ({ name, body }) => name === 'pullPackages' && body !== '');
    tab.kill();
    const next = device.openTab();
    // Deleted since the first page listed it, so the rest of the series does not mention it.
    server.packages.delete(packageId(1));
    await request(next, 'start');
    expect(pulls(server).filter((since) => since === '')).toHaveLength(1);
    await request(next, 'pull');
    expect(await mirroredIds(next)).toEqual(serverIds(server));
  });

  it('requests a page again that could not be stored', async () => {
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

  it('lets queued operations go first, between two pages', async () => {
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

  it('keeps rows created and acknowledged while it runs', async () => {
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
    // Newest first: no later page lists it.
    const created = server.rows.find(packageId(0));
    if (created) created.number = 1_000_000;
    second.release();
    await settled();
    expect(await mirroredIds(tab)).toContain(packageId(0));
    expect(gone).toEqual([]);
  });

  it('removes rows missing from a full list, only at its end', async () => {
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

  it('forgets earlier pages when it restarts', async () => {
    const { server, tab } = longServer();
    const barrier = await requestUntil(
      tab,
      'start',
      ({ name, body }) => name === 'pullPackages' && body !== '',
    );
    // On the first page of the abandoned list, and missing from the new one.
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
  it('are the only thing requested', async () => {
    const { server, tab } = await pulled(aServer(3));
    server.changePackage(packageId(2), { description: 'Changed' });
    server.packages.delete(packageId(3));
    await request(tab, 'pull');
    expect(pulls(server)[0]).toBe('');
    expect(pulls(server)[1]).not.toBe('');
    expect(await mirroredIds(tab)).toEqual([packageId(1), packageId(2)]);
    expect(await tab.db.packages.get(packageId(2))).toMatchObject({ description: 'Changed' });
  });

  it('22: include changes made while their pages arrive', async () => {
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

  it('are the whole list from a server without deltas', async () => {
    const { server, tab } = await pulled(aServer(3));
    server.packages.hasDeltas = false;
    server.packages.delete(packageId(3));
    server.packages.set(packageId(4), aPackage({ id: packageId(4) }));
    await request(tab, 'pull');
    expect(await mirroredIds(tab)).toEqual(serverIds(server));
  });

  it('with a repeated cursor fail instead of looping', async () => {
    const { server, tab } = await pulled(aServer(3));
    const page = server.packages.page.bind(server.packages);
    server.packages.page = (since) => ({ ...page(since), cursor: since, hasMore: true });
    await request(tab, 'pull');
    expect(tab.engine.status().lastFailure).toMatchObject({ kind: 'malformed' });
  });

  it('whose headers were stripped are not a whole list', async () => {
    const { server, tab } = await pulled(aServer(3));
    const page = server.packages.page.bind(server.packages);
    server.changePackage(packageId(2), { description: 'Changed' });
    server.packages.page = (since) => ({ ...page(since), cursor: null, isReset: true });
    await request(tab, 'pull');
    expect(await mirroredIds(tab)).toEqual(serverIds(server));
    expect(await tab.db.packages.get(packageId(2))).toMatchObject({ description: 'Changed' });
  });

  it('that list removals are not a whole list, whatever they lack', async () => {
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
  ])('of users that loop (%s) fail, and packages still arrive', async (_, place, most) => {
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
