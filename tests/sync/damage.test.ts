/** A mirror that the phone's storage has damaged: a copy, which is mended and never believed. */
import { afterEach, describe, expect, it } from 'vitest';
import {
  readAllPackages,
  readChangedPackages,
  readLastPulledAt,
  readNewestPackages,
  readQuarantine,
  readUsers,
} from '#db/queries.ts';
import {
  accept,
  aPulledDevice,
  aServer,
  type Device,
  me,
  packageId,
  settled,
  states,
  type Tab,
} from './device.ts';

let device: Device;
afterEach(() => device.close());

async function pulled() {
  const all = await aPulledDevice(aServer(3));
  device = all.device;
  return all;
}

const userInfo = { ...me, email: '', roles: ['Employee' as const] };

/** What a healthy database never holds. */
const broken = (row: object) => row as never;

async function again(tab: Tab) {
  for (let round = 0; round < 3; round += 1) {
    tab.engine.request('focus');
    await settled(device);
  }
}

describe('a damaged row of the mirror', () => {
  it('is left out of what is shown, and comes anew from the server', async () => {
    const { server, tab } = await pulled();
    await tab.db.packages.put(broken({ id: packageId(1), createdAt: '2026-01-01' }));
    await tab.db.packages.put(broken({ id: 'nobody knows' }));
    await tab.db.users.put(broken({ id: 'damaged' }));
    const { rows } = await readAllPackages(tab.db, userInfo);
    expect(rows.map(({ id }) => id).sort()).toEqual([packageId(2), packageId(3)]);
    const changed = { ids: [packageId(1), packageId(2)], lanes: [], seqs: [] };
    const { lanes } = await readChangedPackages(tab.db, changed, userInfo);
    expect(lanes.map(({ row }) => row?.id)).toEqual([undefined, packageId(2)]);
    const newest = await readNewestPackages(tab.db, 50, userInfo);
    expect(newest.lanes).toHaveLength(2);
    expect(await readUsers(tab.db)).toHaveLength(1);
    await again(tab);
    expect(await tab.db.packages.toArray()).toEqual([...server.packages.values()]);
    expect(await tab.db.users.count()).toBe(1);
  });

  it.each<[string, (tab: Tab) => Promise<unknown>]>([
    ['a page', ({ db }) => db.seen.put(broken({ list: 'packages', page: 0 }))],
    ['a place', ({ db }) => db.lists.put(broken({ list: 'packages', cursor: 17 }))],
    ['a count', ({ db }) => db.lists.put(broken({ list: 'users', cursor: '', fullPages: 'many' }))],
    ['steps', ({ db }) => db.ownSteps.put(broken({ lane: accept(1).targetId, steps: 'none' }))],
    ['a lease', ({ db }) => db.lease.put(broken({ key: 'lease', fence: Number.NaN }))],
    ['a row', ({ db }) => db.packages.put(broken({ id: packageId(1), version: 'one' }))],
  ])('does not stop what is sent and pulled: %s', async (_, damage) => {
    const { server, tab } = await pulled();
    await damage(tab);
    server.changePackage(packageId(1), { description: 'Changed' });
    await tab.engine.enqueue(accept(1));
    await again(tab);
    device.clock.advance(60_000);
    await settled(device);
    expect(await states(tab)).toEqual([]);
    expect(await tab.db.packages.toArray()).toEqual([...server.packages.values()]);
  });

  it('takes neither the time of the last pull nor the unreadable ones down with it', async () => {
    const { tab } = await pulled();
    await tab.db.meta.put({ key: 'lastPulledAt', value: 'garbage' });
    await tab.db.quarantine.put(broken({ seq: 3 }));
    expect(await readLastPulledAt(tab.db)).toBeNull();
    const [aside] = await readQuarantine(tab.db);
    expect(Number.isNaN(Date.parse(aside?.at ?? ''))).toBe(false);
  });
});

describe('a damaged row of the outbox', () => {
  it('found in the middle of its life is put aside, and the rest goes on', async () => {
    const { server, tab } = await pulled();
    server.isReachable = false;
    await tab.engine.enqueue(accept(1));
    await tab.engine.enqueue(accept(2));
    await settled(device);
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
