/** That the server really asks the policy: one row per person and call (the policy itself is a unit test). */
import { randomUUID } from 'node:crypto';
import { parse } from 'valibot';
import { beforeAll, describe, expect, it } from 'vitest';
import { isRemoved } from '#contract/delta.ts';
import type { WirePackage } from '#contract/package.ts';
import { userListSchema, type WireUser } from '#contract/user.ts';
import { createdPackage, fileStage, type Person } from './stage.ts';

const stage = fileStage();

const people: Record<string, Person> = {};
const who = (name: string): Person => {
  const person = people[name];
  if (!person) throw new Error(`Nobody is called ${name}`);
  return person;
};
let onOffer: WirePackage;
let assigned: WirePackage;

const patch = (person: Person, pkg: WirePackage, body: object) =>
  stage().send<WirePackage & { code: string }>(person, 'PATCH', `/api/packages/${pkg._id}`, {
    body,
  });

beforeAll(async () => {
  people.sender = await stage().person('Customer', 'Sender');
  people.stranger = await stage().person('Customer', 'Stranger');
  people.courier = await stage().person('Employee', 'Courier');
  people.rival = await stage().person('Employee', 'Rival');
  people.admin = await stage().admin();
  onOffer = await createdPackage(stage(), who('sender'), { notes: 'On offer' });
  assigned = await createdPackage(stage(), who('sender'), { notes: 'Assigned' });
  const body = { deliveryPersonId: who('courier').id, deliveryStatus: 'In Transit' };
  expect((await patch(who('courier'), assigned, body)).status).toBe(200);
});

describe('who sees which package', () => {
  const seen: [string, string[]][] = [
    ['sender', ['Assigned', 'On offer']],
    ['stranger', []],
    ['courier', ['Assigned', 'On offer']],
    ['rival', ['On offer']],
    ['admin', ['Assigned', 'On offer']],
  ];

  it.each(seen)('%s', async (name, notes) => {
    const list = await stage().send<WirePackage[]>(who(name), 'GET', '/api/packages');
    expect(list.body.map((pkg) => pkg.notes)).toEqual(notes);
    for (const pkg of [onOffer, assigned]) {
      const { status } = await stage().send(who(name), 'GET', `/api/packages/${pkg._id}`);
      expect(status).toBe(notes.includes(pkg.notes ?? '') ? 200 : 404);
    }
  });

  it("withholds the recipient's and the sender's contacts from a courier until accepted", async () => {
    const read = async (name: string, pkg: WirePackage) => {
      const path = `/api/packages/${pkg._id}`;
      const { body } = await stage().send<WirePackage>(who(name), 'GET', path);
      return [
        body.recipientPhone,
        body.recipientEmail,
        body.senderId.phoneNumber,
        body.senderId.email,
      ];
    };
    const nothing = [null, null, null, null];
    expect(await read('courier', onOffer)).toEqual(nothing);
    expect(await read('rival', onOffer)).toEqual(nothing);
    expect(await read('courier', assigned)).toEqual([
      '0805 765 4321',
      'musa@kaya.test',
      '0803 123 4567',
      null,
    ]);
    const { text } = await stage().send(who('rival'), 'GET', '/api/packages');
    expect(text).not.toMatch(/0805 765 4321|musa@kaya\.test|0803 123 4567/);
  });

  it('does not let a courier find out a withheld field by guessing at it', async () => {
    const right = await patch(who('rival'), onOffer, { recipientPhone: '0805 765 4321' });
    const wrong = await patch(who('rival'), onOffer, { recipientPhone: '0805 000 0000' });
    expect([right.status, wrong.status]).toEqual([403, 403]);
  });
});

describe('who may do what', () => {
  const edit = { description: 'Changed' };
  const deliver = { deliveryStatus: 'Delivered' };
  const reject = { deliveryPersonId: null, deliveryStatus: 'Pending' };
  const cancel = { deliveryStatus: 'Cancelled' };
  const refusals: [string, 'on offer' | 'assigned', object | 'delete', number, string][] = [
    ['stranger', 'on offer', edit, 404, 'not_found'],
    ['stranger', 'on offer', cancel, 404, 'not_found'],
    ['stranger', 'on offer', 'delete', 404, 'not_found'],
    ['stranger', 'assigned', deliver, 404, 'not_found'],
    ['rival', 'on offer', edit, 403, 'forbidden'],
    ['rival', 'on offer', cancel, 403, 'forbidden'],
    ['rival', 'on offer', 'delete', 403, 'forbidden'],
    ['rival', 'on offer', { paymentStatus: 'paid' }, 403, 'forbidden'],
    ['rival', 'assigned', deliver, 404, 'not_found'],
    ['rival', 'assigned', reject, 404, 'not_found'],
    ['courier', 'assigned', edit, 403, 'forbidden'],
    ['courier', 'assigned', cancel, 403, 'forbidden'],
    ['courier', 'assigned', 'delete', 403, 'forbidden'],
    ['sender', 'on offer', deliver, 409, 'invalid_state'],
    ['sender', 'on offer', { deliveryStatus: 'In Transit' }, 409, 'courier_required'],
    ['sender', 'assigned', edit, 409, 'invalid_state'],
    ['sender', 'assigned', reject, 403, 'forbidden'],
    ['sender', 'assigned', cancel, 409, 'courier_assigned'],
    ['sender', 'assigned', 'delete', 409, 'courier_assigned'],
    ['admin', 'on offer', deliver, 409, 'invalid_state'],
    ['admin', 'assigned', 'delete', 409, 'courier_assigned'],
  ];

  it.each(refusals)('%s, %s: %o is %i %s', async (name, state, action, status, code) => {
    const pkg = state === 'on offer' ? onOffer : assigned;
    const answer =
      action === 'delete'
        ? await stage().send(who(name), 'DELETE', `/api/packages/${pkg._id}`)
        : await patch(who(name), pkg, action);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  it('a sender may neither accept nor assign, a courier never take their own', async () => {
    const take = (person: Person) => ({
      deliveryPersonId: person.id,
      deliveryStatus: 'In Transit',
    });
    const bySender = await patch(who('sender'), onOffer, take(who('sender')));
    const forCourier = await patch(who('sender'), onOffer, take(who('rival')));
    const forAnother = await patch(who('rival'), onOffer, take(who('courier')));
    expect([bySender.status, forCourier.status, forAnother.status]).toEqual([403, 403, 403]);
    const own = await createdPackage(stage(), who('rival'));
    expect((await patch(who('rival'), own, take(who('rival')))).status).toBe(403);
  });

  it('a patch that changes nothing tells those who may not see it nothing', async () => {
    const sender = await stage().person('Customer');
    const stranger = await stage().person('Customer');
    const pkg = await createdPackage(stage(), sender);
    const body = {};
    const answer = await stage().send(stranger, 'PATCH', `/api/packages/${pkg._id}`, { body });
    expect([answer.status, answer.body.code]).toEqual([404, 'not_found']);
  });

  it('no patch turns cash into app money that was never paid', async () => {
    const sender = await stage().person('Customer');
    const pkg = await createdPackage(stage(), sender);
    const body = { paymentMethod: 'app', paymentStatus: 'paid' };
    const answer = await stage().send(sender, 'PATCH', `/api/packages/${pkg._id}`, { body });
    expect([answer.status, answer.body.code]).toEqual([402, 'insufficient_funds']);
  });

  it('the assigned courier marks cash as paid', async () => {
    const answer = await patch(who('courier'), assigned, { paymentStatus: 'paid' });
    expect([answer.status, answer.body.paymentStatus]).toEqual([200, 'paid']);
  });

  it('a role and an active flag count from the moment they change', async () => {
    const { users } = await import('#server/database/schema.ts');
    const { eq } = await import('drizzle-orm');
    const person = await stage().person('Employee');
    const { db } = stage().database;
    await db
      .update(users)
      .set({ roles: ['Customer'] })
      .where(eq(users.id, person.id));
    const { status } = await stage().send(person, 'GET', `/api/packages/${onOffer._id}`);
    expect(status).toBe(404);
    await db.update(users).set({ isActive: false }).where(eq(users.id, person.id));
    const off = await stage().send(person, 'GET', '/api/users');
    expect([off.status, off.body.code]).toEqual([403, 'account_inactive']);
    const { cookie } = person;
    const refreshed = await stage().send(null, 'GET', '/api/auth/refresh', { headers: { cookie } });
    expect([refreshed.status, refreshed.body.code]).toEqual([403, 'account_inactive']);
    await expect(stage().signIn(person.email)).rejects.toThrow('account_inactive');
  });
});

describe('who sees whom', () => {
  const list = async (name: string): Promise<WireUser[]> => {
    const { body } = await stage().send(who(name), 'GET', '/api/users');
    return parse(userListSchema, body).flatMap((row) => (isRemoved(row) ? [] : [row]));
  };

  it('oneself whole, and nobody else without a package between them', async () => {
    const users = await list('stranger');
    expect(users.map((user) => user._id)).toEqual([who('stranger').id]);
    expect(users[0]).toMatchObject({ email: who('stranger').email, balance: 0 });
  });

  it.each([
    ['sender', 'courier'],
    ['courier', 'sender'],
  ])('%s sees name and phone of the %s, no more', async (reader, other) => {
    const users = await list(reader);
    expect(users).toHaveLength(2);
    expect(users.find((user) => user._id === who(other).id)).toMatchObject({
      firstName: other === 'courier' ? 'Courier' : 'Sender',
      phoneNumber: '0803 123 4567',
      email: null,
      address: null,
      vehicle: null,
      balance: null,
      roles: [],
    });
  });

  it('an admin sees all', async () => {
    const ids = (await list('admin')).map((user) => user._id);
    for (const name of Object.keys(people)) expect(ids).toContain(who(name).id);
  });

  it("edits of others' profiles are an admin's alone", async () => {
    const body = { id: who('sender').id, address: '1 New Street' };
    const bySelf = await stage().send(who('sender'), 'PATCH', '/api/users', { body });
    const byOther = await stage().send(who('courier'), 'PATCH', '/api/users', { body });
    const byAdmin = await stage().send(who('admin'), 'PATCH', '/api/users', {
      body: { ...body, address: null },
    });
    expect([bySelf.status, byOther.status, byAdmin.status]).toEqual([200, 404, 200]);
    const nobody = { id: randomUUID(), address: 'x' };
    const missing = await stage().send(who('admin'), 'PATCH', '/api/users', { body: nobody });
    expect(missing.status).toBe(404);
  });

  it('an e-mail belongs to one, in any case', async () => {
    const body = { id: who('sender').id, email: who('courier').email.toUpperCase() };
    const answer = await stage().send(who('sender'), 'PATCH', '/api/users', { body });
    expect([answer.status, answer.body.code]).toEqual([409, 'email_taken']);
  });

  it('a stale profile edit conflicts over the same field only', async () => {
    const person = await stage().person('Customer');
    const edit = (body: object) =>
      stage().send<WireUser & { code: string }>(person, 'PATCH', '/api/users', {
        body: { id: person.id, ...body },
      });
    const base = (await edit({})).body.version;
    expect((await edit({ address: 'A', baseVersion: base })).body.version).toBe(base + 1);
    expect((await edit({ firstName: 'Ladi', baseVersion: base })).status).toBe(200);
    const clash = await edit({ address: 'B', baseVersion: base });
    expect([clash.status, clash.body.code]).toEqual([409, 'conflict']);
  });
});
