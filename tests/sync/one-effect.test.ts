/**
 * Thirty known failures of outboxes. The title of a test against one starts with its number; the
 * files of these tests are listed behind it.
 *
 *  1 reply lost after the commit, resend duplicates ........ here
 *  2 tab killed in mid-request wedges the queue ............ e2e/specs/outbox
 *  3 killed after the reply, before the acknowledgement .... here
 *  4 reload drops what was in flight ....................... here
 *  5 two tabs replay the same operation .................... here, e2e/specs/outbox
 *  6 start-up replays twice ................................ e2e/specs/outbox
 *  7 focus and online events overlap ....................... here, pull
 *  8 a frozen tab keeps the leadership ..................... lease, e2e/specs/outbox
 *  9 service worker, timer and page drain at once .......... e2e/specs/outbox
 * 10 removed before the reply; a 500 counted as done ....... retries
 * 11 a cap on tries drops operations in a long outage ...... retries
 * 12 a failed send waits for the next local write .......... retries
 * 13 a token expires in mid-replay, all rolled back ........ e2e/specs/field-day
 * 14 two tabs refresh at once and sign everybody out ....... e2e/specs/outbox
 * 15 A's queue is sent as B ................................ e2e/specs/outbox
 * 16 a refused operation vanishes, the screen says synced .. refusals
 * 17 one poison operation blocks all ....................... here
 * 18 package deleted while an edit is queued ............... refusals
 * 19 two couriers accept ................................... refusals
 * 20 created offline, a temporary id is kept for ever ...... e2e/specs/outbox
 * 21 own create doubled; a deleted row comes back .......... pull, deltas
 * 22 the cursor skips a late commit ........................ deltas, server/delta
 * 23 wrong clock, same-millisecond order ................... here
 * 24 upgrade blocked by an old tab hangs for ever .......... storage, e2e/specs/storage
 * 25 quota: only `abort` fires, nothing settles ............ storage, e2e/specs/full-phone
 * 26 the database is lost in the background ................ storage, e2e/specs/storage
 * 27 `onLine` lies; a captive portal says 200 .............. e2e/specs/outbox, field-day
 * 28 truncated JSON on a 200 ............................... here, e2e/specs/outbox
 * 29 an update reloads in mid-edit or mid-replay ........... e2e/specs/update
 * 30 a proxy weakens or strips ETags ....................... client
 */
import { describe, expect, it } from 'vitest';
import { NotSavedError } from '#db/storage-fault.ts';
import { aUser } from '#tests/builders/package.ts';
import { answers, faults } from '#tests/fakes/fake-server.ts';
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
  me,
  mirrored,
  offline,
  onServer,
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

const patched = (...numbers: number[]) => numbers.map((n) => `patchPackage ${packageId(n)}`);

describe('an operation', () => {
  it('is queued under its own lane, with strict durability', async () => {
    const { tab } = await offline();
    expect(tab.db._options).toMatchObject({ chromeTransactionDurability: 'strict' });
    const { seq, id } = await tab.engine.enqueue(accept());
    const lane = `package:${packageId(1)}`;
    expect(await tab.db.outbox.get(seq)).toMatchObject({ id, state: 'waiting', lane });
  });

  it('that is invalid is not stored', async () => {
    const { tab } = await pulled();
    const bad = { ...create(7), targetId: packageId(8) };
    await expect(tab.engine.enqueue(bad)).rejects.toBeInstanceOf(TypeError);
    expect(await tab.db.outbox.count()).toBe(0);
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
    expect(server.effects).toEqual(patched(1));
    expect(server.mutations().map(({ key }) => key)).toEqual([id, id]);
    expect(await states(tab)).toEqual([]);
    expect(await mirrored(tab)).toMatchObject({ status: 'in-transit' });
  });

  it('4: when the tab is closed during the request', async () => {
    const { server, tab } = await pulled();
    const barrier = server.holdNext('patchPackage');
    await tab.engine.enqueue(accept());
    await barrier.reached;
    await tab.engine.stop();
    const next = device.openTab();
    await request(next, 'start');
    barrier.release();
    await settled();
    expect(server.effects).toEqual(patched(1));
    expect(await states(next)).toEqual([]);
    expect(await mirrored(next)).toMatchObject({ version: 2 });
  });

  it('3: when it is killed between the reply and its own acknowledgement', async () => {
    const { server, tab } = await pulled();
    tab.db.outbox.hook('deleting', () => {
      throw new Error('killed');
    });
    await enqueue(tab, accept());
    expect([server.effects.length, tab.faults.length]).toEqual([1, 1]);
    // Removing the operation and writing the row are one transaction: neither happened.
    expect(await states(tab)).toEqual(['acceptPackage waiting']);
    expect(await mirrored(tab)).toMatchObject({ status: 'pending' });
    expect(tab.events.filter(({ kind }) => kind === 'acknowledged')).toEqual([]);
    await tab.engine.stop();
    const next = device.openTab();
    await request(next, 'start');
    expect(server.effects).toHaveLength(1);
    expect(await states(next)).toEqual([]);
  });

  it('5, 7: when two tabs drain one database simultaneously', async () => {
    const { server, tab } = await offline(aServer(6));
    const other = device.openTab();
    await enqueue(tab, accept(1), accept(2), accept(3), accept(4), accept(5), accept(6));
    server.isReachable = true;
    const before = server.mutations().length;
    server.mostAtOnce = 0;
    for (const reason of ['online', 'focus', 'visible'] as const) {
      tab.engine.request(reason);
      other.engine.request(reason);
    }
    await settled();
    expect([device.locks.mostAtOnce(), server.mostAtOnce]).toEqual([1, 4]);
    expect(server.mutations().slice(before)).toHaveLength(6);
    expect(server.effects).toHaveLength(6);
    // Each tab is notified of each once, whichever sent it.
    for (const { events } of [tab, other]) {
      expect(events.filter((event) => event.kind === 'acknowledged')).toHaveLength(6);
    }
  });
});

describe('order', () => {
  it('is first in, first out for one package, one request at a time', async () => {
    const { server, tab } = await pulled();
    const barrier = server.holdNext('patchPackage');
    await tab.engine.enqueue(accept());
    await tab.engine.enqueue(deliver());
    await barrier.reached;
    expect(server.mutations()).toHaveLength(1);
    barrier.release();
    await settled();
    expect(server.mutations().map(({ body }) => body)).toEqual([
      { deliveryPersonId: me.id, deliveryStatus: 'In Transit' },
      expect.objectContaining({ type: 'delivered' }),
    ]);
  });

  it('23: does not depend on the clock', async () => {
    const { tab } = await offline();
    await tab.engine.enqueue(accept());
    device.clock.setBack(Date.parse('1999-01-01T00:00:00.000Z'));
    await enqueue(tab, deliver());
    await goOnline(tab);
    expect(onServer()?.status).toBe('delivered');
    expect(await states(tab)).toEqual([]);
  });

  it('17: does not let a failing package block the others', async () => {
    const { server, tab } = await pulled(aServer(3));
    server.fail((call) => call.targetId === packageId(1), answers('internal'), 1_000);
    await enqueue(tab, accept(1), deliver(1), accept(2), accept(3));
    expect(server.effects.sort()).toEqual(patched(2, 3));
    expect(await states(tab)).toEqual(['acceptPackage waiting internal', 'deliverPackage waiting']);
  });

  it.each([
    ['a create', create(7), 'createPackage waiting'],
    [
      'an accept, even if another operation of its package goes first',
      accept(),
      'acceptPackage waiting',
    ],
  ])('puts a profile completed offline before %s', async (_, intent, waiting) => {
    const server = aServer();
    server.users.set(me.id, aUser(me, { phoneNumber: null }));
    const { tab } = await offline(server);
    await enqueue(
      tab,
      editProfile({ phoneNumber: '+2348031234567' }),
      edit({ notes: 'A' }),
      intent,
    );
    server.isReachable = true;
    server.fail('patchUser', answers('internal'));
    await request(tab, 'online');
    expect(await states(tab)).toEqual(['editProfile waiting internal', waiting]);
    await passTime(60_000);
    expect(await states(tab)).toEqual([]);
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
    expect(await mirrored(tab)).toMatchObject({ version: 1 });
    expect(device.clock.pending()).toEqual([]);
    await expect(tab.engine.enqueue(remove())).rejects.toBeInstanceOf(NotSavedError);
  });

  it('does not wait for a lock that another tab holds', async () => {
    const { server, tab } = await pulled();
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    void device.locks.withLock(`kaya-sync-${me.id}`, () => held);
    const before = server.calls.length;
    tab.engine.request('focus');
    await tab.engine.stop();
    letGo();
    await settled();
    expect(server.calls).toHaveLength(before);
  });
});
