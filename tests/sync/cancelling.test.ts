/** Cancelling operations before they are sent, and showing which ones are being sent. */
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Intent, Operation } from '#domain/operation.ts';
import { lapseMs } from '#sync/outbox/in-flight.ts';
import { faults } from '#tests/fakes/fake-server.ts';
import {
  accept,
  aServer,
  closeDevices,
  create,
  deliver,
  device,
  edit,
  enqueue,
  me,
  newDevice,
  offline,
  packageId,
  pulled,
  request,
  settled,
  states,
  type Tab,
  until,
} from './device.ts';
import { readPackageView } from './views.ts';

closeDevices();

const view = (tab: Tab, number = 1) => readPackageView(tab.db, packageId(number), me);

describe('cancelling', () => {
  /** An accept whose send is held before it reaches the server, with a delivery behind it. */
  async function behind() {
    const all = await pulled();
    const barrier = all.server.holdNext('patchPackage');
    const first = await all.tab.engine.enqueue(accept());
    await barrier.reached;
    const last = await all.tab.engine.enqueue(deliver());
    return { ...all, barrier, first, last };
  }

  it('removes an unsent operation behind another one', async () => {
    const { server, tab, barrier, last } = await behind();
    expect(await view(tab)).toMatchObject({ status: 'delivered' });
    expect(await tab.engine.cancel(last.id)).toBe(true);
    barrier.release();
    await settled();
    expect(await states(tab)).toEqual([]);
    expect(server.packages.get(packageId(1))?.status).toBe('in-transit');
  });

  it('never removes the first of a lane, sent or not', async () => {
    const { tab, barrier, first, last } = await behind();
    expect(await tab.engine.cancel(first.id)).toBe(false);
    expect(await tab.engine.cancel(last.id)).toBe(true);
    expect(await tab.engine.cancel(first.id)).toBe(false);
    barrier.release();
  });

  it('never removes an operation with dependents', async () => {
    const { tab } = await offline();
    await tab.engine.enqueue(create(7));
    const middle = await tab.engine.enqueue(edit({ notes: 'A' }, { number: 7 }));
    await tab.engine.enqueue(edit({ notes: 'B' }, { number: 7 }));
    expect(await tab.engine.cancel(middle.id)).toBe(false);
    expect(await states(tab)).toHaveLength(3);
  });

  it('never removes a profile that a create waits for', async () => {
    const { tab } = await offline();
    const profile = (lastName: string): Intent => ({
      name: 'editProfile',
      targetId: me.id,
      args: { changes: { lastName } },
    });
    await tab.engine.enqueue(profile('A'));
    const second = await tab.engine.enqueue(profile('B'));
    await tab.engine.enqueue(create(7));
    expect(await tab.engine.cancel(second.id)).toBe(false);
  });

  it('never removes an operation that was sent, though another is ahead of it now', async () => {
    const { server, tab } = await pulled();
    // Done on the server; the reply is lost, and a gateway refuses the repeat.
    server.fail('patchPackage', faults.droppedAfter);
    const sent = await enqueue(tab, edit({ notes: 'One' }));
    const gateway = { kind: 'http', status: 404, code: '', message: 'Nothing here' } as const;
    server.fail('patchPackage', { when: 'before', failure: gateway });
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
    newDevice(aServer());
    const outcomes = new Set<boolean>();
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 40 }),
        fc.integer({ min: 0, max: 40 }),
        fc.integer({ min: 2, max: 4 }),
        async (turnsBefore, turnsBetween, count) => {
          await device.close();
          const server = aServer();
          newDevice(server);
          const tabs = [device.openTab(), device.openTab()] as const;
          tabs[0].engine.request('start');
          await settled();
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
        },
      ),
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
    const { id } = await tab.engine.enqueue(accept());
    await barrier.reached;
    expect([sending(tab), sending(other)]).toEqual([[id], [id]]);
    expect(tab.engine.status().sending[0]?.lane).toBe(`package:${packageId(1)}`);
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
