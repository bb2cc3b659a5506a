/** Deltas: a device that applies what it pulls always ends with what the plain list says. */
import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deltaPageSize, isRemoved } from '#contract/delta.ts';
import { headers } from '#contract/headers.ts';
import { renewEpoch } from '#server/modules/sync/epoch.ts';
import { createdPackage, fileStage, type Person } from './stage.ts';

const stage = fileStage();
type List = 'packages' | 'users';
type Row = { _id: string; removed?: boolean };

async function plain(who: Person, list: List): Promise<Map<string, Row>> {
  const { body } = await stage().send<Row[]>(who, 'GET', `/api/${list}`);
  return new Map(body.map((row) => [row._id, row]));
}

async function page(who: Person, list: List, since: string) {
  const path = `/api/${list}?since=${encodeURIComponent(since)}`;
  const answer = await stage().send<Row[]>(who, 'GET', path);
  expect(answer.status, answer.text).toBe(200);
  return {
    rows: answer.body,
    cursor: String(answer.headers[headers.syncCursor]),
    hasMore: answer.headers[headers.syncMore] === 'true',
    isReset: answer.headers[headers.syncReset] === 'true',
  };
}

/** What a device does: upsert, remove, and at the end of a full series drop what was not in it. */
class Device {
  readonly rows = new Map<string, Row>();
  cursor = '';
  #full: Set<string> | null = null;
  readonly who: Person;
  readonly list: List;

  constructor(who: Person, list: List) {
    this.who = who;
    this.list = list;
  }

  async pullPage() {
    const got = await page(this.who, this.list, this.cursor);
    if (got.isReset) this.#full = new Set();
    for (const row of got.rows) {
      this.#full?.add(row._id);
      if (isRemoved(row)) this.rows.delete(row._id);
      else this.rows.set(row._id, row);
    }
    this.cursor = got.cursor;
    if (!got.hasMore && this.#full) {
      for (const id of this.rows.keys()) if (!this.#full.has(id)) this.rows.delete(id);
      this.#full = null;
    }
    return got;
  }

  async pull() {
    const got = [];
    do got.push(await this.pullPage());
    while (got.at(-1)?.hasMore);
    return got.flatMap(({ rows }) => rows);
  }
}

async function expectSame(device: Device): Promise<void> {
  // The first may only end a series under way; what changed between its pages comes with the next.
  await device.pull();
  await device.pull();
  const inOrder = (rows: Map<string, Row>) =>
    [...rows.values()].sort((a, b) => (a._id < b._id ? -1 : 1));
  expect(inOrder(device.rows)).toEqual(inOrder(await plain(device.who, device.list)));
}

const patch = (who: Person, id: string, body: object) =>
  stage().send(who, 'PATCH', `/api/packages/${id}`, { body });
const accept = (courier: Person, id: string) =>
  patch(courier, id, { deliveryPersonId: courier.id, deliveryStatus: 'In Transit' });

/** Many packages of one sender, past the API. */
async function manyPackages(sender: Person, count: number): Promise<void> {
  await stage().database.db.execute(sql`
    insert into packages (id, sender_id, recipient_name, recipient_phone, description, pickup_address,
      delivery_address, pickup_date, price_kobo, payment_method, status, created_at, updated_at)
    select gen_random_uuid(), ${sender.id}, 'Musa', '08057654321', 'Cloth', 'Here', 'There', now(), 1000,
      'cash', 'cancelled', now(), now() from generate_series(1, ${count}::int)`);
}

describe('a series', () => {
  it('begins with a reset, and goes on with what changed and nothing else', async () => {
    const sender = await stage().person('Customer');
    const first = await createdPackage(stage(), sender);
    const second = await createdPackage(stage(), sender);
    const full = await page(sender, 'packages', '');
    expect(full.rows.map(({ _id }) => _id)).toEqual([second._id, first._id]);
    expect([full.isReset, full.hasMore]).toEqual([true, false]);

    const none = await page(sender, 'packages', full.cursor);
    expect([none.rows, none.isReset, none.hasMore]).toEqual([[], false, false]);
    await patch(sender, first._id, { description: 'Three bolts' });
    const changed = await page(sender, 'packages', none.cursor);
    expect(changed.rows).toMatchObject([{ _id: first._id, description: 'Three bolts' }]);
    await stage().send(sender, 'DELETE', `/api/packages/${second._id}`);
    const removed = await page(sender, 'packages', changed.cursor);
    expect(removed.rows).toEqual([{ _id: second._id, removed: true }]);
  });

  it('without since is the plain list, without a cursor', async () => {
    const sender = await stage().person('Customer');
    for (const list of ['packages', 'users']) {
      const answer = await stage().send(sender, 'GET', `/api/${list}`);
      expect(answer.headers[headers.syncCursor]).toBeUndefined();
    }
  });

  it('comes in pages; what changes between them comes with the next series', async () => {
    const sender = await stage().person('Customer');
    await manyPackages(sender, deltaPageSize + 20);
    const newest = await createdPackage(stage(), sender);
    const device = new Device(sender, 'packages');
    const first = await device.pullPage();
    expect([first.rows.length, first.hasMore, first.isReset]).toEqual([deltaPageSize, true, true]);
    await patch(sender, newest._id, { description: 'Changed in between' });
    const second = await device.pullPage();
    expect([second.rows.length, second.hasMore, second.isReset]).toEqual([21, false, false]);
    expect(await device.pull()).toMatchObject([{ _id: newest._id }]);
    await expectSame(device);
  });

  it('tells a courier of what another took, and of what came back on offer', async () => {
    const [sender, courier, other] = await Promise.all([
      stage().person('Customer'),
      stage().person('Employee'),
      stage().person('Employee'),
    ]);
    const { _id } = await createdPackage(stage(), sender);
    const device = new Device(other, 'packages');
    await device.pull();
    expect(device.rows.has(_id)).toBe(true);
    await accept(courier, _id);
    expect(await device.pull()).toEqual([{ _id, removed: true }]);
    await patch(courier, _id, { deliveryPersonId: null, deliveryStatus: 'Pending' });
    expect(await device.pull()).toMatchObject([{ _id, deliveryStatus: 'Pending' }]);
  });

  it('shows a counterpart while there is one, with a changed phone on the package too', async () => {
    const sender = await stage().person('Customer');
    const courier = await stage().person('Employee');
    const { _id } = await createdPackage(stage(), sender);
    const people = new Device(sender, 'users');
    const parcels = new Device(sender, 'packages');
    await Promise.all([people.pull(), parcels.pull()]);
    await accept(courier, _id);
    expect(await people.pull()).toMatchObject([{ _id: courier.id, email: null }]);
    await parcels.pull();
    const body = { id: courier.id, phoneNumber: '0809 999 9999' };
    await stage().send(courier, 'PATCH', '/api/users', { body });
    expect(await people.pull()).toMatchObject([{ _id: courier.id, phoneNumber: '0809 999 9999' }]);
    const phone = { deliveryPersonId: { phoneNumber: '0809 999 9999' } };
    expect(await parcels.pull()).toMatchObject([phone]);
    await patch(courier, _id, { deliveryPersonId: null, deliveryStatus: 'Pending' });
    expect(await people.pull()).toEqual([{ _id: courier.id, removed: true }]);
  });
});

describe('a role that was taken away', () => {
  it('takes the senders that a courier saw, from the list and from the device', async () => {
    const admin = await stage().admin();
    const [first, second] = [await stage().person('Customer'), await stage().person('Customer')];
    const courier = await stage().person('Employee');
    for (const sender of [first, second]) {
      await accept(courier, (await createdPackage(stage(), sender))._id);
    }
    const people = new Device(courier, 'users');
    await people.pull();
    expect([...people.rows.keys()].sort()).toEqual([first.id, second.id, courier.id].sort());
    const change = { id: courier.id, roles: ['Customer'] };
    expect((await stage().send(admin, 'PATCH', '/api/users', { body: change })).status).toBe(200);
    expect([...(await plain(courier, 'users')).keys()]).toEqual([courier.id]);
    expect((await people.pullPage()).isReset).toBe(true);
    expect([...people.rows.keys()]).toEqual([courier.id]);
    // Nor does what they change later reach the device.
    const body = { id: first.id, phoneNumber: '0809 999 9999' };
    await stage().send(first, 'PATCH', '/api/users', { body });
    await expectSame(people);
    expect([...people.rows.keys()]).toEqual([courier.id]);
    // Senders see who carries for them all the same.
    expect((await plain(first, 'users')).has(courier.id)).toBe(true);
  });
});

describe('a cursor that does not hold', () => {
  const forged = (cursor: string, changes: object) => {
    const inside = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Buffer.from(JSON.stringify({ ...inside, ...changes })).toString('base64url');
  };

  it('begins again, whatever is wrong with it, and never fails', async () => {
    const sender = await stage().person('Customer');
    const other = await stage().person('Customer');
    await createdPackage(stage(), sender);
    const { cursor } = await page(sender, 'packages', '');
    expect((await page(sender, 'packages', cursor)).isReset).toBe(false);
    const bad = [
      ...['x', 'e30', '%%%', Buffer.from('null').toString('base64url'), '\u0000'],
      (await page(other, 'packages', '')).cursor,
      (await page(sender, 'users', '')).cursor,
      forged(cursor, { r: 'Admin' }),
      forged(cursor, { e: 'another' }),
      forged(cursor, { v: 2 }),
      forged(cursor, { n: '5:4:' }),
      forged(cursor, { n: '0:4:' }),
      forged(cursor, { n: '1:9:8,3' }),
      forged(cursor, { n: '1:99999999999999999:' }),
      forged(cursor, { n: '1:4:); drop table packages' }),
      forged(cursor, { a: 'x' }),
      forged(cursor, { a: '-1' }),
      forged(cursor, { a: 7 }),
      forged(cursor, { t: -1 }),
      forged(cursor, { t: 1e300 }),
    ];
    for (const since of bad) {
      const { isReset, rows } = await page(sender, 'packages', since);
      expect([since, isReset, rows.length]).toEqual([since, true, 1]);
    }
    const long = await stage().send(sender, 'GET', `/api/packages?since=${'a'.repeat(8001)}`);
    expect([long.status, long.body.code]).toEqual([422, 'invalid_fields']);
  });

  it('after 30 days is too old', async () => {
    const sender = await stage().person('Customer');
    const { cursor } = await page(sender, 'packages', '');
    const dayMs = 24 * 3_600_000;
    stage().pass(30 * dayMs + 1000);
    const again = await stage().signIn(sender.email);
    expect((await page(again, 'packages', cursor)).isReset).toBe(true);
  });

  it('of another epoch is void, and a restored database gives new ones', async () => {
    const sender = await stage().person('Customer');
    const pkg = await createdPackage(stage(), sender);
    const { cursor } = await page(sender, 'packages', '');
    await renewEpoch(stage().database.db);
    const again = await page(sender, 'packages', cursor);
    expect([again.isReset, again.rows[0]?._id]).toEqual([true, pkg._id]);
    expect((await page(sender, 'packages', again.cursor)).rows).toEqual([]);
  });
});

const kinds = [
  ...(['create', 'create', 'delete', 'accept', 'accept', 'reject', 'assign', 'edit'] as const),
  ...(['profile', 'role', 'balance', 'vehicle', 'pull', 'pull'] as const),
];
interface Step {
  kind: (typeof kinds)[number];
  who: number;
  pick: number;
}
const stepOf: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(...kinds),
  who: fc.nat(5),
  pick: fc.nat(30),
});

describe('any history', () => {
  it('leaves every device with what the plain list says', async () => {
    const admin = await stage().admin();
    const people = await Promise.all(
      (['Customer', 'Customer', 'Employee', 'Employee', 'Employee'] as const).map((role) =>
        stage().person(role),
      ),
    );
    const everybody = [admin, ...people];
    const ids: string[] = [];
    const devices = everybody.flatMap((who) => [
      new Device(who, 'packages'),
      new Device(who, 'users'),
    ]);

    const act = async ({ kind, who, pick }: Step): Promise<void> => {
      const person = everybody[who] ?? admin;
      const id = ids[pick % Math.max(ids.length, 1)] ?? randomUUID();
      const target = people[pick % people.length] ?? admin;
      const users = (path: string, body: object, by: Person = admin) =>
        stage().send(by, 'PATCH', path, { body });
      if (kind === 'create') {
        if (person !== admin) ids.push((await createdPackage(stage(), person))._id);
      } else if (kind === 'delete') await stage().send(person, 'DELETE', `/api/packages/${id}`);
      else if (kind === 'accept') await accept(person, id);
      else if (kind === 'reject') {
        await patch(admin, id, { deliveryPersonId: null, deliveryStatus: 'Pending' });
      } else if (kind === 'assign') await accept({ ...admin, id: target.id }, id);
      else if (kind === 'edit') await patch(person, id, { notes: `Note ${pick}` });
      else if (kind === 'profile') {
        const field = pick % 2 === 0 ? { firstName: `Name ${pick}` } : { address: `${pick} Road` };
        await users('/api/users', { id: person.id, ...field }, person);
      } else if (kind === 'role') {
        await users('/api/users', { id: target.id, roles: [pick % 2 ? 'Customer' : 'Employee'] });
      } else if (kind === 'balance') {
        await users('/api/users/balance', { id: target.id, amount: 5, reason: 'Test' });
      } else if (kind === 'vehicle') {
        await users('/api/users', { id: target.id, vehicle: `Bike ${pick}` });
      } else await devices[pick % devices.length]?.pullPage();
    };

    await fc.assert(
      fc.asyncProperty(fc.array(stepOf, { minLength: 5, maxLength: 25 }), async (steps) => {
        for (const step of steps) await act(step);
        for (const device of devices) await expectSame(device);
      }),
      { numRuns: 12 },
    );
  }, 120_000);
});
