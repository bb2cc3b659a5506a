/** What an outbox gets wrong about the truth: see the table of tests/sync/thirty.test.ts. */
import { afterEach, describe, expect, it } from 'vitest';
import { ids, party, wirePackage } from '#tests/builders/package.ts';
import { type FakeServer, faults } from '#tests/fakes/fake-server.ts';
import {
  accept,
  aPulledDevice,
  aServer,
  create,
  type Device,
  deliver,
  edit,
  me,
  packageId,
  remove,
  settled,
  states,
  type Tab,
} from './device.ts';
import { clientOver, json } from './network.ts';
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
const rival = party(ids.otherCourier, 'Bala');

describe('a refusal', () => {
  it('16: stays where the person sees it, with the reason, until they decide', async () => {
    const { server, tab, device: on } = await pulled();
    server.changePackage(packageId(1), { courier: rival, status: 'in-transit' });
    const { id } = await tab.engine.enqueue(accept());
    await settled(on);
    for (let times = 0; times < 3; times += 1) {
      tab.engine.request('focus');
      await wait(on, 3_600_000);
    }
    tab.kill();
    const next = on.openTab();
    expect(await states(next)).toEqual(['acceptPackage attention already_assigned']);
    expect(await view(next)).toMatchObject({ courier: rival, mark: 'attention' });
    await next.engine.discard(id);
    expect(await states(next)).toEqual([]);
    expect(await view(next)).toMatchObject({ mark: 'none' });
  });

  it('18: is what an edit meets whose package was deleted meanwhile, and it is kept', async () => {
    const { server, tab, device: on } = await pulled();
    server.isReachable = false;
    await tab.engine.enqueue(edit({ notes: 'Ring twice' }, { baseVersion: 1 }));
    await settled(on);
    server.isReachable = true;
    server.packages.delete(packageId(1));
    tab.engine.request('online');
    await settled(on);
    expect(await states(tab)).toEqual(['editPackage attention not_found']);
    expect((await tab.db.outbox.toArray())[0]?.args).toMatchObject({
      changes: { notes: 'Ring twice' },
    });
    expect(await view(tab)).toBeNull();
  });

  it('19: is what the second of two couriers gets, with all that leaned on it, and the truth', async () => {
    const { server, tab, device: on } = await pulled();
    server.isReachable = false;
    await tab.engine.enqueue(accept());
    await tab.engine.enqueue(deliver());
    await settled(on);
    server.isReachable = true;
    server.changePackage(packageId(1), { courier: rival, status: 'in-transit' });
    tab.engine.request('online');
    await settled(on);
    expect(await states(tab)).toEqual([
      'acceptPackage attention already_assigned',
      'deliverPackage attention depends_on_refused',
    ]);
    expect(server.packages.get(packageId(1))).toMatchObject({
      courier: rival,
      status: 'in-transit',
    });
    expect(server.effects).toEqual([]);
  });
});

describe('the mirror', () => {
  /** A create that the server has done, without its answer; and time for a pull. */
  async function createdUnanswered() {
    const all = await pulled();
    all.server.fail('createPackage', faults.truncated);
    await all.tab.engine.enqueue(create(7));
    await settled(all.device);
    expect(await states(all.tab)).toEqual(['createPackage waiting malformed']);
    expect(await all.tab.db.packages.get(packageId(7))).toMatchObject({ version: 1 });
    return all;
  }

  it('21: shows an own create once, though it is pulled back while it is still queued', async () => {
    const { tab, device: on } = await createdUnanswered();
    expect(await view(tab, 7)).toMatchObject({ packageId: 'KY-000002', mark: 'waiting' });
    await wait(on, 60_000);
    expect(await states(tab)).toEqual([]);
    expect(await tab.db.packages.where('id').equals(packageId(7)).count()).toBe(1);
  });

  it('21: does not get a deleted package back by an answer that the server had kept', async () => {
    const { server, tab, device: on } = await createdUnanswered();
    server.packages.delete(packageId(7));
    tab.engine.request('event');
    await settled(on);
    expect(await tab.db.packages.get(packageId(7))).toBeUndefined();
    await wait(on, 60_000);
    expect(await states(tab)).toEqual([]);
    expect(await view(tab, 7)).toBeNull();
    expect(await tab.db.packages.get(packageId(7))).toBeUndefined();
  });

  it('21: does not get one back that was deleted here and acknowledged', async () => {
    const { server, tab, device: on } = await pulled();
    server.fail('deletePackage', faults.droppedAfter);
    await tab.engine.enqueue(remove());
    await settled(on);
    await wait(on, 60_000);
    expect(server.effects).toEqual([`deletePackage ${packageId(1)}`]);
    expect(await states(tab)).toEqual([]);
    expect(await view(tab)).toBeNull();
  });

  it('22: has also what changes while the pages of a list come', async () => {
    const server = aServer(6);
    server.rows.pageSize.packages = 2;
    const all = await pulled(server);
    server.changePackage(packageId(1), { notes: 'One' });
    server.changePackage(packageId(6), { notes: 'Six' });
    server.changePackage(packageId(5), { notes: 'Five' });
    const barrier = server.holdNext(({ name, body }) => name === 'pullPackages' && body !== '');
    all.tab.engine.request('event');
    await barrier.reached;
    server.changePackage(packageId(2), { notes: 'Late' });
    barrier.release();
    await settled(all.device);
    all.tab.engine.request('event');
    await settled(all.device);
    const byId = new Map((await all.tab.db.packages.toArray()).map((row) => [row.id, row]));
    for (const row of server.packages.values()) expect(byId.get(row.id)).toEqual(row);
  });
});

describe('time', () => {
  it('23: is no order: a clock that is wrong, stands still or goes back changes none', async () => {
    const { server, tab, device: on } = await pulled();
    server.isReachable = false;
    const dayMs = 86_400_000;
    for (const [notes, offMs] of [
      ['One', 0],
      ['Two', 0],
      ['Three', -400 * dayMs],
      ['Four', 4_000 * dayMs],
    ] as const) {
      on.clock.setBack(on.clock.now() + offMs);
      await tab.engine.enqueue(edit({ notes }));
    }
    await settled(on);
    server.isReachable = true;
    tab.engine.request('online');
    await settled(on);
    const sent = mutations(server).map(({ body }) => (body as { notes: string }).notes);
    expect([...new Set(sent)]).toEqual(['One', 'Two', 'Three', 'Four']);
    expect(server.packages.get(packageId(1))?.notes).toBe('Four');
  });
});

describe('a proxy', () => {
  it.each([
    ['weakens', { etag: 'W/"7"' }],
    ['strips', {}],
    ['makes up', { etag: '"7"', 'last-modified': 'Sat, 21 Nov 2026 10:00:00 GMT' }],
  ])('30: that %s ETags changes nothing: versions are in the bodies', async (_, sent) => {
    const headers = { ...sent, 'sync-cursor': 'c1' } as Record<string, string>;
    const network = clientOver(() => json([wirePackage({ version: 7 })], 200, headers));
    for (let times = 0; times < 2; times += 1) {
      const page = await network.api.pullPackages('');
      expect(page.rows.map(({ version }) => version)).toEqual([7]);
    }
    for (const { request } of network.sent) {
      expect(request.cache).toBe('no-store');
      for (const name of ['if-none-match', 'if-match', 'if-modified-since']) {
        expect([name, request.headers.get(name)]).toEqual([name, null]);
      }
    }
  });
});
