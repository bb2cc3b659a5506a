/** The server asks the policy: one row per user and call (the policy itself is a unit test). */
import { parse } from 'valibot';
import { beforeAll, describe, expect, it } from 'vitest';
import { isRemoved, userListSchema } from '#contract/delta.ts';
import type { WirePackage } from '#contract/package.ts';
import type { WireUser } from '#contract/user.ts';
import { fileStage, outcomeOf, type Person } from './stage.ts';

const stage = fileStage();

const people: Record<string, Person> = {};
const who = (name: string): Person => {
  const person = people[name];
  if (!person) throw new Error(`Nobody is called ${name}`);
  return person;
};
let onOffer: WirePackage;
let assigned: WirePackage;

beforeAll(async () => {
  people.sender = await stage().person('Customer', 'Sender');
  people.stranger = await stage().person('Customer', 'Stranger');
  people.courier = await stage().person('Employee', 'Courier');
  people.rival = await stage().person('Employee', 'Rival');
  people.admin = await stage().admin();
  onOffer = await stage().created(who('sender'), { notes: 'On offer' });
  assigned = await stage().created(who('sender'), { notes: 'Assigned' });
  const accepted = await stage().accept(who('courier'), assigned);
  expect(accepted.status).toBe(200);
});

describe('package visibility', () => {
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
      const { recipientPhone, recipientEmail, senderId } = body;
      return [recipientPhone, recipientEmail, senderId.phoneNumber, senderId.email];
    };
    const nothing = [null, null, null, null];
    expect(await read('courier', onOffer)).toEqual(nothing);
    expect(await read('rival', onOffer)).toEqual(nothing);
    const contacts = ['+2348057654321', 'musa@kaya.test', '+2348031234567', null];
    expect(await read('courier', assigned)).toEqual(contacts);
    const { text } = await stage().send(who('rival'), 'GET', '/api/packages');
    expect(text).not.toMatch(/8057654321|musa@kaya\.test|8031234567/);
  });

  it('does not reveal a withheld field to a courier who guesses it', async () => {
    const right = await stage().patch(who('rival'), onOffer, { recipientPhone: '0805 765 4321' });
    const wrong = await stage().patch(who('rival'), onOffer, { recipientPhone: '0805 000 0000' });
    expect([right.status, wrong.status]).toEqual([403, 403]);
  });
});

describe('permissions', () => {
  const edit = { description: 'Changed' };
  it.each<[string, 'on offer' | 'assigned', object | 'delete', number, string]>([
    ['stranger', 'on offer', {}, 404, 'not_found'],
    ['stranger', 'on offer', 'delete', 404, 'not_found'],
    ['rival', 'on offer', edit, 403, 'forbidden'],
    ['rival', 'assigned', { deliveryStatus: 'Delivered' }, 404, 'not_found'],
    ['sender', 'on offer', { deliveryStatus: 'In Transit' }, 409, 'courier_required'],
    ['sender', 'assigned', edit, 409, 'invalid_state'],
    ['admin', 'assigned', 'delete', 409, 'courier_assigned'],
  ])('%s, %s: %o is %i %s', async (name, state, action, status, code) => {
    const pkg = state === 'on offer' ? onOffer : assigned;
    const answer =
      action === 'delete'
        ? await stage().send(who(name), 'DELETE', `/api/packages/${pkg._id}`)
        : await stage().patch(who(name), pkg, action);
    expect(outcomeOf(answer)).toEqual([status, code]);
  });
});

describe('user visibility', () => {
  const list = async (name: string): Promise<WireUser[]> => {
    const { body } = await stage().send(who(name), 'GET', '/api/users');
    return parse(userListSchema, body).flatMap((row) => (isRemoved(row) ? [] : [row]));
  };

  it("includes one's own full profile, and others only through a shared package", async () => {
    const users = await list('stranger');
    expect(users.map((user) => user._id)).toEqual([who('stranger').id]);
    expect(users[0]).toMatchObject({ email: who('stranger').email, balance: 0 });
  });

  it.each([
    ['sender', 'courier'],
    ['courier', 'sender'],
  ])('%s sees only name and phone of the %s', async (reader, other) => {
    const users = await list(reader);
    expect(users).toHaveLength(2);
    expect(users.find((user) => user._id === who(other).id)).toMatchObject({
      firstName: other === 'courier' ? 'Courier' : 'Sender',
      phoneNumber: '+2348031234567',
      email: null,
      address: null,
      vehicle: null,
      balance: null,
      roles: [],
    });
  });

  it('is complete for an admin', async () => {
    const ids = (await list('admin')).map((user) => user._id);
    for (const name of Object.keys(people)) expect(ids).toContain(who(name).id);
  });
});
