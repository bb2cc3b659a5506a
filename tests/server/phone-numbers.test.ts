/** Numbers are read at the edge: E.164 from there on, however an app, of whatever age, spells them. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { WirePackage } from '#contract/package.ts';
import { fileStage, goodPassword, packageBody, profile } from './stage.ts';

const stage = fileStage();

const complaint = 'Please enter a valid phone number, for example 0803 123 4567.';

const newcomer = (phoneNumber: string) => ({
  ...profile,
  email: `${randomUUID()}@kaya.test`,
  password: goodPassword,
  phoneNumber,
  roles: ['Customer'],
});

/** Each way in: sends the number, and says where it comes back. */
const edges: Record<string, (phone: string) => Promise<{ status: number; body: unknown }>> = {
  'a new package': async (recipientPhone) => {
    const body = packageBody({ recipientPhone });
    return stage().send(await stage().person('Customer'), 'POST', '/api/packages', { body });
  },
  'an edited package': async (recipientPhone) => {
    const sender = await stage().person('Customer');
    return stage().patch(sender, await stage().created(sender), { recipientPhone });
  },
  "one's own profile": async (phoneNumber) => {
    const person = await stage().person('Customer');
    const body = { id: person.id, phoneNumber };
    return stage().edit(person, body);
  },
  'a new user': async (phoneNumber) => {
    const body = newcomer(phoneNumber);
    return stage().send(await stage().admin(), 'POST', '/api/users', { body });
  },
};

describe.each(Object.entries(edges))('%s', (_, send) => {
  it.each([
    ['0803 123 4567', '+2348031234567'],
    ['+234 (0) 803-123-4567', '+2348031234567'],
    ['+227 90 12 34 56', '+22790123456'],
  ])('takes %s as %s', async (typed, phone) => {
    const { status, body } = await send(typed);
    expect(status).toBeLessThan(300);
    expect(Object.values(body as object)).toContain(phone);
  });

  it.each(['0803 123 456', '+234 803 123 45678', '123456'])('refuses %s', async (typed) => {
    const { status, body } = await send(typed);
    expect(status).toBe(422);
    const { fields } = body as { fields: object };
    expect(Object.values(fields)).toEqual([complaint]);
  });
});

it('a number spelled in another way is no change', async () => {
  const sender = await stage().person('Customer');
  const pkg = await stage().created(sender, { recipientPhone: '0805 765 4321' });
  const body = { recipientPhone: '+234 805 765 4321' };
  const answer = await stage().patch(sender, pkg, body);
  expect(answer.body.version).toBe(pkg.version);
});

it('a create queued by an older app is taken, and its repeat answered with the same', async () => {
  const sender = await stage().person('Customer');
  const body = packageBody({ _id: randomUUID(), recipientPhone: '0803 123 4567' });
  const how = { body, headers: { 'idempotency-key': randomUUID() } };
  const first = await stage().send<WirePackage>(sender, 'POST', '/api/packages', how);
  const again = await stage().send<WirePackage>(sender, 'POST', '/api/packages', how);
  expect(first.body.recipientPhone).toBe('+2348031234567');
  expect([again.status, again.body._id, again.body.version]).toEqual([201, body._id, 1]);
});
