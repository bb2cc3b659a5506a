/** Limits that keep couriers from harvesting contacts. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { headers } from '#contract/headers.ts';
import type { WireUser } from '#contract/user.ts';
import { acceptance, fileStage, outcomeOf, type Person, packageBody, rejection } from './stage.ts';

const most = 3;
const perHour = 8;
const stage = fileStage({
  RATE_LIMIT: 'on',
  CALLS_PER_MINUTE: '100000',
  MAX_CARRIED: `${most}`,
  ACCEPTS_PER_HOUR: `${perHour}`,
  CREATES_PER_HOUR: '30',
});
const hourMs = 3_600_000;

const person = (role: 'Customer' | 'Employee') => stage().person(role);

function patch(who: Person, _id: string, body: object, key?: string) {
  const sent = key === undefined ? {} : { [headers.idempotencyKey]: key };
  return stage().patch(who, _id, body, sent);
}

const accept = (courier: Person, id: string, key?: string) =>
  patch(courier, id, acceptance(courier), key);
const giveBack = (courier: Person, id: string) => patch(courier, id, rejection);

async function offers(count: number): Promise<string[]> {
  const sender = await person('Customer');
  const made: string[] = [];
  for (let n = 0; n < count; n += 1) made.push((await stage().created(sender))._id);
  return made;
}

describe('packages carried by one courier', () => {
  it('are capped: the next is refused without its contacts until one is delivered', async () => {
    const courier = await person('Employee');
    const [extra = '', ...carried] = await offers(most + 1);
    for (const id of carried) expect((await accept(courier, id)).status).toBe(200);
    const key = randomUUID();
    const refused = await accept(courier, extra, key);
    expect(outcomeOf(refused)).toEqual([409, 'too_many_carried']);
    expect(refused.text).not.toContain('8057654321');
    const { body } = await stage().send(courier, 'GET', `/api/packages/${extra}`);
    expect(body).toMatchObject({ recipientPhone: null, deliveryPersonId: null, version: 1 });
    await patch(courier, carried[0] ?? '', { deliveryStatus: 'Delivered' });
    // A refusal is stored under its key; a retry is a new decision.
    expect((await accept(courier, extra, key)).status).toBe(409);
    expect((await accept(courier, extra)).status).toBe(200);
  });

  it('are capped as well for accepting changed terms', async () => {
    const [courier, sender] = await stage().people('Employee', 'Customer');
    for (const id of await offers(most)) await accept(courier, id);
    const { _id } = await stage().created(sender);
    await patch(sender, _id, { notes: 'Ring twice' });
    const refused = await patch(courier, _id, { ...acceptance(courier), baseVersion: 1 });
    expect(outcomeOf(refused)).toEqual([409, 'too_many_carried']);
  });

  it('may exceed the cap when a dispatcher assigns them', async () => {
    const [courier, admin] = [await person('Employee'), await stage().admin()];
    const [extra = '', ...carried] = await offers(most + 1);
    for (const id of carried) await accept(courier, id);
    expect((await patch(admin, extra, acceptance(courier))).status).toBe(200);
  });
});

describe('packages accepted in an hour', () => {
  it('are limited even if returned; the refusal has Retry-After and is not stored', async () => {
    const courier = await person('Employee');
    const ids = await offers(perHour + 1);
    for (const id of ids.slice(0, perHour)) {
      expect((await accept(courier, id)).status).toBe(200);
      expect((await giveBack(courier, id)).status).toBe(200);
    }
    const key = randomUUID();
    const last = ids.at(-1) ?? '';
    const refused = await accept(courier, last, key);
    expect(outcomeOf(refused)).toEqual([429, 'rate_limited']);
    expect(refused.headers['retry-after']).toBe(`${hourMs / 1000}`);
    stage().pass(hourMs);
    const later = await stage().again(courier);
    expect((await accept(later, last, key)).status).toBe(200);
  });

  it('exclude lost races and replays', async () => {
    const [courier, rival] = await stage().people('Employee', 'Employee');
    const [taken = '', ...ids] = await offers(1 + most);
    await accept(rival, taken);
    for (let n = 0; n < perHour; n += 1) {
      expect((await accept(courier, taken)).body.code).toBe('already_assigned');
    }
    const key = randomUUID();
    for (let n = 0; n < perHour; n += 1) {
      expect((await accept(courier, ids[0] ?? '', key)).status).toBe(200);
    }
    for (const id of ids.slice(1)) expect((await accept(courier, id)).status).toBe(200);
  });
});

describe('the number of returned packages', () => {
  const userFor = async (who: Person, id: string, query = '') => {
    const { body } = await stage().send<WireUser[]>(who, 'GET', `/api/users${query}`);
    return body.find(({ _id }) => _id === id);
  };

  it('is visible to admins only', async () => {
    const [courier, admin] = [await person('Employee'), await stage().admin()];
    const [kept = '', first = '', second = ''] = await offers(3);
    expect(await userFor(admin, courier.id)).not.toHaveProperty('givenBackAt');
    const before = await stage().send(admin, 'GET', '/api/users?since=');
    const cursor = String(before.headers[headers.syncCursor]);

    for (const id of [kept, first, second]) await accept(courier, id);
    await patch(courier, kept, { deliveryStatus: 'Delivered' });
    await giveBack(courier, first);
    const firstAt = stage().now().toISOString();
    stage().pass(24 * hourMs);
    const again = await stage().again(courier);
    await giveBack(again, second);
    const secondAt = stage().now().toISOString();

    const asAdmin = await stage().admin();
    expect((await userFor(asAdmin, courier.id))?.givenBackAt).toEqual([secondAt, firstAt]);
    // Clients that sync the user list get it too.
    const changed = await userFor(asAdmin, courier.id, `?since=${encodeURIComponent(cursor)}`);
    expect(changed?.givenBackAt).toEqual([secondAt, firstAt]);
    expect(await userFor(again, courier.id)).not.toHaveProperty('givenBackAt');
  });

  it('excludes packages that a dispatcher unassigned', async () => {
    const [courier, admin] = [await person('Employee'), await stage().admin()];
    const [id = ''] = await offers(1);
    await accept(courier, id);
    expect((await giveBack(admin, id)).status).toBe(200);
    expect(await userFor(admin, courier.id)).not.toHaveProperty('givenBackAt');
  });
});

it('packages created by one account in an hour are limited; replays do not count', async () => {
  const [sender, other] = await stage().people('Customer', 'Customer');
  const create = (who: Person, key: string = randomUUID()) =>
    stage().send(who, 'POST', '/api/packages', {
      body: packageBody(),
      headers: { [headers.idempotencyKey]: key },
    });
  const key = randomUUID();
  await create(sender, key);
  for (let n = 0; n < 29; n += 1) expect((await create(sender)).status).toBe(201);
  const late = randomUUID();
  const refused = await create(sender, late);
  expect(outcomeOf(refused)).toEqual([429, 'rate_limited']);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect((await create(sender, key)).status).toBe(201);
  expect((await create(other)).status).toBe(201);
  stage().pass(hourMs);
  expect((await create(await stage().again(sender), late)).status).toBe(201);
});
