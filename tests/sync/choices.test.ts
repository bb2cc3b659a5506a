/** What a person can do about operations: replace, give way, withdraw; and what is said to be sending. */
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { Intent, Operation } from '#domain/operation.ts';
import { lapseMs } from '#sync/flights.ts';
import { answers, faults } from '#tests/fakes/fake-api.ts';
import {
  accept,
  aDevice,
  aPulledDevice,
  aServer,
  create,
  type Device,
  deliver,
  edit,
  me,
  packageId,
  settled,
  states,
  type Tab,
  until,
} from './device.ts';
import { readPackageView } from './views.ts';

let device: Device;
afterEach(() => device.close());

async function pulled(server = aServer()) {
  const all = await aPulledDevice(server);
  device = all.device;
  return all;
}

const view = (tab: Tab, number = 1) => readPackageView(tab.db, packageId(number), me);

/** A create for package 7 that the server refused, with two more behind it. */
async function refusedCreate() {
  const all = await pulled();
  all.server.isReachable = false;
  const first = await all.tab.engine.enqueue(create(7));
  await all.tab.engine.enqueue(edit({ notes: 'Fragile' }, { number: 7, baseVersion: 0 }));
  await settled(device);
  all.server.isReachable = true;
  all.server.fail('createPackage', answers('invalid_fields'));
  all.tab.engine.request('online');
  await settled(device);
  expect(await states(all.tab)).toEqual([
    'createPackage attention invalid_fields',
    'editPackage attention depends_on_refused',
  ]);
  return { ...all, first };
}

function createWith(number: number, description: string): Intent {
  const intent = create(number);
  if (intent.name !== 'createPackage') throw new Error('Not a create.');
  return { ...intent, args: { ...intent.args, description } };
}

describe('replacing a refused operation', () => {
  it('sends what was mended under a new key, and those that leaned on it behind it', async () => {
    const { server, tab, first } = await refusedCreate();
    const replaced = await tab.engine.replace(first.id, createWith(7, 'Mended'));
    expect(replaced?.id).not.toBe(first.id);
    await settled(device);
    expect(await states(tab)).toEqual([]);
    expect(server.packages.get(packageId(7))).toMatchObject({
      description: 'Mended',
      notes: 'Fragile',
    });
    const keys = server.calls.filter(({ key }) => key !== '').map(({ key }) => key);
    expect(keys.filter((key) => key === first.id)).toHaveLength(2);
    expect(keys.filter((key) => key === replaced?.id)).toHaveLength(1);
  });

  it('goes with those that leaned on it to a package under another id', async () => {
    const { server, tab, first } = await refusedCreate();
    await tab.engine.replace(first.id, createWith(8, 'Another id'));
    await settled(device);
    expect(await states(tab)).toEqual([]);
    expect(server.packages.has(packageId(7))).toBe(false);
    expect(server.packages.get(packageId(8))).toMatchObject({ notes: 'Fragile' });
  });

  it('never leaves the refused one beside the new one, nor neither, whatever fails', async () => {
    const { tab, first } = await refusedCreate();
    const before = await tab.db.outbox.toArray();
    const failing = () => {
      throw new Error('No room.');
    };
    tab.db.outbox.hook('creating', failing);
    await expect(tab.engine.replace(first.id, createWith(7, 'Mended'))).rejects.toThrow(
      'could not be saved',
    );
    tab.db.outbox.hook('creating').unsubscribe(failing);
    expect(await tab.db.outbox.toArray()).toEqual(before);
  });

  it('does nothing where another tab has decided already', async () => {
    const { server, tab, first } = await refusedCreate();
    const other = device.openTab();
    await other.engine.retry(first.id);
    await settled(device);
    expect(await tab.engine.replace(first.id, createWith(7, 'Twice'))).toBeNull();
    await settled(device);
    expect(await states(tab)).toEqual([]);
    expect(server.packages.get(packageId(7))?.description).not.toBe('Twice');
  });

  it('is decided once, though two tabs replace at the same time', async () => {
    const { server, tab, first } = await refusedCreate();
    const other = device.openTab();
    const both = await Promise.all([
      tab.engine.replace(first.id, createWith(7, 'From the one')),
      other.engine.replace(first.id, createWith(7, 'From the other')),
    ]);
    expect(both.filter(Boolean)).toHaveLength(1);
    await settled(device);
    expect(await states(tab)).toEqual([]);
    expect(server.effects.filter((effect) => effect.startsWith('create'))).toHaveLength(1);
  });

  it('refuses what is of another kind or about another package', async () => {
    const { server, tab } = await pulled(aServer(2));
    server.fail('patchPackage', answers('forbidden'));
    const { id } = await tab.engine.enqueue(edit({ notes: 'One' }));
    await settled(device);
    for (const wrong of [edit({ notes: 'One' }, { number: 2 }), deliver()]) {
      await expect(tab.engine.replace(id, wrong)).rejects.toThrow();
    }
    expect(await states(tab)).toEqual(['editPackage attention forbidden']);
  });
});

/** Two edits of one package, of which the first conflicts with what somebody else did. */
async function conflicting(second: Parameters<typeof edit>[0]) {
  const all = await pulled();
  all.server.isReachable = false;
  const changes = { description: 'Mine', pickupAddress: 'My gate' };
  const first = await all.tab.engine.enqueue(edit(changes, { baseVersion: 1 }));
  await all.tab.engine.enqueue(edit(second, { baseVersion: 1 }));
  await settled(device);
  all.server.isReachable = true;
  all.server.changePackage(packageId(1), { description: 'Theirs', notes: 'Theirs too' });
  all.tab.engine.request('online');
  await settled(device);
  const [refused, leaning] = await all.tab.db.outbox.orderBy('seq').toArray();
  expect(refused?.lastError).toMatchObject({ code: 'conflict' });
  expect(Object.keys(refused?.lastError?.fields ?? {})).toEqual(['description']);
  expect(leaning?.lastError).toMatchObject({ code: 'depends_on_refused' });
  expect(leaning?.lastError).not.toHaveProperty('fields');
  return { ...all, first };
}

describe('a conflict', () => {
  it('sends the choice on the version that was in sight, and then it stands', async () => {
    const { server, tab, first } = await conflicting({ recipientName: 'Ladi' });
    expect(await view(tab)).toMatchObject({ description: 'Theirs', mark: 'attention' });
    const choice = edit({ pickupAddress: 'My gate', description: 'Mine' }, { baseVersion: 2 });
    await tab.engine.replace(first.id, choice);
    await settled(device);
    expect(await states(tab)).toEqual([]);
    expect(server.packages.get(packageId(1))).toMatchObject({
      description: 'Mine',
      pickupAddress: 'My gate',
      recipientName: 'Ladi',
      notes: 'Theirs too',
    });
  });

  it('is asked about again where the row moved on while it was being chosen', async () => {
    const { server, tab, first } = await conflicting({ recipientName: 'Ladi' });
    server.changePackage(packageId(1), { description: 'Theirs again' });
    await tab.engine.replace(first.id, edit({ description: 'Mine' }, { baseVersion: 2 }));
    await settled(device);
    expect((await states(tab))[0]).toBe('editPackage attention conflict');
    expect(server.packages.get(packageId(1))?.description).toBe('Theirs again');
  });

  it('gives way without taking along what leaned on it', async () => {
    const { server, tab, first } = await conflicting({ recipientName: 'Ladi' });
    expect(await tab.engine.giveWay(first.id)).toBe(true);
    await settled(device);
    expect(await states(tab)).toEqual([]);
    expect(server.packages.get(packageId(1))).toMatchObject({
      description: 'Theirs',
      recipientName: 'Ladi',
    });
    expect(await tab.engine.giveWay(first.id)).toBe(false);
  });

  it.each([
    ['gives way', (tab: Tab, id: string) => tab.engine.giveWay(id)],
    [
      'is decided for another field',
      (tab: Tab, id: string) =>
        tab.engine.replace(id, edit({ pickupAddress: 'My gate' }, { baseVersion: 2 })),
    ],
  ])('that %s lets no later edit run over their change unasked', async (_, decide) => {
    const { server, tab, first } = await conflicting({ description: 'Mine, later' });
    await decide(tab, first.id);
    await settled(device);
    expect(await states(tab)).toEqual(['editPackage attention conflict']);
    expect(server.packages.get(packageId(1))?.description).toBe('Theirs');
  });

  it('that is decided for mine lets the later edit of the same field follow', async () => {
    const { server, tab, first } = await conflicting({ description: 'Mine, later' });
    await tab.engine.replace(first.id, edit({ description: 'Mine' }, { baseVersion: 2 }));
    await settled(device);
    expect(await states(tab)).toEqual([]);
    expect(server.packages.get(packageId(1))?.description).toBe('Mine, later');
  });

  it('never gives way where there is no edit', async () => {
    const { tab, first } = await refusedCreate();
    await expect(tab.engine.giveWay(first.id)).rejects.toThrow();
    expect(await states(tab)).toHaveLength(2);
  });
});

describe('withdrawing', () => {
  /** Accepted, its send held before the server sees it, and delivered behind it. */
  async function behind() {
    const all = await pulled();
    const barrier = all.server.holdNext('patchPackage');
    const first = await all.tab.engine.enqueue(accept());
    await barrier.reached;
    const last = await all.tab.engine.enqueue(deliver());
    return { ...all, barrier, first, last };
  }

  it('takes back what stands behind another and was never sent', async () => {
    const { server, tab, barrier, last } = await behind();
    expect(await view(tab)).toMatchObject({ status: 'delivered' });
    expect(await tab.engine.withdraw(last.id)).toBe(true);
    barrier.release();
    await settled(device);
    expect(await states(tab)).toEqual([]);
    expect(server.packages.get(packageId(1))?.status).toBe('in-transit');
  });

  it('never takes back the first of a lane, sent or not', async () => {
    const { tab, barrier, first, last } = await behind();
    expect(await tab.engine.withdraw(first.id)).toBe(false);
    expect(await tab.engine.withdraw(last.id)).toBe(true);
    expect(await tab.engine.withdraw(first.id)).toBe(false);
    barrier.release();
  });

  it('never takes back what something else leans on', async () => {
    const { server, tab } = await pulled();
    server.isReachable = false;
    await tab.engine.enqueue(create(7));
    const middle = await tab.engine.enqueue(edit({ notes: 'A' }, { number: 7 }));
    await tab.engine.enqueue(edit({ notes: 'B' }, { number: 7 }));
    expect(await tab.engine.withdraw(middle.id)).toBe(false);
    expect(await states(tab)).toHaveLength(3);
  });

  it('never takes back a profile that a create waits for', async () => {
    const { server, tab } = await pulled();
    server.isReachable = false;
    const profile = (lastName: string): Intent => ({
      name: 'editProfile',
      targetId: me.id,
      args: { changes: { lastName } },
    });
    await tab.engine.enqueue(profile('A'));
    const second = await tab.engine.enqueue(profile('B'));
    await tab.engine.enqueue(create(7));
    expect(await tab.engine.withdraw(second.id)).toBe(false);
  });

  it('never takes back what was sent before, though it stands behind another by now', async () => {
    const { server, tab } = await pulled();
    // Done there; the reply is lost, and a gateway says no to the repeat.
    server.fail('patchPackage', faults.droppedAfter);
    const sent = await tab.engine.enqueue(edit({ notes: 'One' }));
    await settled(device);
    const gateway = { kind: 'http', status: 404, code: '', message: 'Nothing here' } as const;
    server.fail('patchPackage', { when: 'before', failure: gateway });
    tab.engine.request('online');
    await settled(device);
    expect(await states(tab)).toEqual(['editPackage attention http']);
    server.isReachable = false;
    await tab.engine.enqueue(edit({ notes: 'Two' }));
    await tab.engine.retry(sent.id);
    await settled(device);
    const again = (await tab.db.outbox.orderBy('seq').toArray()).at(-1);
    // The same request under the same key: what was done must not be done twice.
    expect(again).toMatchObject({ id: sent.id, state: 'waiting' });
    expect(await tab.engine.withdraw(sent.id)).toBe(false);
  });

  it('and sending exclude each other, however they meet', async () => {
    device = aDevice(aServer());
    const outcomes = new Set<boolean>();
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 40 }),
        fc.integer({ min: 0, max: 40 }),
        fc.integer({ min: 2, max: 4 }),
        async (turnsBefore, turnsBetween, count) => {
          await device.close();
          const server = aServer();
          device = aDevice(server);
          const tabs = [device.openTab(), device.openTab()] as const;
          tabs[0].engine.request('start');
          await settled(device);
          const barrier = server.holdNext('patchPackage');
          const intents = [accept(), deliver(), edit({ notes: 'A' }), edit({ notes: 'B' })];
          const queued: Operation[] = [];
          for (const intent of intents.slice(0, count)) {
            queued.push(await tabs[0].engine.enqueue(intent));
          }
          await barrier.reached;
          for (let turn = 0; turn < turnsBefore; turn += 1) await setImmediate();
          barrier.release();
          for (let turn = 0; turn < turnsBetween; turn += 1) await setImmediate();
          const last = queued.at(-1) as Operation;
          const isBack = await tabs[1].engine.withdraw(last.id);
          await settled(device);
          const wasSent = server.calls.some(({ key }) => key === last.id);
          expect(wasSent).toBe(!isBack);
          outcomes.add(isBack);
          expect(await states(tabs[0])).toEqual([]);
        },
      ),
      { numRuns: 40 },
    );
    expect(outcomes.size).toBe(2);
  });
});

describe('what is being sent', () => {
  const sending = (tab: Tab) => tab.engine.status().sending.map(({ operationId }) => operationId);

  it('is told in every tab while it is on its way, and no longer', async () => {
    const { server, tab } = await pulled();
    const other = device.openTab();
    const barrier = server.holdNext('patchPackage');
    const { id } = await tab.engine.enqueue(accept());
    await barrier.reached;
    expect([sending(tab), sending(other)]).toEqual([[id], [id]]);
    expect(tab.engine.status().sending[0]?.lane).toBe(`package:${packageId(1)}`);
    barrier.release();
    await settled(device);
    expect([sending(tab), sending(other)]).toEqual([[], []]);
  });

  it('is not told any more once it got no answer', async () => {
    const { server, tab } = await pulled();
    server.isReachable = false;
    await tab.engine.enqueue(accept());
    await settled(device);
    expect(await states(tab)).toEqual(['acceptPackage waiting network']);
    expect(sending(tab)).toEqual([]);
  });

  it('is forgotten of a tab that was killed in the middle', async () => {
    const { server, tab } = await pulled();
    const other = device.openTab();
    const barrier = server.holdNext('patchPackage');
    await tab.engine.enqueue(accept());
    await barrier.reached;
    tab.kill();
    await until(() => sending(other).length === 1);
    device.clock.advance(lapseMs);
    expect(sending(other)).toEqual([]);
    barrier.release();
  });
});
