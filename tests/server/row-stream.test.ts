/**
 * Streams that carry rows: a reader that pulls once and then applies batches has what a full list
 * shows, whatever happens, and gets nothing else.
 */
import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Database, selectScalar } from '#server/database/database.ts';
import { createFeed, mostRows, type RowStream } from '#server/modules/events/feed.ts';
import { streamsPerUser } from '#server/modules/events/hub.ts';
import { readNotification } from '#server/modules/events/notification.ts';
import { renewEpoch } from '#server/modules/sync/epoch.ts';
import type { TcpProxy } from '#tests/fakes/tcp-proxy.ts';
import { rounds } from '#tests/size.ts';
import { barrier } from './barrier.ts';
import { startPostgresProxy, testDatabase } from './databases.ts';
import { actors, historyOf, usual } from './histories.ts';
import { batchesOf, eventsOf, RowDevice } from './row-device.ts';
import { closeSseClients, listenAs, listenOn } from './sse-client.ts';
import { acceptance, fileStage, type Person, profile, rejection, type Stage } from './stage.ts';

let proxy: TcpProxy | undefined;
// After the stage: its connections go through the proxy.
afterAll(() => proxy?.close());
const stage = fileStage();
closeSseClients();

const kano = { lat: 12, lng: 8.59 };
const lagos = { lat: 6.52, lng: 3.38 };
const nearKano = '12,8.59,10';

let base = '';
let second: Stage;
let elsewhere = '';
let admin: Person;
beforeAll(async () => {
  base = await listenOn(stage().app);
  second = await stage().another();
  elsewhere = await listenOn(second.app);
  admin = await stage().admin();
});

/** Resolves when the device's mirror is what a full list shows; fails with the difference. */
async function expectSame(device: RowDevice): Promise<void> {
  await vi.waitFor(
    async () => {
      await device.settle();
      expect(device.mirror).toEqual(await device.expected());
    },
    { timeout: 8_000, interval: 100 },
  );
}

const kinds = [...usual, 'else'] as const;
const moreKinds = [...kinds, 'role', 'role', 'vehicle', 'balance', 'epoch'] as const;

/** Users of every role, devices of theirs on two servers, and what may happen to them. */
async function scene(heedsChange: boolean) {
  const people = await stage().people('Customer', 'Customer', 'Employee', 'Employee', 'Employee');
  const [one, , , next] = people;
  const all = [admin, ...people].map((who) => new RowDevice(stage(), who, { heedsChange }));
  const devices = [
    ...all,
    new RowDevice(stage(), next, { heedsChange, area: nearKano }),
    new RowDevice(stage(), one, { heedsChange, area: nearKano }),
  ];
  for (const [nth, device] of devices.entries()) await device.open(nth % 2 ? elsewhere : base);
  const pause = () => new Promise((resolve) => setTimeout(resolve, 150));
  const act = actors([second, stage()], admin, people, pause);
  return { devices, act };
}

describe('a reader that pulls after hello and then applies batches', () => {
  it('has what a full list shows, without another pull, after any changes of packages and people', async () => {
    const { devices, act } = await scene(false);
    await fc.assert(
      fc.asyncProperty(historyOf(kinds), async (steps) => {
        for (const step of steps) await act(step);
        for (const device of devices) await expectSame(device);
      }),
      { numRuns: rounds(4, 20), endOnFailure: true },
    );
    expect(devices.map(({ pulls, gaps }) => [pulls, gaps])).toEqual(devices.map(() => [1, 0]));
  }, 180_000);

  it('has it after changes of roles and of the epoch too, if it pulls in doubt', async () => {
    const { devices, act } = await scene(true);
    const reopen = async (device: RowDevice, nth: number) => {
      if (device.stream.hasEnded) await device.reopen(nth % 2 ? elsewhere : base);
    };
    await fc.assert(
      fc.asyncProperty(historyOf(moreKinds), async (steps) => {
        for (const step of steps) {
          await act(step);
          await Promise.all(devices.map((device) => device.settle()));
        }
        for (const [nth, device] of devices.entries()) {
          await vi.waitFor(
            async () => {
              await reopen(device, nth);
              await device.settle();
              expect(device.mirror).toEqual(await device.expected());
            },
            { timeout: 8_000, interval: 100 },
          );
        }
      }),
      { numRuns: rounds(4, 20), endOnFailure: true },
    );
  }, 180_000);
});

type Outcome = 'row' | 'gone' | '-';

describe('a batch', () => {
  it('has for each reader what their list shows, what left it, and nothing else', async () => {
    const [sender, stranger, courier, next, other, near] = await stage().people(
      'Customer',
      'Customer',
      'Employee',
      'Employee',
      'Employee',
      'Employee',
    );
    const readers = { admin, sender, stranger, courier, next, other, near };
    const names = Object.keys(readers) as (keyof typeof readers)[];
    const open = (who: Person, query = '') => listenAs(who, base, `?rows=1${query}`);
    const streams = await Promise.all(
      names.map((name) => open(readers[name], name === 'near' ? `&area=${nearKano}` : '')),
    );
    const [ofAdmin] = streams;
    if (!ofAdmin) throw new Error('Nobody listens.');

    let id = '';
    const create = async () => {
      id = (await stage().created(sender, { pickupLocation: lagos }))._id;
    };
    const edit = (body: object) => () => stage().patch(admin, id, body);
    const phone = (who: Person, end: number) => () =>
      stage().send(who, 'PATCH', '/api/users', {
        body: { ...profile, id: who.id, phoneNumber: `0803 000 ${end}` },
      });
    // admin, sender, stranger, courier, next, other, near
    const table: [string, () => Promise<unknown>, string][] = [
      ['created, outside an area', create, 'row row - row row row -'],
      ['edited there', edit({ notes: 'Fragile' }), 'row row - row row row -'],
      ['accepted there', () => stage().accept(courier, id), 'row row - row gone gone -'],
      ['rejected there', edit(rejection), 'row row - row row row -'],
      ['moved into it', edit({ pickupLocation: kano }), 'row row - row row row row'],
      ["the sender's phone", phone(sender, 1001), 'row row - row row row row'],
      ['accepted', () => stage().accept(courier, id), 'row row - row gone gone gone'],
      ['edited on its way', edit({ notes: 'Red' }), 'row row - row - - -'],
      ["the courier's phone", phone(courier, 1002), 'row row - row - - -'],
      ['reassigned', edit(acceptance(next)), 'row row - gone row - -'],
      ['rejected', edit(rejection), 'row row - row row row row'],
      ['moved out', edit({ pickupLocation: lagos }), 'row row - row row row gone'],
      ['assigned', edit(acceptance(near)), 'row row - gone gone gone row'],
      ['delivered', edit({ deliveryStatus: 'Delivered' }), 'row row - - - - row'],
      ['reopened', edit({ deliveryStatus: 'Pending' }), 'row row - row row row gone'],
      ['cancelled', edit({ deliveryStatus: 'Cancelled' }), 'row row - gone gone gone -'],
      ['edited after', edit({ notes: 'Blue' }), 'row row - - - - -'],
      [
        'deleted',
        () => stage().send(admin, 'DELETE', `/api/packages/${id}`),
        'gone gone - - - - -',
      ],
    ];
    const lists: Map<string, unknown>[] = [];
    for (const [what, change] of table) {
      const had = batchesOf(ofAdmin.text).length;
      await change();
      await ofAdmin.until(() => batchesOf(ofAdmin.text).length > had);
      expect([what, batchesOf(ofAdmin.text).length - had]).toEqual([what, 1]);
      const shown = new Map<string, unknown>();
      for (const name of names) {
        const area = name === 'near' ? `?area=${nearKano}` : '';
        const { body } = await stage().send<{ _id: string }[]>(
          readers[name],
          'GET',
          `/api/packages${area}`,
        );
        shown.set(name, body.find(({ _id }) => _id === id) ?? 'gone');
      }
      lists.push(shown);
    }
    // Everyone hears of these two, after the rest.
    const markers = [await stage().created(sender), await stage().created(stranger)];
    const isMarker = ({ _id }: { _id: string }) => markers.some((marker) => marker._id === _id);
    for (const [nth, stream] of streams.entries()) {
      const name = names[nth] ?? 'admin';
      const rows = () => batchesOf(stream.text).flatMap(({ packages }) => packages);
      const awaited = name === 'sender' || name === 'stranger' ? 1 : 2;
      await stream.until(() => rows().filter(isMarker).length === awaited);
      const got = rows().filter((row) => !isMarker(row));
      const expected = table.flatMap(([what, , outcomes], at) => {
        const outcome = outcomes.split(' ')[nth] as Outcome;
        if (outcome === '-') return [];
        const row = lists[at]?.get(name);
        if (outcome === 'row') return [{ what, row }];
        expect([what, name, row]).toEqual([what, name, 'gone']);
        return [{ what, row: { _id: id, removed: true, version: expect.any(Number) } }];
      });
      expect([name, ...got]).toEqual([name, ...expected.map(({ row }) => row)]);
      const events = eventsOf(stream.text).map((event) => event.name);
      expect(events[0]).toBe('hello');
      const chain = batchesOf(stream.text);
      expect(chain.slice(1).map(({ from }) => from)).toEqual(
        chain.slice(0, -1).map(({ to }) => to),
      );
    }
  });

  it('is the same bytes for all who see the same, from one reading', async () => {
    const token = 'a-token-that-only-the-scraper-has';
    const server = await stage().another({ environment: { METRICS_TOKEN: token } });
    const at = await listenOn(server.app);
    const reads = async () => {
      const headers = { authorization: `Bearer ${token}` };
      const { text } = await server.send(null, 'GET', '/metrics', { headers });
      return Number(/^kaya_event_stream_sent_total\{what="reads"\} (\d+)$/m.exec(text)?.[1]);
    };
    const [sender, ...couriers] = await stage().people('Customer', ...Array(5).fill('Employee'));
    const streams = await Promise.all(couriers.map((who) => listenAs(who, at, '?rows=1')));
    // What their sign-ups announced is read by then.
    const marker = await server.created(sender);
    await Promise.all(streams.map((one) => one.until(() => one.text.includes(marker._id))));
    const before = await reads();
    const ofBatch = (text: string) => text.slice(text.lastIndexOf('event: rows'));
    const first = await server.created(sender);
    await Promise.all(streams.map((one) => one.until(() => one.text.includes(first._id))));
    expect(new Set(streams.map(({ text }) => ofBatch(text))).size).toBe(1);
    expect((await reads()) - before).toBe(1);
    for (const stream of streams) stream.close();
    await vi.waitFor(async () => {
      const idle = await reads();
      await server.created(sender);
      const watch = await listenAs(sender, at);
      await server.created(sender);
      await watch.until(() => watch.events > 0);
      watch.close();
      expect(await reads()).toBe(idle);
    });
  });
});

it('a stream that ends the only other one goes on from where it begins', async () => {
  const server = await stage().another();
  const at = await listenOn(server.app);
  const [person] = await stage().people('Customer');
  const oldest = await listenAs(person, at, '?rows=1');
  for (let nth = 1; nth < streamsPerUser; nth += 1) await listenAs(person, at);
  const device = await new RowDevice(stage(), person).open(at);
  await oldest.until(() => oldest.hasEnded);
  await server.created(person);
  await device.stream.until(() => batchesOf(device.stream.text).length > 0);
  await expectSame(device);
  expect([device.pulls, device.gaps]).toEqual([1, 0]);
});

describe('in doubt', () => {
  const arrival = (stream: { text: string }, id: string) => () =>
    batchesOf(stream.text).some(({ packages }) => packages.some(({ _id }) => _id === id));
  const changes = (stream: { text: string }) =>
    eventsOf(stream.text).filter(({ name }) => name === 'change').length;
  const notify = (payload: object) =>
    stage().db.execute(sql`select pg_notify('kaya_changes', ${JSON.stringify(payload)}::text)`);

  it('a change of more rows than a batch has is a pull, and the chain begins anew behind it', async () => {
    const sender = await stage().person('Customer');
    const { _id } = await stage().created(sender);
    const device = await new RowDevice(stage(), sender, { heedsChange: true }).open(base);
    const stream = await listenAs(sender, base, '?rows=1');
    const before = await stage().created(sender);
    await stream.until(arrival(stream, before._id));
    // The sign-up may have been announced as a change of its own.
    const heard = changes(stream);
    await stage().db.execute(sql`
      insert into packages (id, sender_id, recipient_name, recipient_phone, description, pickup_address,
        delivery_address, pickup_date, price_kobo, payment_method, status, created_at, updated_at)
      select gen_random_uuid(), ${sender.id}, 'Musa', '08057654321', 'Cloth', 'Here', 'There', now(), 1000,
        'cash', 'cancelled', now(), now() from generate_series(1, ${mostRows + 1}::int)`);
    await stream.until(() => changes(stream) > heard);
    await stage().patch(sender, _id, { notes: 'After' });
    await stream.until(arrival(stream, _id));
    const [first, last] = batchesOf(stream.text);
    expect(last?.from).not.toBe(first?.to);
    expect(last?.packages).toHaveLength(1);
    await expectSame(device);
    expect(device.gaps).toBe(1);
  });

  it('a notification that names no row, as that of a wallet, is a pull for those it names', async () => {
    const [sender, courier] = await stage().people('Customer', 'Employee');
    const [ofSender, ofCourier] = [
      await listenAs(sender, base, '?rows=1'),
      await listenAs(courier, base, '?rows=1'),
    ];
    // Their sign-ups may still be announced: only more than before is asserted.
    const heard = async (payload: object, ...streams: (typeof ofSender)[]) => {
      const before = streams.map(changes);
      await notify(payload);
      await Promise.all(
        streams.map((stream, at) => stream.until(() => changes(stream) > (before[at] ?? 0))),
      );
    };
    await heard({ users: [sender.id], couriers: false }, ofSender);
    await heard({ users: [], couriers: true }, ofCourier);
    await heard({ users: 'nobody' }, ofSender, ofCourier);
  });

  it('another epoch ends the streams, and what follows is a full list', async () => {
    const [sender] = await stage().people('Customer');
    const device = await new RowDevice(stage(), sender).open(base);
    await renewEpoch(stage().db);
    await stage().created(sender);
    await device.stream.until(() => device.stream.hasEnded);
    await device.reopen(base);
    await expectSame(device);
    expect(device.pulls).toBe(2);
  });

  it('a batch for a former role, applied after a pull in the new one, leaves nothing behind', async () => {
    const [sender, person] = await stage().people('Customer', 'Employee');
    const device = await new RowDevice(stage(), person, { heedsChange: true }).open(base);
    const offer = await stage().created(sender);
    await device.stream.until(arrival(device.stream, offer._id));
    await stage().edit(admin, { id: person.id, roles: ['Customer'] });
    await device.pull();
    expect(device.mirror).toEqual([]);
    // The offer, then the doubt.
    await device.stream.until(() => eventsOf(device.stream.text).at(-1)?.name === 'change');
    await expectSame(device);
    expect(device.mirror).toEqual([]);
  });

  it('a new role applies before the next batch, and breaks the chain', async () => {
    const [sender, person] = await stage().people('Customer', 'Employee');
    const device = await new RowDevice(stage(), person, { heedsChange: true }).open(base);
    const witness = await listenAs(admin, base, '?rows=1');
    const role = (roles: string[]) => stage().edit(admin, { id: person.id, roles });
    await role(['Customer']);
    const offer = await stage().created(sender);
    await witness.until(arrival(witness, offer._id));
    const own = await stage().created(person);
    await device.stream.until(arrival(device.stream, own._id));
    expect(device.stream.text).not.toContain(offer._id);
    await expectSame(device);
    await role(['Employee']);
    await device.stream.until(() => changes(device.stream) > 1);
    const next = await stage().created(sender);
    await device.stream.until(arrival(device.stream, next._id));
    await expectSame(device);
    expect(device.mirror.map(({ _id }) => _id)).toContain(offer._id);
    await stage().edit(admin, { id: person.id, active: false });
    await device.stream.until(() => device.stream.hasEnded);
  });
});

/** The feed alone, over a database that fails or is watched. */
describe('the feed', () => {
  const streamOf = (who: Person) => {
    const got: string[] = [];
    let wake = () => {};
    const stream: RowStream & { got: string[]; until(isSo: () => boolean): Promise<void> } = {
      userId: who.id,
      role: 'Customer',
      hasRows: true,
      asked: undefined,
      area: null,
      at: '',
      got,
      tell: () => void got.push('change'),
      end: () => void got.push('end'),
      send: (bytes) => {
        got.push(bytes.toString());
        wake();
      },
      until: async (isSo) => {
        while (!isSo()) {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      },
    };
    return stream;
  };

  const entered = async (db: Database, who: Person) => {
    const failed = barrier();
    const feed = createFeed({ db, onFailure: failed.open });
    const stream = streamOf(who);
    await feed.join(
      async () => who,
      () => void feed.add(stream),
    );
    return { feed, stream, failed };
  };

  const say = async (id: string) => {
    const xid = await selectScalar(
      stage().db,
      sql<string>`(select changed_xid::text from packages where id = ${id})`,
    );
    return JSON.stringify({ users: [], couriers: false, package: id, xid });
  };

  it('repeats a reading that failed, from the same snapshot', async () => {
    let isAway = false;
    const { session } = stage().db._;
    const prepareQuery: typeof session.prepareQuery = (...about) => {
      if (isAway) throw new Error('away');
      return session.prepareQuery(...about);
    };
    const flaky: Database = Object.assign(Object.create(stage().db), {
      _: { ...stage().db._, session: Object.assign(Object.create(session), { prepareQuery }) },
    });
    const [sender] = await stage().people('Customer');
    const { feed, stream, failed } = await entered(flaky, sender);
    const beganAt = stream.at;
    const { _id } = await stage().created(sender);
    isAway = true;
    feed.hear(readNotification(await say(_id)));
    await failed.passed;
    isAway = false;
    await stream.until(() => stream.got.length > 0);
    expect(batchesOf(stream.got.join(''))).toMatchObject([{ from: beganAt, packages: [{ _id }] }]);
    await feed.stop();
  });

  it('lets a reader enter between batches that come faster than their session is found', async () => {
    const [sender, person] = await stage().people('Customer', 'Customer');
    const { feed, stream } = await entered(stage().db, sender);
    const nextBatch = async () => {
      const had = stream.got.length;
      const { _id } = await stage().created(sender);
      feed.hear(readNotification(await say(_id)));
      await stream.until(() => stream.got.length > had);
    };
    await nextBatch();
    let asked = 0;
    const enters = (meanwhile: () => Promise<unknown>) => {
      asked = 0;
      return new Promise<void>((resolve, reject) => {
        const ask = async () => {
          asked += 1;
          if (asked > 3) throw new Error('Still outside.');
          await meanwhile();
        };
        feed.join(ask, resolve).catch(reject);
      });
    };
    await enters(nextBatch);
    expect(asked).toBe(1);
    // What the first answer said of roles may be outdated.
    await enters(async () => {
      const body = { id: person.id, roles: ['Employee'] };
      if (asked === 1) await stage().edit(admin, body);
      await nextBatch();
    });
    expect(asked).toBe(2);
    await feed.stop();
  });

  it('is one reading for many changes', async () => {
    const [sender] = await stage().people('Customer');
    const { feed, stream } = await entered(stage().db, sender);
    const made = [];
    for (let count = 0; count < 5; count += 1) made.push(await stage().created(sender));
    for (const { _id } of made) feed.hear(readNotification(await say(_id)));
    await stream.until(
      () => batchesOf(stream.got.join('')).flatMap((one) => one.packages).length === 5,
    );
    expect([feed.counts.reads, stream.got.length]).toEqual([1, 1]);
    await feed.stop();
  });

  it.runIf(testDatabase === 'postgres')(
    'goes on reading while a transaction that was announced is not visible yet',
    async () => {
      const [sender] = await stage().people('Customer');
      const { _id } = await stage().created(sender);
      const { feed, stream } = await entered(stage().db, sender);
      const [written, committing] = [barrier(), barrier()];
      let xid = '';
      const late = stage().db.transaction(async (tx) => {
        await tx.execute(sql`update packages set notes = 'late' where id = ${_id}`);
        xid = await selectScalar(tx, sql<string>`pg_current_xact_id()::text`);
        written.open();
        await committing.passed;
      });
      await written.passed;
      feed.hear(
        readNotification(JSON.stringify({ users: [], couriers: false, package: _id, xid })),
      );
      await vi.waitFor(() => expect(feed.counts.reads).toBeGreaterThan(1));
      expect(stream.got).toEqual([]);
      committing.open();
      await late;
      await stream.until(() => stream.got.length > 0);
      expect(batchesOf(stream.got.join(''))).toMatchObject([{ packages: [{ notes: 'late' }] }]);
      await feed.stop();
    },
  );
});

describe.runIf(testDatabase === 'postgres')('on PostgreSQL', () => {
  it('a transaction that began first and commits last comes with a later batch', async () => {
    const [sender] = await stage().people('Customer');
    const slow = await stage().created(sender);
    const quick = await stage().created(sender);
    const device = await new RowDevice(stage(), sender).open(base);
    const [written, committing] = [barrier(), barrier()];
    const first = stage().db.transaction(async (tx) => {
      await tx.execute(sql`update packages set notes = 'late' where id = ${slow._id}`);
      written.open();
      await committing.passed;
    });
    await written.passed;
    await stage().patch(sender, quick._id, { notes: 'early' });
    await device.stream.until(() => batchesOf(device.stream.text).length === 1);
    committing.open();
    await first;
    await device.stream.until(() => batchesOf(device.stream.text).length === 2);
    expect(batchesOf(device.stream.text).map(({ packages }) => packages)).toMatchObject([
      [{ _id: quick._id, notes: 'early' }],
      [{ _id: slow._id, notes: 'late' }],
    ]);
    await expectSame(device);
    expect([device.pulls, device.gaps]).toEqual([1, 0]);
  });

  it('a change made while its server did not listen comes with the pull after the gap', async () => {
    proxy = await startPostgresProxy();
    const [sender] = await stage().people('Customer');
    const deaf = await stage().another({ proxy });
    const device = await new RowDevice(stage(), sender, { heedsChange: true }).open(
      await listenOn(deaf.app),
    );
    const before = await stage().created(sender);
    await device.stream.until(() => batchesOf(device.stream.text).length > 0);
    await device.settle();
    const pulls = device.pulls;
    await proxy.cut();
    await stage().patch(sender, before._id, { notes: 'Unheard' });
    await proxy.restore();
    await device.stream.until(() => eventsOf(device.stream.text).at(-1)?.name === 'change');
    await expectSame(device);
    expect(device.pulls).toBe(pulls + 1);
    await stage().patch(sender, before._id, { notes: 'Heard' });
    await device.stream.until(() => eventsOf(device.stream.text).at(-1)?.name === 'rows');
    await expectSame(device);
    expect(device.gaps).toBe(1);
  });
});
