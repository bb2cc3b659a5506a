import { randomUUID } from 'node:crypto';
import { parse } from 'valibot';
import { beforeAll, describe, expect, it } from 'vitest';
import { headers } from '#contract/headers.ts';
import { userSchema, type WireUser } from '#contract/user.ts';
import { acceptance, fileStage, goodPassword, outcomeOf, type Person, profile } from './stage.ts';

const stage = fileStage();
let admin: Person;
beforeAll(async () => {
  admin = await stage().admin();
});

type Body = WireUser & { code: string; current: WireUser; missing: number };
function call(who: Person, method: 'POST' | 'PATCH', body: object, key?: string, at = '') {
  const sent: Record<string, string> = key === undefined ? {} : { [headers.idempotencyKey]: key };
  return stage().send<Body>(who, method, `/api/users${at}`, { body, headers: sent });
}

const adjust = (id: string, amount: number, key?: string) =>
  call(admin, 'PATCH', { id, amount, reason: 'Counted again' }, key, '/balance');

it('adding a user creates a user who can sign in, once per key', async () => {
  const email = `${randomUUID()}@kaya.test`;
  const account = { email, roles: ['Employee'], password: goodPassword };
  const body = { ...profile, ...account, vehicle: 'Bike' };
  const key = randomUUID();
  const made = await call(admin, 'POST', body, key);
  expect(made.status, made.text).toBe(201);
  expect(parse(userSchema, made.body)).toMatchObject({
    firstName: 'Amina',
    vehicle: 'Bike',
    roles: ['Employee'],
    balance: 0,
    active: true,
  });
  const again = await call(admin, 'POST', body, key);
  expect([again.status, again.text]).toEqual([201, made.text]);
  expect(again.headers[headers.idempotencyReplayed]).toBe('true');
  expect((await stage().signIn(body.email)).id).toBe(made.body._id);
});

describe('editing', () => {
  it("allows one's own vehicle, but not one's own roles or active flag", async () => {
    const person = await stage().person('Employee');
    const edited = await call(person, 'PATCH', { id: person.id, vehicle: 'Van' });
    expect([edited.status, edited.body.vehicle]).toEqual([200, 'Van']);
    for (const change of [{ roles: ['Admin'] }, { active: true }, { active: false }]) {
      const answer = await call(person, 'PATCH', { id: person.id, ...change });
      expect(outcomeOf(answer)).toEqual([403, 'forbidden']);
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
    expect(outcomeOf(conflict)).toEqual([409, 'conflict']);
    expect(conflict.body).toHaveProperty('fields', { roles: expect.any(String) });
    expect(conflict.body.current).toEqual(body);
  });
});

it('deactivating makes a courier unassignable', async () => {
  const courier = await stage().person('Employee');
  const { _id } = await stage().created(await stage().person('Customer'));
  await call(admin, 'PATCH', { id: courier.id, active: false });
  const assigned = await stage().patch(admin, _id, acceptance(courier));
  expect(outcomeOf(assigned)).toEqual([422, 'invalid_fields']);
});

it('the last admin cannot be removed', async () => {
  for (const change of [{ active: false }, { roles: ['Customer'] }]) {
    const alone = await call(admin, 'PATCH', { id: admin.id, ...change });
    expect(outcomeOf(alone)).toEqual([409, 'last_admin']);
  }
});

it('adjusting a balance credits and debits, once per key, never below zero', async () => {
  const person = await stage().person('Customer');
  const key = randomUUID();
  expect((await adjust(person.id, 100.5, key)).body.balance).toBe(100.5);
  expect((await adjust(person.id, 100.5, key)).body.balance).toBe(100.5);
  expect((await adjust(person.id, -50)).body.balance).toBe(50.5);
  const missing = await adjust(person.id, -51);
  expect(outcomeOf(missing)).toEqual([402, 'insufficient_funds']);
  expect(missing.body.missing).toBe(0.5);
  const { body } = await stage().send<WireUser[]>(person, 'GET', '/api/users');
  expect(body[0]?.balance).toBe(50.5);
});

it('a sign-up whose reply was lost is replayed with a session of the same user to the holder of key and password', async () => {
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
    expect(outcomeOf(other)).toEqual([409, 'email_taken']);
  }
});
