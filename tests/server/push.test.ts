/** Notifications: recipients, timing and content, and when a phone gets no more of them. */
import { eq, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { PushKind, PushOffer } from '#contract/push.ts';
import { pushSubscriptions } from '#server/database/push-schema.ts';
import { subscriptionsPerUser } from '#server/modules/notifications/repository.ts';
import type { PushPhone } from '#tests/fakes/push-service.ts';
import { packageCalls } from './package-calls.ts';
import { filePushService, kindsAt, pushEnvironment, subscribed, told } from './push-stage.ts';
import { fileStage, type Person } from './stage.ts';

const stage = fileStage(pushEnvironment);
const { steps } = packageCalls(stage);
const service = filePushService();
const ofSender: PushKind[] = ['accepted', 'delivered', 'rejected'];
const ofCourier: PushKind[] = ['newPackage', 'assigned'];
let admin: Person;

beforeAll(async () => {
  admin = await stage().admin();
});

interface Cast {
  sender: Person;
  courier: Person;
  rival: Person;
  phones: Record<'sender' | 'courier' | 'rival', PushPhone>;
}

/**
 * New users, all with phones subscribed to every kind. Every courier gets every offer: those of
 * earlier tests are unsubscribed.
 */
async function cast(): Promise<Cast> {
  await stage().db.delete(pushSubscriptions);
  const [sender, courier, rival] = await stage().people('Customer', 'Employee', 'Employee');
  const on = (who: Person, kinds: PushKind[]) => subscribed(stage(), who, service().phone(), kinds);
  const phones = {
    sender: await on(sender, ofSender),
    courier: await on(courier, ofCourier),
    rival: await on(rival, ofCourier),
  };
  return { sender, courier, rival, phones };
}

describe('recipients', () => {
  it('are couriers for an offer and the sender for its progress, never the actor', async () => {
    const { sender, courier, phones } = await cast();
    const { _id: id, packageId } = await stage().created(sender);
    await told(phones.courier, ['newPackage']);
    await told(phones.rival, ['newPackage']);
    // Nothing else: a push may be read on a lock screen and by the next user of the phone.
    const content = { id, packageId, naira: 1500 };
    expect(phones.courier.received[0]?.message).toEqual({
      kind: 'newPackage',
      to: courier.id,
      ...content,
    });
    expect((await stage().accept(courier, id)).status).toBe(200);
    await told(phones.sender, ['accepted']);
    expect((await stage().reject(courier, id)).status).toBe(200);
    await told(phones.sender, ['accepted', 'rejected']);
    // On offer again: to all but the courier who returned it.
    await told(phones.rival, ['newPackage', 'newPackage']);
    await stage().accept(courier, id);
    // What is unsent is replaced by a later state.
    await told(phones.sender, ['accepted', 'rejected', 'accepted']);
    expect((await stage().deliver(courier, id)).status).toBe(200);
    await told(phones.sender, ['accepted', 'rejected', 'accepted', 'delivered']);
    expect(kindsAt(phones.courier)).toEqual(['newPackage']);
    expect(phones.sender.received.at(-1)?.message).toEqual({
      kind: 'delivered',
      to: sender.id,
      ...content,
    });
  });

  it('hear of the steps of a delivery, and why an attempt failed', async () => {
    const { sender, courier, phones } = await cast();
    const { _id: id } = await stage().created(sender);
    await stage().accept(courier, id);
    await told(phones.sender, ['accepted']);
    await steps(id, [courier, 'picked_up']);
    await told(phones.sender, ['accepted', 'pickedUp']);
    await steps(id, [courier, 'attempt_failed', { reason: 'closed' }]);
    await told(phones.sender, ['accepted', 'pickedUp', 'attemptFailed']);
    expect(phones.sender.received.at(-1)?.message).toMatchObject({ reason: 'closed' });
    await steps(id, [courier, 'return_started'], [admin, 'returned']);
    await told(phones.sender, ['accepted', 'pickedUp', 'attemptFailed', 'returned']);
  });

  it('are the courier a dispatcher assigns, and the sender', async () => {
    const { sender, courier, rival, phones } = await cast();
    const { _id: id } = await stage().created(sender);
    await told(phones.rival, ['newPackage']);
    const assign = (who: Person) =>
      stage().patch(admin, id, { deliveryPersonId: who.id, deliveryStatus: 'In Transit' });
    expect((await assign(courier)).status).toBe(200);
    await told(phones.courier, ['newPackage', 'assigned']);
    await told(phones.sender, ['accepted']);
    expect((await assign(rival)).status).toBe(200);
    await told(phones.rival, ['newPackage', 'assigned']);
    // The sender confirms the receipt, which is their own action.
    expect((await stage().deliver(sender, id)).status).toBe(200);
    const next = await stage().created(sender);
    await stage().accept(courier, next._id);
    await told(phones.sender, ['accepted', 'accepted']);
  });

  it('get only the kinds they chose, on each of their phones', async () => {
    const { sender, courier, phones } = await cast();
    const second = await subscribed(stage(), sender, service().phone(), ['delivered']);
    await subscribed(stage(), courier, phones.courier, ['assigned']);
    const { _id: id } = await stage().created(sender);
    await told(phones.rival, ['newPackage']);
    await stage().accept(courier, id);
    await told(phones.sender, ['accepted']);
    await stage().deliver(courier, id);
    await told(second, ['delivered']);
    await told(phones.sender, ['accepted', 'delivered']);
    expect(kindsAt(phones.courier)).toEqual([]);
  });

  it('get offers in their chosen area, and those without a known place', async () => {
    const { sender, courier, phones } = await cast();
    const { db } = stage().database;
    await db.execute(sql`alter table packages add column if not exists pickup_location jsonb`);
    const area = { lat: 12, lng: 8.59, km: 5 };
    await subscribed(stage(), courier, phones.courier, ['newPackage'], { area });
    const heard = () => phones.courier.received.map(({ message }) => message.id);
    const unknown = await stage().created(sender);
    await vi.waitFor(() => expect(heard()).toEqual([unknown._id]));
    const marked = async (lat: number) => {
      const { _id: id } = unknown;
      const place = JSON.stringify({ lat, lng: 8.6 });
      await db.execute(sql`update packages set pickup_location = ${place}::jsonb where id = ${id}`);
      await db.execute(sql`insert into push_news (package_id, kind, actor_id, created_at)
        values (${id}, 'newPackage', ${sender.id}, now())`);
      return (await stage().created(sender))._id;
    };
    const afterFar = await marked(12.1);
    await vi.waitFor(() => expect(heard()).toEqual([unknown._id, afterFar]));
    const afterNear = await marked(12.03);
    const all = [unknown._id, afterFar, unknown._id, afterNear];
    await vi.waitFor(() => expect(heard().sort()).toEqual(all.sort()));
  });

  it('get nothing about an offer that is gone before it is sent', async () => {
    const { sender, courier, phones } = await cast();
    const { _id: id } = await stage().created(sender);
    await told(phones.rival, ['newPackage']);
    await stage().accept(courier, id);
    await told(phones.sender, ['accepted']);
    // As left by a process that died between commit and sending.
    await stage().db.execute(sql`insert into push_news (package_id, kind, actor_id, created_at)
      values (${id}, 'newPackage', ${sender.id}, now()), (${id}, 'delivered', ${courier.id}, now())`);
    await stage().created(sender);
    await told(phones.sender, ['accepted', 'delivered']);
    await told(phones.rival, ['newPackage', 'newPackage']);
  });
});

it('a message is signed for its push service, short-lived, and replaced by later ones', async () => {
  const { sender, courier, phones } = await cast();
  const { body: offer } = await stage().send<PushOffer>(sender, 'GET', '/api/push');
  const { _id: id } = await stage().created(sender);
  await told(phones.rival, ['newPackage']);
  await stage().accept(courier, id);
  await told(phones.sender, ['accepted']);
  const [toSender, toRival] = [phones.sender.received[0], phones.rival.received[0]];
  expect(toSender?.headers).toMatchObject({
    ttl: '86400',
    topic: id.replaceAll('-', ''),
    urgency: 'high',
    'content-encoding': 'aes128gcm',
  });
  expect(toRival?.headers.ttl).toBe('3600');
  expect(toSender?.vapid.publicKey).toBe(offer.publicKey);
  expect(toSender?.vapid.claims.aud).toBe(new URL(phones.sender.endpoint).origin);
  expect(toSender?.vapid.claims.sub).toBe('mailto:push@kaya.invalid');
});

it('VAPID keys are one pair across restarts and servers', async () => {
  const key = async (at = stage()) =>
    (await at.send<PushOffer>(admin, 'GET', '/api/push')).body.publicKey;
  expect(await key(await stage().another())).toBe(await key());
  expect(Buffer.from(await key(), 'base64url')).toHaveLength(65);
});

const rowsOf = (who: Person) =>
  stage()
    .db.select()
    .from(pushSubscriptions)
    .where(eq(pushSubscriptions.userId, who.id))
    .orderBy(pushSubscriptions.createdAt);

async function on(who: Person, kinds: PushKind[] = ofSender) {
  return subscribed(stage(), who, service().phone(), kinds);
}

describe('a phone gets no more notifications', () => {
  const logOut = ({ cookie }: Person) =>
    stage().send(null, 'POST', '/api/auth/logout', { headers: { cookie } });
  const changePassword = (who: Person) =>
    stage().edit(who, { id: who.id, password: 'the-next-good-password' });
  const deactivate = ({ id }: Person) =>
    stage().send(admin, 'DELETE', '/api/users', { body: { id } });

  it.each([
    ['its session logs out', logOut, [1]],
    ['a new password ends its session', changePassword, [0]],
    ['its user is deactivated', deactivate, []],
  ])('after %s', async (_, end, left) => {
    const first = await stage().person('Customer');
    const phones = [await on(first), await on(await stage().again(first))];
    expect((await end(first)).status).toBe(200);
    const endpoints = (await rowsOf(first)).map(({ endpoint }) => endpoint);
    expect(endpoints).toEqual(left.map((index) => phones[index]?.endpoint));
  });

  it('that do not fit a new role', async () => {
    const person = await stage().person('Customer');
    const phone = await on(person);
    const become = (roles: string[]) => stage().edit(admin, { id: person.id, roles });
    expect((await become(['Customer', 'Employee'])).status).toBe(200);
    expect(await rowsOf(person)).toEqual([]);
    await subscribed(stage(), person, phone, ['newPackage', 'assigned']);
    expect((await become(['Employee'])).status).toBe(200);
    expect((await rowsOf(person)).map(({ kinds }) => kinds)).toEqual([['newPackage', 'assigned']]);
    expect((await become(['Admin'])).status).toBe(200);
    expect(await rowsOf(person)).toEqual([]);
  });

  it('after unsubscribing, which only its user can do', async () => {
    const [sender, stranger] = await stage().people('Customer', 'Customer');
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
    const [sender, next] = await stage().people('Customer', 'Customer');
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
    const [sender, courier] = await stage().people('Customer', 'Employee');
    const other = await stage().again(sender);
    const [left, speaking] = [await on(sender), await on(other)];
    const [row] = (await rowsOf(sender)).filter(({ endpoint }) => endpoint === left.endpoint);
    await stage().send(null, 'POST', '/api/auth/logout', { headers: { cookie: sender.cookie } });
    if (row) await stage().db.insert(pushSubscriptions).values(row);
    const { _id: id } = await stage().created(other);
    await stage().accept(courier, id);
    await told(speaking, ['accepted']);
    expect(kindsAt(left)).toEqual([]);
    await stage().db.execute(sql`delete from push_subscriptions`);
  });
});
