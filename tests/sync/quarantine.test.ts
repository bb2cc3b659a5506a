/** Stored data that cannot be read: operations are quarantined, the mirror is pulled again. */
import { setImmediate } from 'node:timers/promises';
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
import { readableAgain } from '#domain/operation.ts';
import { type Upgraded, upgradeOperation } from '#domain/operation-migrations.ts';
import { operationSchemaVersion } from '#domain/operation-names.ts';
import { FencedError } from '#sync/coordination/lease.ts';
import { retryOperation } from '#sync/outbox/outbox.ts';
import { sortOutbox } from '#sync/outbox/quarantine.ts';
import { cancelOperation } from '#sync/outbox/resolution.ts';
import {
  accept,
  aServer,
  closeDevices,
  deliver,
  device,
  edit,
  enqueue,
  goOnline,
  me,
  mirrored,
  offline,
  onServer,
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

/** Values a healthy database never contains. */
const broken = (row: object) => row as never;

/** A stopped phone with two operations on package 1 and one on package 2 in its outbox. */
async function queued() {
  const all = await offline(aServer(3));
  await enqueue(all.tab, accept(), deliver(), accept(2));
  const [first, , third] = await all.tab.db.outbox.orderBy('seq').toArray();
  await all.tab.engine.stop();
  all.server.isReachable = true;
  if (!first || !third) throw new Error('Nothing is queued.');
  return { ...all, first, third };
}

async function damage({ db }: Tab, seq: number, changes: object) {
  await db.outbox.put(broken({ ...(await db.outbox.get(seq)), ...changes }));
}

async function started() {
  const tab = device.openTab();
  await request(tab, 'start');
  await setImmediate();
  return tab;
}

describe('at engine start', () => {
  it.each([
    ['of a newer version', { schemaVersion: 99 }],
    ['of an unknown name', { name: 'teleportPackage' }],
    ['that is damaged', { args: null }],
    ['in a state of another version', { state: 'sending' }],
    ['without a version', { schemaVersion: undefined }],
  ])('an operation %s is quarantined unchanged; the rest of its lane waits for the user', async (_, changes) => {
    const { server, tab: before, first } = await queued();
    await damage(before, first.seq, changes);
    const tab = await started();
    const { seq, id } = first;
    expect(await tab.db.quarantine.toArray()).toMatchObject([
      { seq, id, row: { ...first, ...changes } },
    ]);
    expect(await states(tab)).toEqual(['deliverPackage attention depends_on_refused']);
    // The other lane continues.
    expect(server.effects).toEqual([`patchPackage ${packageId(2)}`]);
    expect(tab.events.filter(({ kind }) => kind === 'refused')).toHaveLength(1);
    expect(tab.faults).toEqual([]);
    // It stays until the user discards it.
    await tab.engine.stop();
    const next = await started();
    expect(await next.db.quarantine.count()).toBe(1);
    await next.engine.discardQuarantined(seq);
    expect(await next.db.quarantine.count()).toBe(0);
  });

  it('a now readable operation returns to its place for the user to decide', async () => {
    const { tab: before, first } = await queued();
    await damage(before, first.seq, { schemaVersion: 99 });
    const middle = await started();
    await middle.engine.stop();
    // The next version of the app can read it.
    await middle.db.quarantine.update(first.seq, { row: { ...first, schemaVersion: 1 } });
    const tab = await started();
    expect(await tab.db.quarantine.count()).toBe(0);
    expect(await states(tab)).toEqual([
      'acceptPackage attention readable_again',
      'deliverPackage attention depends_on_refused',
    ]);
    expect((await tab.db.outbox.orderBy('seq').first())?.seq).toBe(first.seq);
    await tab.engine.retry(first.id);
    await settled();
    expect(await states(tab)).toEqual([]);
    expect(onServer()?.status).toBe('delivered');
  });

  it('an operation already queued again is not queued twice: the quarantined one stays', async () => {
    const { tab: before, first } = await queued();
    const at = '2026-11-21T10:00:00.000Z';
    await before.db.quarantine.put({ seq: 999, id: first.id, row: { ...first, seq: 999 }, at });
    const tab = await started();
    expect(await tab.db.quarantine.count()).toBe(1);
    expect(tab.faults).toEqual([]);
    expect(await tab.db.outbox.get(999)).toBeUndefined();
  });

  it('a returned and retried operation may have been sent: it cannot be cancelled', async () => {
    const { tab, first } = await queued();
    const lastError = { code: readableAgain, message: '', status: 0, at: first.createdAt };
    await tab.db.outbox.update(first.seq, { state: 'attention', tries: 0, lastError });
    await retryOperation(tab.db, first.id, () => 'another id');
    expect(await tab.db.outbox.where('id').equals(first.id).first()).toMatchObject({ tries: 1 });
    expect(await cancelOperation(tab.db, first.id)).toBe(false);
  });

  it('a damaged lane or back-off is repaired, and a row that is no operation stops nothing', async () => {
    const { server, tab: before, third } = await queued();
    await damage(before, third.seq, { lane: undefined, backoff: { untilMs: 'later' } });
    await before.db.outbox.put(broken({ seq: 500, what: 'is this' }));
    const tab = await started();
    expect(await states(tab)).toEqual([]);
    expect(await tab.db.quarantine.toArray()).toMatchObject([{ seq: 500, id: '' }]);
    expect(server.effects).toHaveLength(3);
  });
});

describe('while the engine runs', () => {
  it('an operation of another version is quarantined when due, not sent', async () => {
    const { server, tab } = await offline(aServer(3));
    const { seq } = await tab.engine.enqueue(accept(3));
    await enqueue(tab, edit({ notes: 'Ring' }, { number: 3 }));
    await damage(tab, seq, { schemaVersion: 99 });
    await goOnline(tab);
    expect(await states(tab)).toEqual(['editPackage attention depends_on_refused']);
    expect(await tab.db.quarantine.count()).toBe(1);
    expect(server.effects).toEqual([]);
    expect(tab.faults).toEqual([]);
  });

  it('a row damaged in the outbox is sorted, and the rest continues', async () => {
    const { server, tab } = await offline(aServer(3));
    const { seq } = await tab.engine.enqueue(accept(1));
    await enqueue(tab, accept(2));
    await damage(tab, seq, { lane: undefined });
    server.changePackage(packageId(3), { description: 'Changed' });
    await goOnline(tab);
    await request(tab, 'focus');
    await request(tab, 'focus');
    expect(await states(tab)).toEqual([]);
    expect(server.effects).toHaveLength(2);
    expect(await mirrored(tab, 3)).toMatchObject({ description: 'Changed' });
  });
});

describe('a migration to another shape', () => {
  const next = operationSchemaVersion + 1;
  const upgrade = (stored: unknown): Upgraded => {
    const step = (row: Record<string, unknown>) => ({ ...row, tries: 0 });
    const steps = new Map([[operationSchemaVersion, step]]);
    return upgradeOperation(stored, { steps, version: next });
  };

  it('migrates every row in one transaction, keeping order and ids, unless the lease is lost', async () => {
    const { db } = (await queued()).tab;
    const rows = await db.outbox.orderBy('seq').toArray();
    const fence = (await db.lease.get('lease'))?.fence ?? 0;
    const sorting = { db, at: '2026-11-21T10:00:00.000Z', upgrade };
    await expect(sortOutbox({ ...sorting, fence: fence - 1 })).rejects.toThrow(FencedError);
    expect(await db.outbox.orderBy('seq').toArray()).toEqual(rows);
    await sortOutbox({ ...sorting, fence });
    const after = await db.outbox.orderBy('seq').toArray();
    expect(after).toEqual(rows.map((row) => ({ ...row, schemaVersion: next, tries: 0 })));
  });
});

describe('an unreadable row of the mirror', () => {
  const userInfo = { ...me, email: '', roles: ['Employee' as const] };

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
  ])('fails the read, empties the mirror and triggers a pull: %s', async (_, write, read) => {
    const { server, tab } = await offline(aServer(3));
    const { id } = await enqueue(tab, accept(2));
    await write(tab);
    await expect(read(tab)).rejects.toMatchObject({ name: 'UnreadableRowError' });
    await until(async () => (await tab.db.packages.count()) === 0);
    expect(await tab.db.outbox.toArray()).toMatchObject([{ id }]);
    await goOnline(tab);
    await request(tab, 'focus');
    await read(tab);
    expect(await tab.db.packages.toArray()).toEqual(server.packages.values());
    expect(await tab.db.users.count()).toBe(2);
    expect(server.effects).toHaveLength(1);
  });

  it('that is read before the engine has loaded is repaired by the engine', async () => {
    const { tab } = await pulled();
    tab.kill();
    const early = new UserDatabase(tab.db.userId);
    await early.users.put(broken({ id: 'x' }));
    await expect(readUsers(early)).rejects.toMatchObject({ name: 'UnreadableRowError' });
    const next = device.openTab(early);
    await until(async () => (await next.db.users.count()) === 2);
    expect(await readUsers(next.db)).toHaveLength(2);
  });

  it('that the server keeps sending is pulled with growing delays, not in a loop', async () => {
    const server = aServer();
    server.users.set('x', broken({ id: 'x', version: 1 }));
    const { tab } = await pulled(server);
    const pulls = () => server.callsOf('pullUsers').length;
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
  ])('does not stop sending and pulling: %s', async (_, write) => {
    const { server, tab } = await pulled(aServer(3));
    await write(tab);
    server.changePackage(packageId(1), { description: 'Changed' });
    await tab.engine.enqueue(accept(1));
    for (let round = 0; round < 3; round += 1) await request(tab, 'focus');
    await passTime(60_000);
    expect(await states(tab)).toEqual([]);
    expect(await tab.db.packages.toArray()).toEqual(server.packages.values());
  });

  it('does not concern the time of the last pull and other unreadable rows', async () => {
    const { tab } = await pulled();
    await tab.db.meta.put({ key: 'lastPulledAt', value: 'garbage' });
    await tab.db.quarantine.put(broken({ seq: 3 }));
    expect(await readLastPulledAt(tab.db)).toBeNull();
    const [aside] = await readQuarantine(tab.db);
    expect(Number.isNaN(Date.parse(aside?.at ?? ''))).toBe(false);
  });
});
