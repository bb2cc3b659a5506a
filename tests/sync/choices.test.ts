/** Decisions besides retry and discard: replacing, accepting theirs, cancelling what is unsent. */
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Intent, Operation } from '#domain/operation.ts';
import { lapseMs } from '#sync/outbox/in-flight.ts';
import { answers, answersStatus, faults } from '#tests/fakes/fake-server.ts';
import {
  accept,
  aServer,
  closeDevices,
  create,
  deliver,
  device,
  edit,
  editProfile,
  enqueue,
  goOnline,
  newDevice,
  offline,
  onServer,
  pulled,
  request,
  settled,
  shown,
  states,
  type Tab,
  until,
} from './device.ts';

closeDevices();

function createWith(number: number, description: string): Intent {
  const intent = create(number);
  if (intent.name !== 'createPackage') throw new Error('Not a create.');
  return { ...intent, args: { ...intent.args, description } };
}

describe('replacing a refused operation', () => {
  /** A refused create for package 7 with an edit behind it. */
  async function refusedCreate() {
    const { server, tab } = await pulled();
    server.fail('createPackage', answers('invalid_fields'));
    const first = await tab.engine.enqueue(create(7));
    await enqueue(tab, edit({ notes: 'Fragile' }, { number: 7, baseVersion: 0 }));
    expect(await states(tab)).toHaveLength(2);
    return { server, tab, first };
  }

  it('sends the corrected one under a new key, then its dependents', async () => {
    const { server, tab, first } = await refusedCreate();
    const replaced = await tab.engine.replace(first.id, createWith(7, 'Mended'));
    await settled();
    expect(await states(tab)).toEqual([]);
    expect(onServer(7)).toMatchObject({ description: 'Mended', notes: 'Fragile' });
    const keys = server.callsOf('createPackage').map(({ key }) => key);
    expect(keys).toEqual([first.id, replaced?.id]);
    expect(new Set(keys).size).toBe(2);
  });

  it('moves the dependents to a package with a new id', async () => {
    const { tab, first } = await refusedCreate();
    await tab.engine.replace(first.id, createWith(8, 'Another id'));
    await settled();
    expect(await states(tab)).toEqual([]);
    expect(onServer(7)).toBeUndefined();
    expect(onServer(8)).toMatchObject({ notes: 'Fragile' });
  });

  it('is atomic: never both operations and never neither, whatever fails', async () => {
    const { tab, first } = await refusedCreate();
    const before = await tab.db.outbox.toArray();
    tab.db.outbox.hook('creating', () => {
      throw new Error('No room.');
    });
    const replacing = tab.engine.replace(first.id, createWith(7, 'Mended'));
    await expect(replacing).rejects.toThrow('could not be saved');
    expect(await tab.db.outbox.toArray()).toEqual(before);
  });

  it('happens once, though two tabs replace simultaneously', async () => {
    const { server, tab, first } = await refusedCreate();
    const tabs = [tab, device.openTab()];
    const both = await Promise.all(
      tabs.map(({ engine }, index) => engine.replace(first.id, createWith(7, `Of tab ${index}`))),
    );
    expect(both.filter(Boolean)).toHaveLength(1);
    await settled();
    expect(await states(tab)).toEqual([]);
    expect(server.effects.filter((effect) => effect.startsWith('create'))).toHaveLength(1);
  });

  it('refuses another kind of operation, another package, and theirs for a create', async () => {
    const { tab, first } = await refusedCreate();
    await expect(tab.engine.acceptTheirs(first.id)).rejects.toThrow();
    expect(await states(tab)).toHaveLength(2);
    const all = await tab.db.outbox.toArray();
    for (const wrong of [edit({ notes: 'One' }, { number: 2 }), deliver(7)]) {
      await expect(tab.engine.replace(all[1]?.id ?? '', wrong)).rejects.toThrow();
    }
    expect(await tab.db.outbox.toArray()).toEqual(all);
  });
});

describe('a conflict', () => {
  /** Two edits of one package, the first in conflict with another user's change. */
  async function conflicting(second: Parameters<typeof edit>[0]) {
    const { server, tab } = await offline();
    const changes = { description: 'Mine', pickupAddress: 'My gate' };
    const first = await tab.engine.enqueue(edit(changes, { baseVersion: 1 }));
    await enqueue(tab, edit(second, { baseVersion: 1 }));
    server.changePackage(onServer()?.id ?? '', { description: 'Theirs', notes: 'Theirs too' });
    await goOnline(tab);
    const [refused, leaning] = await tab.db.outbox.orderBy('seq').toArray();
    expect(refused?.lastError).toMatchObject({ code: 'conflict' });
    expect(Object.keys(refused?.lastError?.fields ?? {})).toEqual(['description']);
    expect(leaning?.lastError).toMatchObject({ code: 'depends_on_refused' });
    expect(leaning?.lastError).not.toHaveProperty('fields');
    expect(await shown(tab)).toMatchObject({ description: 'Theirs', mark: 'attention' });
    return { server, tab, first };
  }

  const mine = edit({ pickupAddress: 'My gate', description: 'Mine' }, { baseVersion: 2 });
  const replace = (intent: Intent) => (tab: Tab, id: string) => tab.engine.replace(id, intent);
  const acceptTheirs = (tab: Tab, id: string) => tab.engine.acceptTheirs(id);

  it.each([
    ['mine applies on the version that was shown', replace(mine), 'Mine', 'My gate'],
    ['theirs does not drop its dependents', acceptTheirs, 'Theirs', '12 Kofar Mata Road, Kano'],
  ])('resolved with %s', async (_, decide, description, pickupAddress) => {
    const { tab, first } = await conflicting({ recipientName: 'Ladi' });
    expect(await decide(tab, first.id)).toBeTruthy();
    await settled();
    expect(await states(tab)).toEqual([]);
    const kept = { recipientName: 'Ladi', notes: 'Theirs too' };
    expect(onServer()).toMatchObject({ description, pickupAddress, ...kept });
    expect(await decide(tab, first.id)).toBeFalsy();
  });

  it('is shown again if the row changes during the choice', async () => {
    const { server, tab, first } = await conflicting({ recipientName: 'Ladi' });
    server.changePackage(onServer()?.id ?? '', { description: 'Theirs again' });
    await tab.engine.replace(first.id, mine);
    await settled();
    expect((await states(tab))[0]).toBe('editPackage attention conflict');
    expect(onServer()?.description).toBe('Theirs again');
  });

  it.each([
    ['as theirs keeps', acceptTheirs, 'Theirs'],
    [
      'for another field keeps',
      replace(edit({ pickupAddress: 'My gate' }, { baseVersion: 2 })),
      'Theirs',
    ],
    ['with mine does not keep', replace(mine), 'Mine, later'],
  ])('resolved %s a later edit from overwriting their change', async (_, decide, description) => {
    const { tab, first } = await conflicting({ description: 'Mine, later' });
    await decide(tab, first.id);
    await settled();
    const isKept = description === 'Theirs';
    expect(await states(tab)).toEqual(isKept ? ['editPackage attention conflict'] : []);
    expect(onServer()?.description).toBe(description);
  });
});

/** An accept whose send is held before it reaches the server, with a delivery behind it. */
async function sendingAccept() {
  const { server, tab } = await pulled();
  const barrier = server.holdNext('patchPackage');
  const first = await tab.engine.enqueue(accept());
  await barrier.reached;
  const last = await tab.engine.enqueue(deliver());
  return { server, tab, barrier, first, last };
}

describe('cancelling', () => {
  it('removes an unsent operation behind another one, but never the first of a lane', async () => {
    const { tab, barrier, first, last } = await sendingAccept();
    expect(await shown(tab)).toMatchObject({ status: 'delivered' });
    expect(await tab.engine.cancel(first.id)).toBe(false);
    expect(await tab.engine.cancel(last.id)).toBe(true);
    expect(await tab.engine.cancel(first.id)).toBe(false);
    barrier.release();
    await settled();
    expect(await states(tab)).toEqual([]);
    expect(onServer()?.status).toBe('in-transit');
  });

  const note = (notes: string) => edit({ notes }, { number: 7 });
  it.each([
    ['an operation with dependents', [create(7), note('A'), note('B')]],
    [
      'a profile that a create waits for',
      [editProfile({ lastName: 'A' }), editProfile({ lastName: 'B' }), create(7)],
    ],
  ])('never removes %s', async (_, intents) => {
    const { tab } = await offline();
    for (const intent of intents) await tab.engine.enqueue(intent);
    const [, middle] = await tab.db.outbox.toArray();
    expect(await tab.engine.cancel(middle?.id ?? '')).toBe(false);
    expect(await states(tab)).toHaveLength(3);
  });

  it('never removes an operation that was sent, though another is ahead of it now', async () => {
    const { server, tab } = await pulled();
    // Done on the server; the reply is lost, and a gateway refuses the repeat.
    server.fail('patchPackage', faults.droppedAfter);
    const sent = await enqueue(tab, edit({ notes: 'One' }));
    server.fail('patchPackage', answersStatus(404));
    await request(tab, 'online');
    expect(await states(tab)).toEqual(['editPackage attention http']);
    server.isReachable = false;
    await tab.engine.enqueue(edit({ notes: 'Two' }));
    await tab.engine.retry(sent.id);
    await settled();
    const again = (await tab.db.outbox.orderBy('seq').toArray()).at(-1);
    // The same request under the same key: it must not take effect twice.
    expect(again).toMatchObject({ id: sent.id, state: 'waiting' });
    expect(await tab.engine.cancel(sent.id)).toBe(false);
  });

  it('and sending exclude each other in every interleaving', async () => {
    newDevice();
    const outcomes = new Set<boolean>();
    const turns = fc.integer({ min: 0, max: 40 });
    const counts = fc.integer({ min: 2, max: 4 });
    await fc.assert(
      fc.asyncProperty(turns, turns, counts, async (turnsBefore, turnsBetween, count) => {
        await device.close();
        const server = aServer();
        newDevice(server);
        const tabs = [device.openTab(), device.openTab()] as const;
        await request(tabs[0], 'start');
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
        const isBack = await tabs[1].engine.cancel(last.id);
        await settled();
        const wasSent = server.calls.some(({ key }) => key === last.id);
        expect(wasSent).toBe(!isBack);
        outcomes.add(isBack);
        expect(await states(tabs[0])).toEqual([]);
      }),
      { numRuns: 40 },
    );
    expect(outcomes.size).toBe(2);
  });
});

describe('the sending state', () => {
  const sending = (tab: Tab) => tab.engine.status().sending.map(({ operationId }) => operationId);

  it('is visible in every tab exactly while the request is in flight', async () => {
    const { server, tab } = await pulled();
    const other = device.openTab();
    const barrier = server.holdNext('patchPackage');
    const { id, targetId } = await tab.engine.enqueue(accept());
    await barrier.reached;
    expect([sending(tab), sending(other)]).toEqual([[id], [id]]);
    expect(tab.engine.status().sending[0]?.lane).toBe(`package:${targetId}`);
    barrier.release();
    await settled();
    expect([sending(tab), sending(other)]).toEqual([[], []]);
  });

  it('is cleared for a tab killed during the request', async () => {
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

describe('a message on the tab channel', () => {
  it.each<[string, unknown]>([
    ['nothing', null],
    ['a number', 1],
    ['an unknown kind', { kind: 'status', operation: {} }],
    ['no operation', { kind: 'refused', operation: null }],
    ['an empty operation', { kind: 'acknowledged', operation: {} }],
    ['a number of flights', { kind: 'sending', sending: 5 }],
    ['empty flights', { kind: 'sending', sending: [null] }],
    ['flights of another shape', { kind: 'sending', sending: [{ operationId: 1 }] }],
  ])('that is invalid (%s) is ignored', async (_, message) => {
    const { tab } = await pulled();
    const before = tab.events.length;
    device.tell(message);
    expect(tab.events).toHaveLength(before);
    expect(tab.engine.status().sending).toEqual([]);
    expect(tab.faults).toEqual([]);
  });

  it('is ignored after the engine stops', async () => {
    const { tab } = await pulled();
    const other = device.openTab();
    await other.engine.stop();
    const before = other.events.length;
    await enqueue(tab, accept());
    expect(tab.events.some(({ kind }) => kind === 'acknowledged')).toBe(true);
    expect(other.events).toHaveLength(before);
  });
});
