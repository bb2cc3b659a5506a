/** A damaged mirror is only a copy: it is emptied and pulled again. */
import { describe, expect, it } from 'vitest';
import {
  readAllPackages,
  readChangedPackages,
  readLastPulledAt,
  readNewestPackages,
  readQuarantine,
  readUsers,
} from '#db/queries.ts';
import { UserDatabase } from '#db/user-database.ts';
import {
  accept,
  aServer,
  closeDevices,
  device,
  enqueue,
  me,
  offline,
  packageId,
  passTime,
  pulled,
  request,
  settled,
  states,
  type Tab,
  until,
} from './device.ts';

closeDevices();

const userInfo = { ...me, email: '', roles: ['Employee' as const] };

/** Values a healthy database never contains. */
const broken = (row: object) => row as never;

async function again(tab: Tab) {
  for (let round = 0; round < 3; round += 1) {
    await request(tab, 'focus');
  }
}

describe('an unreadable row of the mirror', () => {
  it.each<[string, (tab: Tab) => Promise<unknown>, (tab: Tab) => Promise<unknown>]>([
    [
      'a package',
      ({ db }) => db.packages.put(broken({ id: packageId(1), createdAt: '2026-01-01' })),
      ({ db }) => readAllPackages(db, userInfo),
    ],
    [
      'a requested one',
      ({ db }) => db.packages.put(broken({ id: packageId(1), version: 'one' })),
      ({ db }) => readChangedPackages(db, { ids: [packageId(1)], lanes: [], seqs: [] }, userInfo),
    ],
    [
      'one of the newest',
      ({ db }) => db.packages.put(broken({ id: 'x', createdAt: '2027-01-01' })),
      ({ db }) => readNewestPackages(db, 50, userInfo),
    ],
    ['a user', ({ db }) => db.users.put(broken({ id: 'x' })), ({ db }) => readUsers(db)],
  ])('fails the read, empties the mirror and triggers a pull: %s', async (_, damage, read) => {
    const { server, tab } = await offline(aServer(3));
    const { id } = await enqueue(tab, accept(2));
    await damage(tab);
    await expect(read(tab)).rejects.toMatchObject({ name: 'UnreadableRowError' });
    await until(async () => (await tab.db.packages.count()) === 0);
    expect((await tab.db.outbox.toArray()).map((row) => row.id)).toEqual([id]);
    server.isReachable = true;
    await again(tab);
    await read(tab);
    expect(await tab.db.packages.toArray()).toEqual([...server.packages.values()]);
    expect(await tab.db.users.count()).toBe(2);
    expect(server.effects).toHaveLength(1);
  });

  it('that is read before the engine has loaded is repaired by the engine', async () => {
    const server = aServer(1);
    const { tab } = await pulled(server);
    tab.kill();
    const early = new UserDatabase(tab.db.userId);
    await early.users.put(broken({ id: 'x' }));
    await expect(readUsers(early)).rejects.toMatchObject({ name: 'UnreadableRowError' });
    const next = device.openTab(early);
    await until(async () => (await next.db.users.count()) === 2);
    expect(await readUsers(next.db)).toHaveLength(2);
  });

  it('that the server keeps sending is pulled with growing delays, not in a loop', async () => {
    const server = aServer(1);
    server.users.set('x', broken({ id: 'x', version: 1 }));
    const { tab } = await pulled(server);
    const pulls = () => server.calls.filter(({ name }) => name === 'pullUsers').length;
    const read = () => readUsers(tab.db).catch(() => []);
    await read();
    await until(() => pulls() === 2);
    await settled();
    await read();
    await settled();
    expect([pulls(), await tab.db.users.count()]).toEqual([2, 3]);
    device.clock.advance(1_000);
    await until(() => pulls() === 3);
  });

  it.each<[string, (tab: Tab) => Promise<unknown>]>([
    ['a page', ({ db }) => db.seen.put(broken({ list: 'packages', page: 0 }))],
    ['a place', ({ db }) => db.lists.put(broken({ list: 'packages', cursor: 17 }))],
    ['a count', ({ db }) => db.lists.put(broken({ list: 'users', cursor: '', fullPages: 'many' }))],
    ['an outbox id', ({ db }) => db.meta.put({ key: 'outboxId', value: 'none' })],
    ['a lease', ({ db }) => db.lease.put(broken({ key: 'lease', fence: Number.NaN }))],
    ['a row', ({ db }) => db.packages.put(broken({ id: packageId(1), version: 'one' }))],
  ])('does not stop sending and pulling: %s', async (_, damage) => {
    const { server, tab } = await pulled(aServer(3));
    await damage(tab);
    server.changePackage(packageId(1), { description: 'Changed' });
    await tab.engine.enqueue(accept(1));
    await again(tab);
    await passTime(60_000);
    expect(await states(tab)).toEqual([]);
    expect(await tab.db.packages.toArray()).toEqual([...server.packages.values()]);
  });

  it('keeps the time of the last pull and other unreadable rows', async () => {
    const { tab } = await pulled(aServer(3));
    await tab.db.meta.put({ key: 'lastPulledAt', value: 'garbage' });
    await tab.db.quarantine.put(broken({ seq: 3 }));
    expect(await readLastPulledAt(tab.db)).toBeNull();
    const [aside] = await readQuarantine(tab.db);
    expect(Number.isNaN(Date.parse(aside?.at ?? ''))).toBe(false);
  });
});

describe('a damaged row of the outbox', () => {
  it('found while running is quarantined, and the rest continues', async () => {
    const { server, tab } = await offline(aServer(3));
    await enqueue(tab, accept(1), accept(2));
    const first = await tab.db.outbox.orderBy('seq').first();
    await tab.db.outbox.put(broken({ ...first, lane: undefined }));
    server.isReachable = true;
    server.changePackage(packageId(3), { description: 'Changed' });
    await again(tab);
    expect(await states(tab)).toEqual([]);
    expect(server.effects).toHaveLength(2);
    expect(await tab.db.packages.get(packageId(3))).toMatchObject({ description: 'Changed' });
  });
});
