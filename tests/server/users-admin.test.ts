import { randomUUID } from 'node:crypto';
import { parse } from 'valibot';
import { beforeAll, describe, expect, it } from 'vitest';
import { headers } from '#contract/headers.ts';
import { userSchema, type WireUser } from '#contract/user.ts';
import { patchUser } from '#server/modules/users/service.ts';
import { createdPackage, fileStage, goodPassword, type Person } from './stage.ts';

const stage = fileStage();
let admin: Person;
beforeAll(async () => {
  admin = await stage().admin();
});

type Body = WireUser & { code: string; current: WireUser; missing: number };
const call = (
  who: Person,
  method: 'POST' | 'PATCH' | 'DELETE',
  body: object,
  path = '/api/users',
  key?: string,
) =>
  stage().send<Body>(who, method, path, {
    body,
    ...(key === undefined ? {} : { headers: { [headers.idempotencyKey]: key } }),
  });

const newUser = (changes: object = {}) => ({
  firstName: 'Sani',
  lastName: 'Bello',
  email: `${randomUUID()}@kaya.test`,
  phoneNumber: '0803 123 4567',
  roles: ['Employee'],
  password: goodPassword,
  ...changes,
});
const adjust = (who: Person, id: string, amount: number, key?: string) =>
  call(who, 'PATCH', { id, amount, reason: 'Counted again' }, '/api/users/balance', key);

async function secondAdmin(): Promise<Person> {
  const body = newUser({ roles: ['Admin'] });
  expect((await call(admin, 'POST', body)).status).toBe(201);
  return stage().signIn(body.email);
}

describe('adding a user', () => {
  it('creates a user who can sign in, once per key', async () => {
    const body = newUser({ vehicle: 'Bike' });
    const key = randomUUID();
    const made = await call(admin, 'POST', body, '/api/users', key);
    expect(made.status, made.text).toBe(201);
    expect(parse(userSchema, made.body)).toMatchObject({
      ...{ firstName: 'Sani', vehicle: 'Bike', roles: ['Employee'], balance: 0, active: true },
    });
    const again = await call(admin, 'POST', body, '/api/users', key);
    expect([again.status, again.text]).toEqual([201, made.text]);
    expect(again.headers[headers.idempotencyReplayed]).toBe('true');
    expect((await stage().signIn(body.email)).id).toBe(made.body._id);
  });
});

describe('editing', () => {
  it("allows one's own vehicle, but not one's own roles or active flag", async () => {
    const person = await stage().person('Employee');
    const edited = await call(person, 'PATCH', { id: person.id, vehicle: 'Van' });
    expect([edited.status, edited.body.vehicle]).toEqual([200, 'Van']);
    for (const change of [{ roles: ['Admin'] }, { active: true }, { active: false }]) {
      const { status, body } = await call(person, 'PATCH', { id: person.id, ...change });
      expect([status, body.code]).toEqual([403, 'forbidden']);
    }
  });

  it('versions a role like any field, and returns the user with a conflict', async () => {
    const person = await stage().person('Customer');
    const { body: before } = await call(admin, 'PATCH', { id: person.id, vehicle: 'Van' });
    const { body } = await call(admin, 'PATCH', { id: person.id, roles: ['Employee'] });
    expect(body.version).toBe(before.version + 1);
    const same = await call(admin, 'PATCH', { id: person.id, roles: ['Employee'] });
    expect(same.body.version).toBe(body.version);
    const stale = { id: person.id, roles: ['Customer'], baseVersion: before.version };
    const conflict = await call(admin, 'PATCH', stale);
    expect([conflict.status, conflict.body.code]).toEqual([409, 'conflict']);
    expect(conflict.body).toHaveProperty('fields', { roles: expect.any(String) });
    expect(conflict.body.current).toEqual(body);
  });
});

describe('deactivating', () => {
  it('makes a courier unassignable', async () => {
    const courier = await stage().person('Employee');
    const { _id } = await createdPackage(stage(), await stage().person('Customer'));
    await call(admin, 'PATCH', { id: courier.id, active: false });
    const body = { deliveryPersonId: courier.id, deliveryStatus: 'In Transit' };
    const assigned = await call(admin, 'PATCH', body, `/api/packages/${_id}`);
    expect([assigned.status, assigned.body.code]).toEqual([422, 'invalid_fields']);
  });
});

describe('the last admin', () => {
  it('cannot be removed, even if two admins revoke each other at once', async () => {
    for (const change of [{ active: false }, { roles: ['Customer'] }]) {
      const alone = await call(admin, 'PATCH', { id: admin.id, ...change });
      expect([alone.status, alone.body.code]).toEqual([409, 'last_admin']);
    }
    const other = await secondAdmin();
    const { database, now } = stage();
    const demote = (by: Person, whom: Person) =>
      database.db.transaction((tx) =>
        patchUser(tx, {
          actor: { id: by.id, role: 'Admin', isProfileComplete: true },
          sessionId: randomUUID(),
          body: { id: whom.id, roles: ['Customer'] },
          passwordHash: undefined,
          now: now(),
        }),
      );
    const [first, second] = await Promise.allSettled([demote(admin, other), demote(other, admin)]);
    const refused = first.status === 'rejected' ? first : second;
    expect([first.status, second.status].sort()).toEqual(['fulfilled', 'rejected']);
    expect(refused).toMatchObject({ reason: { code: 'last_admin' } });
    if (second.status === 'fulfilled') admin = other;
  });
});

describe('adjusting a balance', () => {
  it('credits and debits, once per key, never below zero', async () => {
    const person = await stage().person('Customer');
    const key = randomUUID();
    expect((await adjust(admin, person.id, 100.5, key)).body.balance).toBe(100.5);
    expect((await adjust(admin, person.id, 100.5, key)).body.balance).toBe(100.5);
    expect((await adjust(admin, person.id, -50)).body.balance).toBe(50.5);
    const missing = await adjust(admin, person.id, -51);
    expect([missing.status, missing.body.code]).toEqual([402, 'insufficient_funds']);
    expect(missing.body.missing).toBe(0.5);
    const { body } = await stage().send<WireUser[]>(person, 'GET', '/api/users');
    expect(body[0]?.balance).toBe(50.5);
    const refused = await adjust(person, person.id, 5);
    expect([refused.status, refused.body.code]).toEqual([403, 'forbidden']);
    expect((await adjust(admin, randomUUID(), 5)).status).toBe(404);
  });
});

describe('a sign-up whose reply was lost', () => {
  it('is replayed with a session of the same user to the holder of key and password', async () => {
    const body = { email: `${randomUUID()}@kaya.test`, password: goodPassword, role: 'Customer' };
    const signUp = (key: string | null, changes: object = {}) =>
      stage().send(null, 'POST', '/api/auth/signup', {
        body: { ...body, ...changes },
        headers: key === null ? {} : { [headers.idempotencyKey]: key },
      });
    const key = randomUUID();
    const first = await signUp(key);
    const again = await signUp(key);
    expect([again.status, again.body.user._id]).toEqual([201, first.body.user._id]);
    expect(first.headers[headers.idempotencyReplayed]).toBeUndefined();
    expect(again.headers[headers.idempotencyReplayed]).toBe('true');
    const who = { id: '', email: '', token: again.body.accessToken, cookie: '' };
    expect((await stage().send(who, 'GET', '/api/users')).status).toBe(200);
    const others = [signUp(null), signUp(randomUUID()), signUp(key, { password: 'another-one' })];
    for (const other of await Promise.all(others)) {
      expect([other.status, other.body.code]).toEqual([409, 'email_taken']);
    }
  });
});
