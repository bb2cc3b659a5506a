/**
 * The stream of rows as the contract says, over both servers: the real one, and the fake one that the
 * engine's tests and its model are made of.
 */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createApi } from '#api/api.ts';
import type { EventsApi, RowBatch } from '#api/events.ts';
import type { Area } from '#contract/area.ts';
import type { Location } from '#contract/fields.ts';
import type { Package } from '#domain/package.ts';
import { renewEpoch } from '#server/modules/sync/epoch.ts';
import type { SyncApi } from '#sync/ports.ts';
import { createFakeLocks } from '#tests/fakes/browser.ts';
import { EventHub } from '#tests/fakes/event-hub.ts';
import { apiOf, StrictServer } from '#tests/fakes/strict-server.ts';
import { listenOn } from '#tests/server/sse-client.ts';
import { fileStage, type Person } from '#tests/server/stage.ts';
import { type Chance, createChance } from './model/chance.ts';
import { everybody, people } from './model/people.ts';

type Api = Pick<SyncApi, 'pullPackages' | 'createPackage' | 'patchPackage' | 'deletePackage'> &
  EventsApi;
type Who = keyof typeof people;
const everyone = Object.keys(people) as Who[];

interface Side {
  idOf(who: Who): string;
  apiOf(who: Who): Api;
  /** What is committed will be sent. */
  flush(): void;
  /** As after a restore. */
  renewEpoch(): Promise<void>;
}

function fakeSide(): Side {
  const server = new StrictServer();
  for (const { version: _, ...body } of everybody) {
    const versions = { version: 0, fieldVersions: {}, fieldWriters: {} };
    server.rows.writeUser({ body, ...versions, changedAt: 0, partyChangedAt: 0 });
  }
  const hub = new EventHub(server.rows);
  return {
    idOf: (who) => people[who],
    apiOf: (who) => ({
      ...apiOf(async (request) => structuredClone(server.begin(people[who], request)()) as never),
      listenForChanges: ({ signal, area, onOpen, onHello, onRows, onChange }) =>
        new Promise((resolve) => {
          onOpen();
          const disconnect = hub.connect({
            userId: people[who],
            area,
            onEnd: resolve,
            send: (event) => {
              if (event.name === 'hello') onHello(event.at);
              else if (event.name === 'change') onChange();
              else onRows(structuredClone(event.batch));
            },
          });
          signal.addEventListener('abort', () => {
            disconnect();
            resolve();
          });
        }),
    }),
    flush: () => hub.flush(),
    renewEpoch: async () => server.rows.forgetCursors(),
  };
}

/** Offers this package; returns its id. */
async function offer(side: Side, pickupLocation: Location | null = null): Promise<string> {
  const id = randomUUID();
  const body = {
    _id: id,
    recipientName: 'Musa',
    recipientPhone: '+2348057654321',
    recipientEmail: null,
    description: 'Cloth',
    notes: null,
    paymentMethod: 'cash' as const,
    pickupLocation,
    pickupAddress: 'Kofar Mata',
    deliveryAddress: 'Zoo Road',
    priceOffer: 1500,
    pickupDate: '2026-11-22T08:00:00.000Z',
    deliveryDate: null,
  };
  await side.apiOf('sender').createPackage(body, randomUUID());
  return id;
}

const describeIt = (side: Side, id: string, description: string) =>
  side.apiOf('sender').patchPackage(id, { description }, randomUUID());
const acceptIt = (side: Side, id: string) =>
  side
    .apiOf('courier')
    .patchPackage(
      id,
      { deliveryPersonId: side.idOf('courier'), deliveryStatus: 'In Transit' },
      randomUUID(),
    );

const sorted = (rows: Iterable<Package>) => [...rows].sort((a, b) => (a.id < b.id ? -1 : 1));

/** The whole list, page by page, and the cursor it ends with. */
async function wholeList(api: Api, area: Area | null = null) {
  const rows: Package[] = [];
  for (let since = ''; ; ) {
    const page = await api.pullPackages(since, { area });
    rows.push(...page.rows);
    since = page.cursor ?? '';
    if (!page.hasMore) return { rows: sorted(rows), cursor: since };
  }
}

/** A reader as the contract describes one: pulls after hello, then applies each batch that fits. */
async function follow(side: Side, who: Who, area: Area | null = null) {
  const api = side.apiOf(who);
  const ending = new AbortController();
  const batches: RowBatch[] = [];
  let onHello = (_: string) => {};
  const hello = new Promise<string>((resolve) => {
    onHello = resolve;
  });
  const ended = api.listenForChanges({
    signal: ending.signal,
    area,
    onHello,
    onOpen: () => {},
    onChange: () => {},
    onRows: (batch) => void batches.push(batch),
    onUnreadable: () => expect.fail('A batch cannot be read.'),
  });
  const at = await hello;
  const { rows, cursor } = await wholeList(api, area);
  const mirror = new Map(rows.map((row) => [row.id, row]));
  let end = at;
  let applied = 0;
  const apply = () => {
    for (const batch of batches.slice(applied)) {
      expect(batch.from).toBe(end);
      for (const row of batch.rows) {
        if ((mirror.get(row.id)?.version ?? 0) <= row.version) mirror.set(row.id, row);
      }
      for (const { id, version } of batch.removals) {
        if ((mirror.get(id)?.version ?? 0) <= version) mirror.delete(id);
      }
      end = batch.to;
    }
    applied = batches.length;
    return sorted(mirror.values());
  };
  return {
    api,
    cursor,
    batches,
    /** The end of the last batch that was applied. */
    end: () => end,
    /** Resolves once the batches alone have made the mirror what the server lists. */
    async isCurrent() {
      side.flush();
      const { rows: listed } = await wholeList(api, area);
      await expect.poll(apply, { timeout: 10_000 }).toEqual(listed);
      return listed.map(({ id }) => id);
    },
    stop: async () => {
      ending.abort();
      await ended;
    },
  };
}

/** A change by somebody who may, or a refusal. */
async function act(side: Side, chance: Chance, ids: string[]): Promise<void> {
  if (ids.length < 3 || chance.isTrue(0.2)) {
    ids.push(await offer(side));
    return;
  }
  const id = chance.pick(ids);
  const change = chance.pick([
    () => describeIt(side, id, `Pots ${chance.whole(1_000)}`),
    () => acceptIt(side, id),
    () =>
      side
        .apiOf('courier')
        .patchPackage(id, { deliveryPersonId: null, deliveryStatus: 'Pending' }, randomUUID()),
    () => side.apiOf('admin').deletePackage(id, randomUUID()),
    () => side.apiOf('admin').patchPackage(id, { deliveryStatus: 'Cancelled' }, randomUUID()),
  ]);
  await change().catch(() => undefined);
}

const stage = fileStage();
let at: Promise<string> | undefined;

async function realSide(): Promise<Side> {
  at ??= listenOn(stage().app);
  const address = await at;
  const persons: Record<Who, Person> = {
    sender: await stage().person('Customer', 'Amina'),
    courier: await stage().person('Employee', 'Sani'),
    newCourier: await stage().person('Employee', 'Bala'),
    admin: await stage().admin(),
  };
  const clientOf = ({ token }: Person) =>
    createApi({
      baseUrl: address,
      tokenStore: { get: () => token, set: () => {} },
      locks: createFakeLocks(),
      onSessionEnded: () => {},
    });
  return {
    idOf: (who) => persons[who].id,
    apiOf: (who) => clientOf(persons[who]),
    flush: () => {},
    renewEpoch: () => renewEpoch(stage().database.db),
  };
}

const servers: [string, () => Side | Promise<Side>][] = [
  ['the fake server', fakeSide],
  ['the real server', realSide],
];

describe.each(servers)('the stream of %s', (_, open) => {
  it('with a pull after hello keeps each reader as the server is, batch after batch', async () => {
    const side = await open();
    const chance = createChance(7);
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) await act(side, chance, ids);
    const readers = [];
    for (const who of everyone) readers.push(await follow(side, who));
    for (let count = 0; count < 60; count += 1) {
      await act(side, chance, ids);
      if (chance.isTrue(0.4)) side.flush();
    }
    for (const reader of readers) {
      await reader.isCurrent();
      expect(reader.batches.length).toBeGreaterThan(0);
      await reader.stop();
    }
  });

  it('says of a removal the version that hid the row', async () => {
    const side = await open();
    const id = await offer(side);
    const reader = await follow(side, 'newCourier');
    const accepted = await acceptIt(side, id);
    await reader.isCurrent();
    const version = accepted?.version ?? 0;
    expect(reader.batches.flatMap(({ removals }) => removals)).toEqual([{ id, version }]);
    await reader.stop();
  });

  it('leaves to the next pull only what no batch brought', async () => {
    const side = await open();
    const [first, second] = [await offer(side), await offer(side)];
    const reader = await follow(side, 'courier');
    await describeIt(side, first, 'Pots');
    await reader.isCurrent();
    await describeIt(side, second, 'Pans');
    const streamed = reader.end();
    const page = await reader.api.pullPackages(reader.cursor, { streamed });
    expect(page.rows.map(({ id }) => id)).toEqual([second]);
    expect(page.isReset).toBe(false);
    // Without it, the cursor alone decides.
    const all = await reader.api.pullPackages(reader.cursor);
    expect(all.rows.map(({ id }) => id).sort()).toEqual([first, second].sort());
    await reader.stop();
  });

  it('gives again what a newer cursor has seen, to a mirror that went back to a batch', async () => {
    const side = await open();
    const id = await offer(side);
    const reader = await follow(side, 'courier');
    await describeIt(side, id, 'Pots');
    await reader.isCurrent();
    await side.apiOf('admin').deletePackage(id, randomUUID());
    const { cursor } = await reader.api.pullPackages(reader.cursor);
    const page = await reader.api.pullPackages(cursor ?? '', { streamed: reader.end() });
    expect(page.removedIds).toEqual([id]);
    await reader.stop();
  });

  it('with an area, and the list, leaves out offers elsewhere only', async () => {
    const side = await open();
    const area = { lat: 12, lng: 8.52, km: 10 };
    const [nearby, elsewhere] = [
      { lat: 12.01, lng: 8.5 },
      { lat: 9.06, lng: 7.4 },
    ];
    const near = await offer(side, nearby);
    const far = await offer(side, elsewhere);
    const reader = await follow(side, 'courier', area);
    const here = [await offer(side), await offer(side, nearby)];
    const mine = await offer(side, elsewhere);
    const listed = await reader.isCurrent();
    expect(listed).toEqual(expect.arrayContaining([near, ...here]));
    expect(listed).not.toContain(far);
    expect(listed).not.toContain(mine);
    await acceptIt(side, mine);
    expect(await reader.isCurrent()).toContain(mine);
    // A cursor belongs to its area.
    expect((await reader.api.pullPackages(reader.cursor)).isReset).toBe(true);
    expect((await reader.api.pullPackages(reader.cursor, { area })).isReset).toBe(false);
    await reader.stop();
  });

  it('and the list begin again in another epoch', async () => {
    const side = await open();
    const id = await offer(side);
    const reader = await follow(side, 'courier');
    await describeIt(side, id, 'Pots');
    await reader.isCurrent();
    await side.renewEpoch();
    const place = { streamed: reader.end() };
    expect((await reader.api.pullPackages(reader.cursor, place)).isReset).toBe(true);
    await reader.stop();
  });
});
