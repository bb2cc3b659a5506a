/** Batches of changed packages: what is applied, and what is pulled instead. */
import { describe, expect, it } from 'vitest';
import type { RowBatch } from '#api/events.ts';
import { readLastPulledAt } from '#db/queries.ts';
import { wipeMirror } from '#db/wipe.ts';
import { readWorkingArea } from '#db/working-area.ts';
import { aPackage } from '#tests/builders/package.ts';
import { EventHub, type StreamEvent } from '#tests/fakes/event-hub.ts';
import { answers, type FakeServer } from '#tests/fakes/fake-server.ts';
import {
  accept,
  aServer,
  closeDevices,
  device,
  isLaterPage,
  me,
  mirrored,
  newDevice,
  onServer,
  packageId,
  request,
  requestUntil,
  settled,
  type Tab,
  until,
} from './device.ts';

closeDevices();

const lists = ({ server }: { server: FakeServer }) =>
  server.calls.filter(({ name }) => name === 'pullPackages' || name === 'pullUsers');
const pulls = () => device.server.callsOf('pullPackages');

/** This tab's connection to a hub; events are passed on unless held. */
async function listen(tab: Tab, hub: EventHub) {
  const held: StreamEvent[] = [];
  const state = { isHolding: false, isAgain: false };
  const stream = await tab.engine.openStream(() => {
    state.isAgain = true;
    stream.close();
  });
  const hear = (event: StreamEvent) => {
    if (event.name === 'hello') stream.hello(event.at);
    else if (event.name === 'rows') stream.rows(event.batch);
  };
  const disconnect = hub.connect({
    userId: me.id,
    area: stream.area,
    onEnd: () => {},
    send: (event) => (state.isHolding ? held.push(event) : hear(event)),
  });
  return {
    stream,
    state,
    held,
    disconnect,
    /** Lets go of what was held, in order. */
    release: () => {
      state.isHolding = false;
      for (const event of held.splice(0)) hear(event);
    },
  };
}

/** A phone whose stream has begun, and the pull after hello is complete. */
async function streaming(server = aServer(3)) {
  const tab = newDevice(server).openTab();
  await request(tab, 'start');
  const hub = new EventHub(server.rows);
  const wire = await listen(tab, hub);
  await settled();
  return { server, tab, hub, wire };
}

/** Another tab works until the result is called, which then waits for this one. */
async function held() {
  let release = () => {};
  const work = new Promise<void>((resolve) => (release = resolve));
  const done = device.locks.withLock(`kaya-sync-${me.id}`, () => work);
  return async () => {
    release();
    await done;
    await settled();
  };
}

const change = (server: FakeServer, number: number, description: string) =>
  server.changePackage(packageId(number), { description });
const described = async (tab: Tab, number: number) => (await mirrored(tab, number))?.description;
const state = ({ db }: Tab) => db.lists.get('packages');

/** What a tab's mirror shows equals what the server shows. */
async function expectEqual(tab: Tab): Promise<void> {
  const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
  const rows = (await tab.db.packages.toArray()).sort(byId);
  const area = await readWorkingArea(tab.db);
  expect(rows).toEqual(device.server.rows.visiblePackages(me.id, area).sort(byId));
}

describe('a batch of the stream', () => {
  it('changes the mirror without a request, and the next pull says how far it came', async () => {
    const { server, tab, hub } = await streaming();
    const before = lists({ server }).length;
    device.clock.advance(5_000);
    change(server, 1, 'Pots');
    server.packages.delete(packageId(2));
    hub.flush();
    await settled();
    expect(await described(tab, 1)).toBe('Pots');
    await expectEqual(tab);
    expect(lists({ server })).toHaveLength(before);
    expect(await readLastPulledAt(tab.db)).toBe(new Date(device.clock.now()).toISOString());
    const batch = await state(tab);
    expect(batch?.streamed).toBe(server.rows.snapshot());
    await request(tab, 'timer');
    expect(pulls().at(-1)).toMatchObject({
      body: batch?.cursor,
      place: { streamed: batch?.streamed },
    });
    expect(server.sentRows).toEqual([]);
    // The new cursor is newer than any batch.
    await request(tab, 'timer');
    expect(pulls().at(-1)?.place?.streamed).toBeUndefined();
  });

  it('waits for the pull after hello, and those that wait become one write', async () => {
    const server = aServer(3);
    const tab = newDevice(server).openTab();
    await request(tab, 'start');
    const hub = new EventHub(server.rows);
    const barrier = server.holdNext('pullPackages');
    await listen(tab, hub);
    await barrier.reached;
    const writes: unknown[] = [];
    tab.db.lists.hook('updating', (changes) => {
      if ('streamed' in changes) writes.push(changes);
    });
    change(server, 1, 'Pots');
    hub.flush();
    change(server, 1, 'Pans');
    server.packages.delete(packageId(2));
    hub.flush();
    change(server, 3, 'Rice');
    hub.flush();
    expect(await described(tab, 1)).toBe(aPackage().description);
    barrier.release();
    await settled();
    expect(writes).toHaveLength(1);
    expect((await state(tab))?.streamed).toBe(server.rows.snapshot());
    await expectEqual(tab);
  });

  it('is dropped where it is older than the mirror, a removal as well', async () => {
    const { server, tab, hub, wire } = await streaming();
    wire.state.isHolding = true;
    change(server, 1, 'Pots');
    hub.flush();
    change(server, 1, 'Pans');
    await request(tab, 'timer');
    wire.release();
    await settled();
    expect(await described(tab, 1)).toBe('Pans');
    const { version = 0 } = (await mirrored(tab, 1)) ?? {};
    const { at, to } = { at: (await state(tab))?.streamed ?? '', to: server.rows.snapshot() };
    const removal = (older: number): RowBatch => ({
      from: at,
      to,
      rows: [],
      length: 0,
      removals: [{ id: packageId(1), version: version - older }],
    });
    wire.stream.rows(removal(1));
    await settled();
    expect(await described(tab, 1)).toBe('Pans');
    wire.stream.rows({ ...removal(0), from: to });
    await settled();
    expect(await mirrored(tab, 1)).toBeUndefined();
  });

  it('that follows another says last what counts, at the same version too', async () => {
    const { tab, wire } = await streaming();
    const row = await mirrored(tab, 1);
    const { version = 0, id = '' } = row ?? {};
    const at = (await state(tab))?.streamed ?? device.server.rows.snapshot();
    const release = await held();
    const none = { rows: [], removals: [], length: 0 };
    wire.stream.rows({ ...none, from: at, to: 'a', removals: [{ id, version }] });
    wire.stream.rows({ ...none, from: 'a', to: 'b', rows: row ? [row] : [] });
    await release();
    expect(await mirrored(tab, 1)).toEqual(row);
    const again = await held();
    wire.stream.rows({ ...none, from: 'b', to: 'c', rows: row ? [row] : [] });
    wire.stream.rows({ ...none, from: 'c', to: 'd', removals: [{ id, version }] });
    await again();
    expect(await mirrored(tab, 1)).toBeUndefined();
  });

  it('waits while another tab works, and no user is pulled for it', async () => {
    const { server, tab, hub } = await streaming();
    const release = await held();
    change(server, 1, 'Pots');
    hub.flush();
    await until(async () => device.clock.pending().length > 0);
    expect(await described(tab, 1)).toBe(aPackage().description);
    await release();
    expect(await described(tab, 1)).toBe('Pots');
    expect(server.callsOf('pullUsers')).toHaveLength(2);
  });
});

describe('a doubt is a pull', () => {
  it('when a batch was lost, and the following ones are applied again', async () => {
    const { server, tab, hub, wire } = await streaming();
    wire.state.isHolding = true;
    change(server, 1, 'Pots');
    hub.flush();
    wire.held.length = 0;
    wire.state.isHolding = false;
    change(server, 2, 'Pans');
    const before = pulls().length;
    hub.flush();
    await settled();
    await expectEqual(tab);
    expect(pulls()).toHaveLength(before + 1);
    change(server, 3, 'Rice');
    hub.flush();
    await settled();
    await expectEqual(tab);
    expect(pulls()).toHaveLength(before + 1);
  });

  it('when one cannot be read', async () => {
    const { server, tab, hub, wire } = await streaming();
    change(server, 1, 'Pots');
    wire.state.isHolding = true;
    hub.flush();
    wire.held.length = 0;
    wire.stream.unreadable();
    await settled();
    await expectEqual(tab);
  });

  it('when more wait than a pull costs', async () => {
    const server = aServer(1);
    const tab = newDevice(server).openTab();
    await request(tab, 'start');
    const hub = new EventHub(server.rows);
    const barrier = server.holdNext('pullPackages');
    await listen(tab, hub);
    await barrier.reached;
    for (let number = 0; number <= 200; number += 1) {
      change(server, 1, `Pots ${number}`);
      hub.flush();
    }
    const before = pulls().length;
    barrier.release();
    await settled();
    expect(pulls()).toHaveLength(before + 1);
    await expectEqual(tab);
    expect((await state(tab))?.streamed).toBeUndefined();
  });

  it('when another tab has pulled: one, and the batch follows it', async () => {
    const { server, tab, hub, wire } = await streaming();
    const other = device.openTab();
    wire.state.isHolding = true;
    change(server, 1, 'Pots');
    hub.flush();
    await request(other, 'focus');
    const before = pulls().length;
    wire.release();
    await settled();
    expect(pulls()).toHaveLength(before + 1);
    await expectEqual(tab);
    expect((await state(tab))?.streamed).toBe(server.rows.snapshot());
  });

  it('when the mirror was emptied', async () => {
    const { server, tab, hub } = await streaming();
    await wipeMirror(tab.db);
    change(server, 1, 'Pots');
    hub.flush();
    await settled();
    await expectEqual(tab);
  });

  it('when storage fails during the write', async () => {
    const { server, tab, hub } = await streaming();
    let failures = 0;
    tab.db.lists.hook('updating', (changes) => {
      if (!('streamed' in changes) || failures > 0) return;
      failures += 1;
      throw new DOMException('', 'QuotaExceededError');
    });
    change(server, 1, 'Pots');
    hub.flush();
    await settled();
    expect(failures).toBe(1);
    await expectEqual(tab);
    expect(tab.faults).toEqual([]);
  });
});

describe('a pull counts for the stream', () => {
  it('only if its series began after hello', async () => {
    const server = aServer(3);
    server.rows.pageSize.packages = 1;
    const tab = newDevice(server).openTab();
    // The series' first page is of now; the change comes before the stream, and after that page.
    const barrier = await requestUntil(tab, 'start', isLaterPage);
    change(server, 1, 'Pots');
    const hub = new EventHub(server.rows);
    await listen(tab, hub);
    barrier.release();
    change(server, 2, 'Pans');
    hub.flush();
    await settled();
    await expectEqual(tab);
  });

  it('not if it ends what an earlier tab began', async () => {
    const server = aServer(3);
    const first = newDevice(server).openTab();
    await request(first, 'start');
    server.rows.pageSize.packages = 1;
    for (const number of [1, 2, 3]) change(server, number, 'Pots');
    const begun = (await state(first))?.cursor;
    await requestUntil(
      first,
      'focus',
      ({ name, body }) => name === 'pullPackages' && body !== begun,
    );
    first.kill();
    // After the series' first page, which was of this row, and before the stream.
    change(server, 1, 'Rice');
    const second = device.openTab();
    const hub = new EventHub(server.rows);
    await listen(second, hub);
    change(server, 2, 'Pans');
    hub.flush();
    await settled();
    await expectEqual(second);
  });

  it('not if the connection was replaced during it', async () => {
    const { server, tab, hub, wire } = await streaming();
    const barrier = await requestUntil(tab, 'timer', 'pullPackages');
    wire.disconnect();
    wire.stream.close();
    const again = await listen(tab, hub);
    barrier.release();
    await settled();
    change(server, 1, 'Pots');
    hub.flush();
    await settled();
    await expectEqual(tab);
    expect(again.state.isAgain).toBe(false);
  });

  it('not after another full list, of another role, area or epoch: it connects again', async () => {
    const { server, tab, hub, wire } = await streaming();
    wire.state.isHolding = true;
    change(server, 1, 'Pots');
    hub.flush();
    server.rows.forgetCursors();
    await request(tab, 'timer');
    expect(wire.state.isAgain).toBe(true);
    wire.release();
    await settled();
    expect((await state(tab))?.streamed).toBeUndefined();
    await expectEqual(tab);
  });
});

describe('a working area', () => {
  const kano = { lat: 12, lng: 8.52, km: 10 };
  const withPins = () => {
    const server = aServer(1);
    const pins = { 2: { lat: 12.01, lng: 8.5 }, 3: { lat: 9.06, lng: 7.4 } };
    for (const [number, pickupLocation] of Object.entries(pins)) {
      const id = packageId(Number(number));
      server.packages.set(id, aPackage({ id, packageId: `KY-00000${number}`, pickupLocation }));
    }
    server.users.set(me.id, { ...server.users.get(me.id), roles: ['Employee'] } as never);
    return server;
  };

  it('limits list and stream to what is inside or has no pin, and outlives an emptied mirror', async () => {
    const { server, tab, wire } = await streaming(withPins());
    expect(await tab.db.packages.count()).toBe(3);
    await tab.engine.setWorkingArea(kano);
    await settled();
    expect(wire.state.isAgain).toBe(true);
    expect((await tab.db.packages.toCollection().primaryKeys()).sort()).toEqual(
      [1, 2].map(packageId),
    );
    const again = await listen(tab, new EventHub(server.rows));
    expect(again.stream.area).toEqual(kano);
    await wipeMirror(tab.db);
    await request(tab, 'timer');
    expect(await readWorkingArea(tab.db)).toEqual(kano);
    await expectEqual(tab);
    await tab.engine.setWorkingArea(null);
    await settled();
    expect(await tab.db.packages.count()).toBe(3);
  });

  it('chosen in another tab, ends what this tab still hears from elsewhere', async () => {
    const { server, tab, hub, wire } = await streaming(withPins());
    const other = device.openTab();
    await other.engine.setWorkingArea(kano);
    await settled();
    change(server, 3, 'Pots');
    hub.flush();
    await settled();
    expect(wire.state.isAgain).toBe(true);
    expect(await mirrored(tab, 3)).toBeUndefined();
    await expectEqual(tab);
  });

  it('loses an offer elsewhere that only a response brought, of which the stream says nothing', async () => {
    const { server, tab, hub } = await streaming(withPins());
    await tab.engine.setWorkingArea(kano);
    await settled();
    await listen(tab, hub);
    const current = server.packages.get(packageId(3));
    server.fail('patchPackage', { ...answers('conflict'), ...(current && { current }) });
    await tab.engine.enqueue(accept(3));
    await settled();
    await expectEqual(tab);
  });

  it('keeps an offer elsewhere that was opened, as each pull finds it', async () => {
    const { server, tab } = await streaming(withPins());
    await tab.engine.setWorkingArea(kano);
    await settled();
    expect(await tab.engine.seek(packageId(3))).toBeNull();
    await request(tab, 'timer');
    expect(await mirrored(tab, 3)).toBeDefined();
    expect(device.server.callsOf('getPackage')).toHaveLength(2);
    // Taken by another, as a stream of this area does not tell.
    server.packages.delete(packageId(3));
    await tab.db.lists.update('packages', { streamed: server.rows.snapshot() });
    await request(tab, 'timer');
    expect(await mirrored(tab, 3)).toBeUndefined();
    await request(tab, 'timer');
    expect(device.server.callsOf('getPackage')).toHaveLength(3);
    await expectEqual(tab);
  });

  it('chosen and taken back before a pull, is not taken for what the mirror has', async () => {
    const { server, tab, hub } = await streaming(withPins());
    server.isReachable = false;
    await tab.engine.setWorkingArea(kano);
    const wire = await listen(tab, hub);
    await tab.engine.setWorkingArea(null);
    server.isReachable = true;
    await request(tab, 'online');
    expect(wire.state.isAgain).toBe(true);
    change(server, 3, 'Pots');
    hub.flush();
    await settled();
    expect(onServer(3)?.description).toBe('Pots');
    expect((await mirrored(tab, 3))?.description).toBe(aPackage().description);
    await request(tab, 'timer');
    await expectEqual(tab);
  });
});
