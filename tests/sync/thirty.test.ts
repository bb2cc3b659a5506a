/**
 * Thirty ways in which an outbox fails in the field, and where each is shown not to happen here.
 * A test says by its first word which one it is about; the last test of this file looks for them.
 *
 *  1 reply lost after the commit, resend duplicates ........ here
 *  2 tab killed in mid-request wedges the queue ............ e2e/specs/outbox-tabs
 *  3 killed after the reply, before the acknowledgement .... here
 *  4 reload drops what was in flight ....................... here
 *  5 two tabs replay the same operation .................... e2e/specs/outbox-tabs
 *  6 start-up replays twice ................................ e2e/specs/outbox-tabs
 *  7 focus and online events overlap ....................... here
 *  8 a frozen tab keeps the leadership ..................... e2e/specs/outbox-tabs
 *  9 service worker, timer and page drain at once .......... e2e/specs/outbox-tabs
 * 10 removed before the reply; a 500 counted as done ....... here
 * 11 a cap on tries drops operations in a long outage ...... here
 * 12 a failed send waits for the next local write .......... here
 * 13 a token expires in mid-replay, all rolled back ........ e2e/specs/outbox-network
 * 14 two tabs refresh at once and sign everybody out ....... e2e/specs/outbox-network
 * 15 A's queue is sent as B ................................ e2e/specs/outbox-network
 * 16 a refused operation vanishes, the screen says synced .. here
 * 17 one poison operation blocks all ....................... here
 * 18 package deleted while an edit is queued ............... here
 * 19 two couriers accept ................................... here
 * 20 created offline, a temporary id is kept for ever ...... e2e/specs/outbox-network
 * 21 own create doubled; a deleted row comes back .......... here
 * 22 the cursor skips a late commit ........................ here, and server/deltas for the commit
 * 23 wrong clock, same-millisecond order ................... here
 * 24 upgrade blocked by an old tab hangs for ever .......... storage, e2e/specs/storage
 * 25 quota: only `abort` fires, nothing settles ............ storage, e2e/specs/storage
 * 26 the database is lost in the background ................ storage, e2e/specs/storage
 * 27 `onLine` lies; a captive portal says 200 .............. e2e/specs/outbox-network
 * 28 truncated JSON on a 200 ............................... e2e/specs/outbox-network
 * 29 an update reloads in mid-edit or mid-replay ........... e2e/specs/storage
 * 30 a proxy weakens or strips ETags ....................... here
 */
import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { answersStatus, type FakeServer, faults } from '#tests/fakes/fake-server.ts';
import {
  accept,
  aPulledDevice,
  aServer,
  create,
  type Device,
  me,
  packageId,
  settled,
  states,
  type Tab,
  until,
} from './device.ts';
import { readPackageView } from './views.ts';

let device: Device | undefined;
afterEach(() => device?.close());

async function pulled(server = aServer()) {
  const all = await aPulledDevice(server);
  device = all.device;
  return all;
}

/** What time brings about by itself: nobody touches the phone. */
async function wait(on: Device, ms: number) {
  on.clock.advance(ms);
  await settled(on);
}

const view = (tab: Tab, number = 1) => readPackageView(tab.db, packageId(number), me);
const mutations = (server: FakeServer) => server.calls.filter(({ key }) => key !== '');

describe('a reply that does not come', () => {
  it('1: is asked for again under the same key, and the effect is one', async () => {
    const { server, tab, device: on } = await pulled();
    server.fail('createPackage', faults.droppedAfter, 3);
    const { id } = await tab.engine.enqueue(create(7));
    await settled(on);
    for (let times = 0; times < 3; times += 1) await wait(on, 60_000);
    expect(server.effects).toEqual([`createPackage ${packageId(7)}`]);
    expect(mutations(server).map(({ key }) => key)).toEqual([id, id, id, id]);
    expect(await states(tab)).toEqual([]);
    expect(await tab.db.packages.where('id').equals(packageId(7)).count()).toBe(1);
  });

  it('3: comes to a tab that is killed before it has noted it, and the next one notes it', async () => {
    const { server, tab, device: on } = await pulled();
    const acknowledging = new Promise<void>((resolve) => {
      tab.db.outbox.hook('deleting', () => {
        resolve();
        throw new DOMException('killed', 'AbortError');
      });
    });
    await tab.engine.enqueue(accept());
    await acknowledging;
    tab.kill();
    const next = on.openTab();
    expect(await states(next)).toEqual(['acceptPackage waiting']);
    next.engine.request('start');
    await settled(on);
    expect(server.effects).toEqual([`patchPackage ${packageId(1)}`]);
    expect(await states(next)).toEqual([]);
    expect(await view(next)).toMatchObject({ status: 'in-transit', mark: 'none' });
  });

  it('4: is not needed: what was in flight at a reload is still queued, and goes out once', async () => {
    const { server, tab, device: on } = await pulled();
    const barrier = server.holdNext('patchPackage');
    await tab.engine.enqueue(accept());
    await barrier.reached;
    tab.kill();
    const next = on.openTab();
    expect(await view(next)).toMatchObject({ status: 'in-transit', mark: 'waiting' });
    next.engine.request('start');
    await until(async () => (await states(next)).length === 0);
    barrier.release();
    await settled(on);
    expect(server.effects).toEqual([`patchPackage ${packageId(1)}`]);
  });

  it('10: takes nothing out of the queue, nor does a 500', async () => {
    const { server, tab, device: on } = await pulled();
    server.fail('patchPackage', answersStatus(500));
    const barrier = server.holdNext('patchPackage');
    await tab.engine.enqueue(accept());
    await barrier.reached;
    expect(await states(tab)).toEqual(['acceptPackage waiting']);
    barrier.release();
    await settled(on);
    expect(await states(tab)).toEqual(['acceptPackage waiting http']);
    await wait(on, 60_000);
    expect(await states(tab)).toEqual([]);
    expect(server.effects).toHaveLength(1);
  });
});

describe('trying again', () => {
  it('7: is one drain, however many events say so at once', async () => {
    const { server, tab, device: on } = await pulled(aServer(3));
    server.isReachable = false;
    for (const number of [1, 2, 3]) await tab.engine.enqueue(accept(number));
    await settled(on);
    server.isReachable = true;
    const before = server.calls.length;
    for (const reason of ['focus', 'online', 'visible', 'focus', 'online'] as const) {
      tab.engine.request(reason);
    }
    await settled(on);
    const since = server.calls.slice(before).map(({ name }) => name);
    expect(since.filter((name) => name === 'patchPackage')).toHaveLength(3);
    expect(since.filter((name) => name === 'pullPackages').length).toBeLessThanOrEqual(2);
    expect(on.locks.mostAtOnce()).toBe(1);
  });

  it('11: has no end: a week of outage loses nothing', async () => {
    const { server, tab, device: on } = await pulled();
    server.fail('patchPackage', answersStatus(503), Number.POSITIVE_INFINITY);
    await tab.engine.enqueue(accept());
    await settled(on);
    for (let day = 0; day < 7; day += 1) {
      for (let times = 0; times < 20; times += 1) await wait(on, 60_000);
      await wait(on, 86_400_000);
    }
    expect(mutations(server).length).toBeGreaterThan(100);
    expect(await states(tab)).toEqual(['acceptPackage waiting http']);
    server.heal();
    await wait(on, 60_000);
    expect(await states(tab)).toEqual([]);
    expect(server.effects).toHaveLength(1);
  });

  it('12: comes by itself, without another write, event or touch', async () => {
    const { server, tab, device: on } = await pulled();
    server.fail('patchPackage', faults.droppedBefore);
    await tab.engine.enqueue(accept());
    await settled(on);
    expect(await states(tab)).toEqual(['acceptPackage waiting network']);
    expect(on.clock.pending().length).toBeGreaterThan(0);
    await wait(on, 60_000);
    expect(await states(tab)).toEqual([]);
  });

  it('17: of one that always fails holds up nobody else', async () => {
    const { server, tab, device: on } = await pulled(aServer(3));
    server.fail(
      ({ targetId }) => targetId === packageId(1),
      answersStatus(500),
      Number.POSITIVE_INFINITY,
    );
    for (const number of [1, 2, 3]) await tab.engine.enqueue(accept(number));
    await settled(on);
    expect(await states(tab)).toEqual(['acceptPackage waiting http']);
    expect(server.effects).toHaveLength(2);
  });
});

describe('the thirty', () => {
  it('each have a test', () => {
    const titles = ['tests/sync', 'tests/e2e/specs'].flatMap((folder) =>
      readdirSync(folder)
        .filter((name) => /\.(test|spec)\.ts$/.test(name))
        .map((name) => readFileSync(`${folder}/${name}`, 'utf8')),
    );
    const named = new Set(
      titles.flatMap((text) =>
        [...text.matchAll(/\b(?:it|test)(?:\.each\([\s\S]*?\]\))?\(\s*'(\d+): /g)].map(([, n]) =>
          Number(n),
        ),
      ),
    );
    const missing = Array.from({ length: 30 }, (_, index) => index + 1).filter(
      (number) => !named.has(number),
    );
    expect(missing).toEqual([]);
  });
});
