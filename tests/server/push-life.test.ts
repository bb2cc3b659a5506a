/** When a phone stops getting notifications: its session, its user's role, its own choice. */
import { eq, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import type { PushKind } from '#contract/push.ts';
import { pushSubscriptions } from '#server/database/push-schema.ts';
import { subscriptionsPerUser } from '#server/modules/notifications/repository.ts';
import {
  accept,
  createdPackage,
  filePushService,
  kindsAt,
  pushEnvironment,
  subscribed,
  told,
} from './push-stage.ts';
import { fileStage, type Person } from './stage.ts';

const stage = fileStage(pushEnvironment);
const service = filePushService();
const ofSender: PushKind[] = ['accepted', 'delivered', 'rejected'];
let admin: Person;

beforeAll(async () => {
  admin = await stage().admin();
});

const rowsOf = (who: Person) =>
  stage()
    .database.db.select()
    .from(pushSubscriptions)
    .where(eq(pushSubscriptions.userId, who.id))
    .orderBy(pushSubscriptions.createdAt);

async function on(who: Person, kinds: PushKind[] = ofSender) {
  return subscribed(stage(), who, service().phone(), kinds);
}

describe('a phone gets no more notifications', () => {
  it("after its session logs out, while the user's other phones continue", async () => {
    const first = await stage().person('Customer');
    const second = await stage().signIn(first.email);
    const courier = await stage().person('Employee');
    const [silent, speaking] = [await on(first), await on(second)];
    const headers = { cookie: first.cookie };
    expect((await stage().send(null, 'POST', '/api/auth/logout', { headers })).status).toBe(200);
    expect((await rowsOf(first)).map(({ endpoint }) => endpoint)).toEqual([speaking.endpoint]);
    const { _id: id } = await createdPackage(stage(), second);
    await accept(stage(), courier, id);
    await told(speaking, ['accepted']);
    expect(kindsAt(silent)).toEqual([]);
  });

  it('after its user is deactivated', async () => {
    const sender = await stage().person('Customer');
    await on(sender);
    await stage().send(admin, 'DELETE', '/api/users', { body: { id: sender.id } });
    expect(await rowsOf(sender)).toEqual([]);
  });

  it('after a new password ends its session', async () => {
    const sender = await stage().person('Customer');
    const other = await stage().signIn(sender.email);
    const [kept] = [await on(sender), await on(other)];
    const body = { id: sender.id, password: 'the-next-good-password' };
    expect((await stage().send(sender, 'PATCH', '/api/users', { body })).status).toBe(200);
    expect((await rowsOf(sender)).map(({ endpoint }) => endpoint)).toEqual([kept.endpoint]);
  });

  it('that do not fit a new role', async () => {
    const person = await stage().person('Customer');
    const phone = await on(person);
    const become = (roles: string[]) =>
      stage().send(admin, 'PATCH', '/api/users', { body: { id: person.id, roles } });
    expect((await become(['Customer', 'Employee'])).status).toBe(200);
    expect(await rowsOf(person)).toEqual([]);
    await subscribed(stage(), person, phone, ['newPackage', 'assigned']);
    expect((await become(['Employee'])).status).toBe(200);
    expect((await rowsOf(person)).map(({ kinds }) => kinds)).toEqual([['newPackage', 'assigned']]);
    expect((await become(['Admin'])).status).toBe(200);
    expect(await rowsOf(person)).toEqual([]);
  });

  it('after unsubscribing, which only its user can do', async () => {
    const sender = await stage().person('Customer');
    const stranger = await stage().person('Customer');
    const { endpoint } = await on(sender);
    const end = (who: Person) => stage().send(who, 'DELETE', '/api/push', { body: { endpoint } });
    expect((await end(stranger)).status).toBe(200);
    expect(await rowsOf(sender)).toHaveLength(1);
    expect((await end(sender)).status).toBe(200);
    expect(await rowsOf(sender)).toEqual([]);
    expect((await end(sender)).status).toBe(200);
  });
});

describe('a subscription', () => {
  it('belongs to the last user signed in on the phone', async () => {
    const sender = await stage().person('Customer');
    const next = await stage().person('Customer');
    const phone = await on(sender);
    await subscribed(stage(), next, phone, ['accepted']);
    expect(await rowsOf(sender)).toEqual([]);
    expect((await rowsOf(next)).map(({ kinds }) => kinds)).toEqual([['accepted']]);
  });

  it('stores its area to a hundredth of a degree, and none for everywhere', async () => {
    const courier = await stage().person('Employee');
    const area = { lat: 12.002234, lng: 8.591977, km: 10 };
    const phone = await subscribed(stage(), courier, service().phone(), ['newPackage'], { area });
    const [kept] = await rowsOf(courier);
    expect([kept?.areaLat, kept?.areaLng, kept?.areaKm]).toEqual([12, 8.59, 10]);
    await subscribed(stage(), courier, phone, ['newPackage']);
    expect((await rowsOf(courier))[0]).toMatchObject({ areaLat: null, areaLng: null });
  });

  it('is one of ten at most: the least recently notified phone is dropped', async () => {
    const sender = await stage().person('Customer');
    const phones = [];
    for (let count = 0; count < subscriptionsPerUser + 2; count += 1) {
      stage().pass(1000);
      phones.push((await on(sender)).endpoint);
    }
    expect((await rowsOf(sender)).map(({ endpoint }) => endpoint)).toEqual(phones.slice(2));
  });

  it('gets nothing after its session ends, even if its row is left', async () => {
    const sender = await stage().person('Customer');
    const courier = await stage().person('Employee');
    const other = await stage().signIn(sender.email);
    const [left, speaking] = [await on(sender), await on(other)];
    const { db } = stage().database;
    const [row] = (await rowsOf(sender)).filter(({ endpoint }) => endpoint === left.endpoint);
    await stage().send(null, 'POST', '/api/auth/logout', { headers: { cookie: sender.cookie } });
    if (row) await db.insert(pushSubscriptions).values(row);
    const { _id: id } = await createdPackage(stage(), other);
    await accept(stage(), courier, id);
    await told(speaking, ['accepted']);
    expect(kindsAt(left)).toEqual([]);
    await db.execute(sql`delete from push_subscriptions`);
  });
});
