import { afterEach, describe, expect, it } from 'vitest';
import { NotSavedError } from '#db/failure.ts';
import { answers, faults } from '#tests/fakes/fake-server.ts';
import {
  accept,
  aPulledDevice,
  aServer,
  create,
  type Device,
  me,
  packageId,
  remove,
  settled,
  states,
  until,
} from './device.ts';

let device: Device;
afterEach(() => device.close());

async function pulled(server = aServer()) {
  const all = await aPulledDevice(server);
  device = all.device;
  return all;
}

describe('an action is durable before it is confirmed', () => {
  it('is in the outbox, numbered and with its own id, when enqueue resolves', async () => {
    const { server, tab } = await pulled();
    server.isReachable = false;
    const operation = await tab.engine.enqueue(accept());
    const row = await tab.db.outbox.get(operation.seq);
    expect(row).toMatchObject({
      id: operation.id,
      name: 'acceptPackage',
      state: 'waiting',
      lane: `package:${packageId(1)}`,
    });
  });

  it('rejects with NotSavedError where the write fails, and nothing is queued or sent', async () => {
    const { server, tab } = await pulled();
    tab.db.outbox.hook('creating', () => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    await expect(tab.engine.enqueue(accept())).rejects.toBeInstanceOf(NotSavedError);
    await settled(device);
    expect(await tab.db.outbox.count()).toBe(0);
    expect(server.mutations()).toEqual([]);
  });

  it('refuses to store what is no intent', async () => {
    const { tab } = await pulled();
    const bad = { ...create(7), targetId: packageId(8) };
    await expect(tab.engine.enqueue(bad)).rejects.toBeInstanceOf(TypeError);
    expect(await tab.db.outbox.count()).toBe(0);
  });

  it('asks the database for strict durability', async () => {
    const { tab } = await pulled();
    expect(tab.db._options).toMatchObject({ chromeTransactionDurability: 'strict' });
  });
});

describe('one effect per intent', () => {
  it.each([
    ['the request is lost', faults.droppedBefore],
    ['the reply is lost after the commit', faults.droppedAfter],
    ['the reply comes too late', faults.timedOutAfter],
    ['the reply is cut in half', faults.truncated],
    ['a captive portal answers 200 with HTML', faults.html],
    ['the first try is still being worked on', answers('in_progress')],
  ])('when %s', async (_, fault) => {
    const { server, tab } = await pulled();
    server.fail('patchPackage', fault);
    const { id } = await tab.engine.enqueue(accept());
    await settled(device);
    device.clock.advance(60_000);
    await settled(device);
    expect(server.effects).toEqual([`patchPackage ${packageId(1)}`]);
    const tries = server.calls.filter((call) => call.name === 'patchPackage');
    expect(tries.map((call) => call.key)).toEqual([id, id]);
    expect(await tab.db.outbox.count()).toBe(0);
    expect(await tab.db.packages.get(packageId(1))).toMatchObject({ status: 'in-transit' });
  });

  it('when the tab is killed in the middle of the request', async () => {
    const { server, tab } = await pulled();
    const barrier = server.holdNext('patchPackage');
    await tab.engine.enqueue(accept());
    await barrier.reached;
    await tab.engine.stop();
    const next = device.openTab();
    next.engine.request('start');
    await settled(device);
    barrier.release();
    await settled(device);
    expect(server.effects).toEqual([`patchPackage ${packageId(1)}`]);
    expect(await next.db.outbox.count()).toBe(0);
    expect(await next.db.packages.get(packageId(1))).toMatchObject({ version: 2 });
  });

  it('when it is killed between the reply and its own acknowledgement', async () => {
    const { server, tab } = await pulled();
    tab.db.outbox.hook('deleting', () => {
      throw new Error('killed');
    });
    await tab.engine.enqueue(accept());
    await settled(device);
    expect(server.effects).toHaveLength(1);
    expect(tab.faults).toHaveLength(1);
    // Row in and operation out are one transaction: neither happened.
    expect(await states(tab)).toEqual(['acceptPackage waiting']);
    expect(await tab.db.packages.get(packageId(1))).toMatchObject({ status: 'pending' });
    await tab.engine.stop();

    const next = device.openTab();
    next.engine.request('start');
    await settled(device);
    expect(server.effects).toHaveLength(1);
    expect(await next.db.outbox.count()).toBe(0);
  });

  it('when two tabs drain one database at the same instant', async () => {
    const { server, tab } = await pulled(aServer(6));
    const other = device.openTab();
    server.isReachable = false;
    for (let number = 1; number <= 6; number += 1) await tab.engine.enqueue(accept(number));
    await settled(device);
    server.isReachable = true;
    const before = server.mutations().length;
    for (const reason of ['online', 'focus', 'visible'] as const) {
      tab.engine.request(reason);
      other.engine.request(reason);
    }
    await settled(device);
    expect(device.locks.mostAtOnce()).toBe(1);
    expect(server.mutations().slice(before)).toHaveLength(6);
    expect(server.effects).toHaveLength(6);
    expect(await tab.db.outbox.count()).toBe(0);
    // Each tab hears of each once, whichever sent.
    for (const { events } of [tab, other]) {
      expect(events.filter((event) => event.kind === 'acknowledged')).toHaveLength(6);
    }
  });
});

describe('stopping', () => {
  it('lets go of a hanging request at once and writes nothing afterwards', async () => {
    const { server, tab } = await pulled();
    const barrier = server.holdNext('patchPackage');
    await tab.engine.enqueue(accept());
    await barrier.reached;
    await tab.engine.stop();
    expect(device.locks.held()).toEqual([]);
    barrier.release();
    await until(() => server.effects.length === 1);
    await settled(device);
    expect(await states(tab)).toEqual(['acceptPackage waiting']);
    expect(await tab.db.packages.get(packageId(1))).toMatchObject({ version: 1 });
    expect(device.clock.pending()).toEqual([]);
    await expect(tab.engine.enqueue(remove())).rejects.toBeInstanceOf(NotSavedError);
  });

  it('does not wait for a lock that another tab holds', async () => {
    const { server, tab } = await pulled();
    let letGo = () => {};
    void device.locks.withLock(
      `kaya-sync-${me.id}`,
      () =>
        new Promise<void>((resolve) => {
          letGo = resolve;
        }),
    );
    const before = server.calls.length;
    tab.engine.request('focus');
    await tab.engine.stop();
    letGo();
    await settled(device);
    expect(server.calls).toHaveLength(before);
  });
});
