import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { deltaPageSize } from '#contract/delta.ts';
import { headers } from '#contract/headers.ts';
import type { Role } from '#contract/user.ts';
import { writeCheckpoint } from '#server/modules/sync/checkpoint.ts';
import { readClock } from '#server/modules/sync/epoch.ts';
import { rounds } from '#tests/size.ts';
import { barrier } from './barrier.ts';
import { testDatabase } from './databases.ts';
import { Device, expectSame, page, plain, type Row } from './delta-device.ts';
import { actors, historyOf, usual } from './histories.ts';
import { fileStage, type Person } from './stage.ts';

const stage = fileStage();
let sender: Person;
beforeEach(async () => {
  sender = await stage().person('Customer');
});

/** Inserts many packages of one sender, bypassing the API. */
async function manyPackages(sender: Person, count: number): Promise<void> {
  await stage().db.execute(sql`
    insert into packages (id, sender_id, recipient_name, recipient_phone, description, pickup_address,
      delivery_address, pickup_date, price_kobo, payment_method, status, created_at, updated_at)
    select gen_random_uuid(), ${sender.id}, 'Musa', '08057654321', 'Cloth', 'Here', 'There', now(), 1000,
      'cash', 'cancelled', now(), now() from generate_series(1, ${count}::int)`);
}

describe('a series', () => {
  it('starts with a reset, then contains only changes', async () => {
    const first = await stage().created(sender);
    const second = await stage().created(sender);
    const full = await page(stage(), sender, 'packages', '');
    expect(full.rows.map(({ _id }) => _id)).toEqual([second._id, first._id]);
    expect([full.isReset, full.hasMore]).toEqual([true, false]);

    const none = await page(stage(), sender, 'packages', full.cursor);
    expect([none.rows, none.isReset, none.hasMore]).toEqual([[], false, false]);
    await stage().patch(sender, first._id, { description: 'Three bolts' });
    const changed = await page(stage(), sender, 'packages', none.cursor);
    expect(changed.rows).toMatchObject([{ _id: first._id, description: 'Three bolts' }]);
    await stage().send(sender, 'DELETE', `/api/packages/${second._id}`);
    const removed = await page(stage(), sender, 'packages', changed.cursor);
    expect(removed.rows).toEqual([{ _id: second._id, removed: true }]);
  });

  it('without since is the full list without a cursor', async () => {
    for (const list of ['packages', 'users']) {
      const answer = await stage().send(sender, 'GET', `/api/${list}`);
      expect(answer.headers[headers.syncCursor]).toBeUndefined();
    }
  });

  it('is paginated; changes between pages come with the next series', async () => {
    await manyPackages(sender, deltaPageSize + 20);
    const newest = await stage().created(sender);
    const device = new Device(stage(), sender, 'packages');
    const first = await device.pullPage();
    expect([first.rows.length, first.hasMore, first.isReset]).toEqual([deltaPageSize, true, true]);
    await stage().patch(sender, newest._id, { description: 'Changed in between' });
    const second = await device.pullPage();
    expect([second.rows.length, second.hasMore, second.isReset]).toEqual([21, false, false]);
    expect(await device.pull()).toMatchObject([{ _id: newest._id }]);
    await expectSame(device);
  });

  it('notifies couriers of packages taken and back on offer', async () => {
    const [courier, other] = await stage().people('Employee', 'Employee');
    const { _id } = await stage().created(sender);
    const device = new Device(stage(), other, 'packages');
    await device.pull();
    expect(device.rows.has(_id)).toBe(true);
    await stage().accept(courier, _id);
    expect(await device.pull()).toEqual([{ _id, removed: true }]);
    await stage().reject(courier, _id);
    expect(await device.pull()).toMatchObject([{ _id, deliveryStatus: 'Pending' }]);
  });

  it('shows a counterpart while there is one, including a changed phone number', async () => {
    const [sender, courier] = await stage().people('Customer', 'Employee');
    const { _id } = await stage().created(sender);
    const people = new Device(stage(), sender, 'users');
    const parcels = new Device(stage(), sender, 'packages');
    await Promise.all([people.pull(), parcels.pull()]);
    await stage().accept(courier, _id);
    expect(await people.pull()).toMatchObject([{ _id: courier.id, email: null }]);
    await parcels.pull();
    await stage().edit(courier, { id: courier.id, phoneNumber: '0809 999 9999' });
    expect(await people.pull()).toMatchObject([{ _id: courier.id, phoneNumber: '+2348099999999' }]);
    const phone = { deliveryPersonId: { phoneNumber: '+2348099999999' } };
    expect(await parcels.pull()).toMatchObject([phone]);
    await stage().reject(courier, _id);
    expect(await people.pull()).toEqual([{ _id: courier.id, removed: true }]);
  });
});

describe('streamed', () => {
  const pull = (who: Person, query: string) =>
    stage().send<{ _id: string }[]>(who, 'GET', `/api/packages?${query}`);
  const checkpointOf = async (role: Role) => {
    const clock = await readClock(stage().db);
    return writeCheckpoint({ ...clock, role });
  };
  const snapshot = () => checkpointOf('Customer');

  it('moves the reader to that snapshot, so that nothing is sent twice', async () => {
    const { cursor } = await page(stage(), sender, 'packages', '');
    const first = await stage().created(sender);
    const between = await snapshot();
    const second = await stage().created(sender);
    const ids = async (query: string) => {
      const answer = await pull(sender, `since=${cursor}${query}`);
      expect(answer.headers[headers.syncReset]).toBeUndefined();
      return answer.body.map(({ _id }) => _id);
    };
    expect(await ids('')).toEqual([second._id, first._id]);
    expect(await ids(`&streamed=${between}`)).toEqual([second._id]);
    // Also back: what the reader applied may be older than its pull.
    const later = await page(stage(), sender, 'packages', cursor);
    const back = await pull(sender, `since=${later.cursor}&streamed=${between}`);
    expect(back.body.map(({ _id }) => _id)).toEqual([second._id]);
    const [role, epoch] = between.split('.');
    for (const bad of ['gap', '1:2:', `${role}.${epoch}.5:4:`, `${between}.`, '%27']) {
      expect([bad, await ids(`&streamed=${bad}`)]).toEqual([bad, [second._id, first._id]]);
    }
  });

  it('of another role, epoch or lost database restarts with a full list', async () => {
    const { _id } = await stage().created(sender);
    const { cursor } = await page(stage(), sender, 'packages', '');
    const own = await snapshot();
    const others = [
      await checkpointOf('Employee'),
      own.replace(/\.[^.]+\./, '.other.'),
      // Its transactions have not happened here, so no delta would ever remove their rows.
      own.replace(/[^.]+$/, `1:${'9'.repeat(18)}:`),
    ];
    for (const streamed of others) {
      const answer = await pull(sender, `since=${cursor}&streamed=${streamed}`);
      expect(answer.headers[headers.syncReset]).toBe('true');
      expect(answer.body.map((row) => row._id)).toEqual([_id]);
    }
  });

  it('is ignored within a series and without a cursor', async () => {
    await manyPackages(sender, deltaPageSize + 20);
    const now = await snapshot();
    const first = await pull(sender, `since=&streamed=${now}`);
    expect([first.body.length, first.headers[headers.syncReset]]).toEqual([deltaPageSize, 'true']);
    const cursor = String(first.headers[headers.syncCursor]);
    const rest = await pull(sender, `since=${cursor}&streamed=${now}`);
    expect(rest.body).toHaveLength(20);
    const plainList = await pull(sender, `streamed=${now}`);
    expect(plainList.body).toHaveLength(deltaPageSize + 20);
  });
});

describe("a courier's area", () => {
  const [kano, lagos] = [
    { lat: 12, lng: 8.59 },
    { lat: 6.52, lng: 3.38 },
  ];
  const nearKano = 'area=12,8.59,10';

  it("leaves out others' offers elsewhere; a delta removes what leaves it", async () => {
    const [sender, courier] = await stage().people('Customer', 'Employee');
    const offer = async (pickupLocation: object | null, by = sender) =>
      (await stage().created(by, { pickupLocation }))._id;
    const [far, near, unpinned, taken] = [
      await offer(lagos),
      await offer(kano),
      await offer(null),
      await offer(lagos),
    ];
    const own = await offer(lagos, courier);
    await stage().accept(courier, taken);
    const all = [far, near, unpinned, taken, own];
    const ask = async (query: string, who = courier) => {
      const answer = await stage().send<Row[]>(who, 'GET', `/api/packages?${query}`);
      const rows = answer.body.filter(({ _id }) => all.includes(_id));
      const isReset = answer.headers[headers.syncReset] === 'true';
      return { rows, isReset, cursor: String(answer.headers[headers.syncCursor]) };
    };
    const shown = async (query: string, who = courier) =>
      (await ask(query, who)).rows.map(({ _id }) => _id).sort();
    const inside = [near, unpinned, taken, own].sort();
    expect(await shown(nearKano)).toEqual(inside);
    expect(await shown(`since=&${nearKano}`)).toEqual(inside);
    expect(await shown('')).toEqual([...all].sort());
    expect(await shown(nearKano, sender)).toEqual([far, near, unpinned, taken].sort());

    const { cursor } = await ask(`since=&${nearKano}`);
    await stage().patch(sender, near, { pickupLocation: lagos });
    await stage().patch(sender, far, { pickupLocation: kano });
    const moved = await ask(`since=${cursor}&${nearKano}`);
    expect(moved.rows).toEqual([
      { _id: near, removed: true },
      expect.objectContaining({ _id: far, pickupLocation: kano }),
    ]);
    // The cursor belongs to its area, however it is written.
    expect((await ask(`since=${cursor}&area=12.001,8.590,10.0`)).isReset).toBe(false);
    for (const other of ['', '&area=12,8.59,11']) {
      expect([other, (await ask(`since=${cursor}${other}`)).isReset]).toEqual([other, true]);
    }
  });
});

it('a revoked role removes the senders a courier saw from the list and from the device', async () => {
  const admin = await stage().admin();
  const [first, second] = await stage().people('Customer', 'Customer');
  const courier = await stage().person('Employee');
  for (const sender of [first, second]) {
    await stage().accept(courier, (await stage().created(sender))._id);
  }
  const people = new Device(stage(), courier, 'users');
  await people.pull();
  expect([...people.rows.keys()].sort()).toEqual([first.id, second.id, courier.id].sort());
  const change = { id: courier.id, roles: ['Customer'] };
  expect((await stage().edit(admin, change)).status).toBe(200);
  expect([...(await plain(stage(), courier, 'users')).keys()]).toEqual([courier.id]);
  expect((await people.pullPage()).isReset).toBe(true);
  expect([...people.rows.keys()]).toEqual([courier.id]);
  // Later changes do not reach the device either.
  await stage().edit(first, { id: first.id, phoneNumber: '0809 999 9999' });
  await expectSame(people);
  expect([...people.rows.keys()]).toEqual([courier.id]);
  // Senders still see their courier.
  expect((await plain(stage(), first, 'users')).has(courier.id)).toBe(true);
});

const kinds = [...usual, 'role', 'vehicle', 'balance', 'else', 'else', 'else'] as const;

it('any history leaves every device with the contents of the full list', async () => {
  const admin = await stage().admin();
  const people = await stage().people('Customer', 'Customer', 'Employee', 'Employee', 'Employee');
  const devices = [admin, ...people].flatMap((who) => [
    new Device(stage(), who, 'packages'),
    new Device(stage(), who, 'users'),
  ]);
  const act = actors([stage()], admin, people, (pick) =>
    devices[pick % devices.length]?.pullPage(),
  );
  await fc.assert(
    fc.asyncProperty(historyOf(kinds), async (steps) => {
      for (const step of steps) await act(step);
      for (const device of devices) await expectSame(device);
    }),
    { numRuns: rounds(4, 12) },
  );
}, 120_000);

describe.runIf(testDatabase === 'postgres')('overlapping transactions', () => {
  it('a transaction that began first and commits last comes with the next pull', async () => {
    const slow = await stage().created(sender);
    const quick = await stage().created(sender);
    const pull = async (since: string) => {
      const { rows, cursor } = await page(stage(), sender, 'packages', since);
      return { ids: rows.map(({ _id }) => _id), cursor };
    };
    const begin = await pull('');

    const [committing, written] = [barrier(), barrier()];
    const first = stage().db.transaction(async (tx) => {
      await tx.execute(sql`update packages set notes = 'late' where id = ${slow._id}`);
      written.open();
      await committing.passed;
    });
    await written.passed;
    await stage().patch(sender, quick._id, { notes: 'early' });

    const between = await pull(begin.cursor);
    expect(between.ids).toEqual([quick._id]);
    // While it is open nothing is sent twice.
    const idle = await pull(between.cursor);
    expect(idle.ids).toEqual([]);
    committing.open();
    await first;
    const late = await pull(idle.cursor);
    expect(late.ids).toEqual([slow._id]);
    expect((await pull(late.cursor)).ids).toEqual([]);
  });
});
