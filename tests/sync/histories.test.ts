/** The events of packages on the phone: read once per version, gone with their package. */
import { describe, expect, it } from 'vitest';
import { eventsPerPage } from '#contract/event.ts';
import { readHistory } from '#db/queries.ts';
import { wipeMirror } from '#db/wipe.ts';
import {
  accept,
  aServer,
  closeDevices,
  device,
  enqueue,
  packageId,
  pulled,
  request,
  type Tab,
} from './device.ts';

closeDevices();

const history = ({ db }: Tab, number = 1) => readHistory(db, packageId(number));

async function carrying(count = 1) {
  const { server, tab } = await pulled(aServer(count));
  for (let number = 1; number <= count; number += 1) {
    await enqueue(tab, accept(number));
    await enqueue(tab, { name: 'pickUp', targetId: packageId(number), args: {} });
  }
  return { server, tab };
}

describe('the events of a package', () => {
  it('are read once for each version of its row', async () => {
    const { server, tab } = await carrying();
    await tab.engine.readHistories([packageId(1)]);
    expect((await history(tab))?.events.map(({ type }) => type)).toEqual(['picked_up']);
    await tab.engine.readHistories([packageId(1)]);
    expect(server.callsOf('listEvents')).toHaveLength(1);

    await enqueue(tab, { name: 'arrive', targetId: packageId(1), args: {} });
    await tab.engine.readHistories([packageId(1)]);
    expect((await history(tab))?.events.map(({ type }) => type)).toEqual(['picked_up', 'arrived']);
    expect(server.callsOf('listEvents')).toHaveLength(2);
  });

  it('are the newest, and those before them when somebody asks', async () => {
    const { server, tab } = await carrying();
    const wait = {
      name: 'failAttempt',
      targetId: packageId(1),
      args: { reason: 'closed', note: null },
    } as const;
    const arrive = { name: 'arrive', targetId: packageId(1), args: {} } as const;
    for (let nth = 0; nth < eventsPerPage / 2 + 5; nth += 1) {
      await enqueue(tab, arrive);
      await enqueue(tab, wait);
    }
    const kept = async () => (await history(tab))?.events ?? [];
    await tab.engine.readHistories([packageId(1)]);
    expect(await kept()).toHaveLength(eventsPerPage);
    expect(await history(tab)).toMatchObject({ hasOlder: true });
    expect(await tab.engine.readOlderEvents(packageId(1))).toBe(true);
    const all = eventsPerPage + 11;
    expect((await kept()).map(({ type }) => type)).toEqual([
      'picked_up',
      ...Array.from({ length: all - 1 }, (_, nth) => (nth % 2 ? 'attempt_failed' : 'arrived')),
    ]);
    expect(await history(tab)).toMatchObject({ hasOlder: false });

    // What was asked for stays, where nothing is missing in between.
    await enqueue(tab, arrive);
    await tab.engine.readHistories([packageId(1)]);
    expect(new Set((await kept()).map(({ _id }) => _id)).size).toBe(all + 1);
    expect(await history(tab)).toMatchObject({ hasOlder: false });

    server.isReachable = false;
    expect(await tab.engine.readOlderEvents(packageId(1))).toBe(false);
  });

  it('are read a few packages at a time, and not after a failure', async () => {
    const { server, tab } = await carrying(12);
    const ids = Array.from({ length: 12 }, (_, index) => packageId(index + 1));
    server.isReachable = false;
    await tab.engine.readHistories(ids);
    expect(server.callsOf('listEvents')).toHaveLength(1);
    server.isReachable = true;
    await tab.engine.readHistories(ids);
    expect(await tab.db.events.count()).toBe(8);
    await tab.engine.readHistories(ids);
    expect(await tab.db.events.count()).toBe(12);
  });

  it('go with their package, and with the mirror', async () => {
    const { server, tab } = await carrying(2);
    const ids = [packageId(1), packageId(2)];
    await tab.engine.readHistories(ids);
    server.packages.delete(packageId(1));
    await request(tab, 'focus');
    await tab.engine.readHistories(ids);
    expect(await history(tab, 1)).toBeUndefined();
    expect(await history(tab, 2)).toBeDefined();
    await wipeMirror(tab.db);
    expect(await tab.db.events.count()).toBe(0);
  });

  it('are not written after the engine was stopped', async () => {
    const { server, tab } = await carrying();
    const barrier = server.holdNext('listEvents');
    const reading = tab.engine.readHistories([packageId(1)]);
    await barrier.reached;
    await tab.engine.stop();
    barrier.release();
    await reading;
    expect(await history(tab)).toBeUndefined();
    expect(tab.faults).toEqual([]);
  });

  it('are read again where an overtaken answer came last', async () => {
    const { server, tab } = await carrying();
    const barrier = server.holdNext('listEvents');
    const late = tab.engine.readHistories([packageId(1)]);
    await barrier.reached;
    await enqueue(tab, { name: 'arrive', targetId: packageId(1), args: {} });
    await device.openTab(tab.db).engine.readHistories([packageId(1)]);
    barrier.release();
    await late;
    await tab.engine.readHistories([packageId(1)]);
    const [row, kept] = [await tab.db.packages.get(packageId(1)), await history(tab)];
    expect(kept?.version).toBe(row?.version);
  });
});
