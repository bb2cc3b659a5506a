/**
 * Thirty known failures of outboxes. The title of a test against one starts with its number; the
 * files of these tests are listed behind it.
 *
 *  1 reply lost after the commit, resend duplicates ........ here
 *  2 tab killed in mid-request wedges the queue ............ e2e/specs/outbox-tabs
 *  3 killed after the reply, before the acknowledgement .... here
 *  4 reload drops what was in flight ....................... here
 *  5 two tabs replay the same operation .................... here, e2e/specs/outbox-tabs
 *  6 start-up replays twice ................................ e2e/specs/outbox-tabs
 *  7 focus and online events overlap ....................... here, pull
 *  8 a frozen tab keeps the leadership ..................... lease, e2e/specs/outbox-tabs
 *  9 service worker, timer and page drain at once .......... e2e/specs/outbox-tabs
 * 10 removed before the reply; a 500 counted as done ....... retries
 * 11 a cap on tries drops operations in a long outage ...... retries
 * 12 a failed send waits for the next local write .......... retries
 * 13 a token expires in mid-replay, all rolled back ........ e2e/specs/outbox-network
 * 14 two tabs refresh at once and sign everybody out ....... e2e/specs/outbox-network
 * 15 A's queue is sent as B ................................ e2e/specs/outbox-network
 * 16 a refused operation vanishes, the screen says synced .. refusals
 * 17 one poison operation blocks all ....................... order
 * 18 package deleted while an edit is queued ............... refusals
 * 19 two couriers accept ................................... refusals
 * 20 created offline, a temporary id is kept for ever ...... e2e/specs/outbox-network
 * 21 own create doubled; a deleted row comes back .......... pull, late-answers
 * 22 the cursor skips a late commit ........................ deltas, server/delta-overlap
 * 23 wrong clock, same-millisecond order ................... order
 * 24 upgrade blocked by an old tab hangs for ever .......... storage, e2e/specs/storage
 * 25 quota: only `abort` fires, nothing settles ............ storage, e2e/specs/storage
 * 26 the database is lost in the background ................ lost-connection, e2e/specs/storage
 * 27 `onLine` lies; a captive portal says 200 .............. e2e/specs/outbox-network
 * 28 truncated JSON on a 200 ............................... here, e2e/specs/outbox-network
 * 29 an update reloads in mid-edit or mid-replay ........... e2e/specs/storage
 * 30 a proxy weakens or strips ETags ....................... client
 */
import { describe, expect, it } from 'vitest';
import { NotSavedError } from '#db/failure.ts';
import { answers, faults } from '#tests/fakes/fake-server.ts';
import {
  accept,
  aServer,
  closeDevices,
  create,
  device,
  enqueue,
  me,
  offline,
  packageId,
  passTime,
  pulled,
  remove,
  request,
  settled,
  states,
  until,
} from './device.ts';

closeDevices();

describe('an operation is durable before it is confirmed', () => {
  it('is in the outbox with a number and an id when enqueue resolves', async () => {
    const { tab } = await offline();
    const operation = await tab.engine.enqueue(accept());
    const row = await tab.db.outbox.get(operation.seq);
    expect(row).toMatchObject({
      id: operation.id,
      name: 'acceptPackage',
      state: 'waiting',
      lane: `package:${packageId(1)}`,
    });
  });

  it('rejects with NotSavedError if the write fails, and nothing is queued or sent', async () => {
    const { server, tab } = await pulled();
    tab.db.outbox.hook('creating', () => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    await expect(tab.engine.enqueue(accept())).rejects.toBeInstanceOf(NotSavedError);
    await settled();
    expect(await tab.db.outbox.count()).toBe(0);
    expect(server.mutations()).toEqual([]);
  });

  it('refuses to store an invalid operation', async () => {
    const { tab } = await pulled();
    const bad = { ...create(7), targetId: packageId(8) };
    await expect(tab.engine.enqueue(bad)).rejects.toBeInstanceOf(TypeError);
    expect(await tab.db.outbox.count()).toBe(0);
  });

  it('requests strict durability from the database', async () => {
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
  ])('1: when %s', async (_, fault) => {
    const { server, tab } = await pulled();
    server.fail('patchPackage', fault);
    const { id } = await enqueue(tab, accept());
    await passTime(60_000);
    expect(server.effects).toEqual([`patchPackage ${packageId(1)}`]);
    const tries = server.calls.filter((call) => call.name === 'patchPackage');
    expect(tries.map((call) => call.key)).toEqual([id, id]);
    expect(await tab.db.outbox.count()).toBe(0);
    expect(await tab.db.packages.get(packageId(1))).toMatchObject({ status: 'in-transit' });
  });

  it('4: when the tab is killed during the request', async () => {
    const { server, tab } = await pulled();
    const barrier = server.holdNext('patchPackage');
    await tab.engine.enqueue(accept());
    await barrier.reached;
    await tab.engine.stop();
    const next = device.openTab();
    await request(next, 'start');
    barrier.release();
    await settled();
    expect(server.effects).toEqual([`patchPackage ${packageId(1)}`]);
    expect(await next.db.outbox.count()).toBe(0);
    expect(await next.db.packages.get(packageId(1))).toMatchObject({ version: 2 });
  });

  it('3: when it is killed between the reply and its own acknowledgement', async () => {
    const { server, tab } = await pulled();
    tab.db.outbox.hook('deleting', () => {
      throw new Error('killed');
    });
    await enqueue(tab, accept());
    expect(server.effects).toHaveLength(1);
    expect(tab.faults).toHaveLength(1);
    // Removing the operation and writing the row are one transaction: neither happened.
    expect(await states(tab)).toEqual(['acceptPackage waiting']);
    expect(await tab.db.packages.get(packageId(1))).toMatchObject({ status: 'pending' });
    expect(tab.events.filter(({ kind }) => kind === 'acknowledged')).toEqual([]);
    await tab.engine.stop();

    const next = device.openTab();
    await request(next, 'start');
    expect(server.effects).toHaveLength(1);
    expect(await next.db.outbox.count()).toBe(0);
  });

  it('5, 7: when two tabs drain one database simultaneously', async () => {
    const { server, tab } = await pulled(aServer(6));
    const other = device.openTab();
    server.isReachable = false;
    for (let number = 1; number <= 6; number += 1) await tab.engine.enqueue(accept(number));
    await settled();
    server.isReachable = true;
    const before = server.mutations().length;
    for (const reason of ['online', 'focus', 'visible'] as const) {
      tab.engine.request(reason);
      other.engine.request(reason);
    }
    await settled();
    expect(device.locks.mostAtOnce()).toBe(1);
    expect(server.mutations().slice(before)).toHaveLength(6);
    expect(server.effects).toHaveLength(6);
    expect(await tab.db.outbox.count()).toBe(0);
    // Each tab is notified of each once, whichever sent it.
    for (const { events } of [tab, other]) {
      expect(events.filter((event) => event.kind === 'acknowledged')).toHaveLength(6);
    }
  });
});

describe('stopping', () => {
  it('aborts a hanging request immediately and writes nothing afterwards', async () => {
    const { server, tab } = await pulled();
    const barrier = server.holdNext('patchPackage');
    await tab.engine.enqueue(accept());
    await barrier.reached;
    await tab.engine.stop();
    expect(device.locks.held()).toEqual([]);
    barrier.release();
    await until(() => server.effects.length === 1);
    await settled();
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
    await settled();
    expect(server.calls).toHaveLength(before);
  });
});
