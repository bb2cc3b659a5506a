/** Notifications: recipients, timing and content. */
import { sql } from 'drizzle-orm';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { PushKind, PushOffer } from '#contract/push.ts';
import { notificationQueue } from '#server/database/push-schema.ts';
import type { PushPhone } from '#tests/fakes/push-service.ts';
import {
  accept,
  createdPackage,
  deliver,
  filePushService,
  kindsAt,
  patch,
  pushEnvironment,
  reject,
  subscribed,
  told,
} from './push-stage.ts';
import { fileStage, type Person } from './stage.ts';

const stage = fileStage(pushEnvironment);
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

/** New users, all with phones subscribed to every kind. */
async function cast(): Promise<Cast> {
  const sender = await stage().person('Customer');
  const courier = await stage().person('Employee');
  const rival = await stage().person('Employee');
  const on = (who: Person, kinds: PushKind[]) => subscribed(stage(), who, service().phone(), kinds);
  const phones = {
    sender: await on(sender, ofSender),
    courier: await on(courier, ofCourier),
    rival: await on(rival, ofCourier),
  };
  return { sender, courier, rival, phones };
}

/** Every courier gets every offer: those of earlier tests are unsubscribed. */
async function silence(): Promise<void> {
  await stage().database.db.execute(sql`delete from push_subscriptions`);
}

describe('recipients', () => {
  it('are couriers for an offer and the sender for its progress, never the actor', async () => {
    await silence();
    const { sender, courier, phones } = await cast();
    const { _id: id, packageId } = await createdPackage(stage(), sender);
    await told(phones.courier, ['newPackage']);
    await told(phones.rival, ['newPackage']);
    expect((await accept(stage(), courier, id)).status).toBe(200);
    await told(phones.sender, ['accepted']);
    expect((await reject(stage(), courier, id)).status).toBe(200);
    await told(phones.sender, ['accepted', 'rejected']);
    // On offer again: to all but the courier who returned it.
    await told(phones.rival, ['newPackage', 'newPackage']);
    await accept(stage(), courier, id);
    expect((await deliver(stage(), courier, id)).status).toBe(200);
    await told(phones.sender, ['accepted', 'rejected', 'accepted', 'delivered']);
    expect(kindsAt(phones.courier)).toEqual(['newPackage']);
    expect(phones.sender.received.at(-1)?.message).toEqual({
      ...{ kind: 'delivered', id, packageId, naira: 1500, to: sender.id },
    });
  });

  it('are the courier a dispatcher assigns, and the sender', async () => {
    await silence();
    const { sender, courier, rival, phones } = await cast();
    const { _id: id } = await createdPackage(stage(), sender);
    await told(phones.rival, ['newPackage']);
    const assign = (who: Person) =>
      patch(stage(), admin, id, { deliveryPersonId: who.id, deliveryStatus: 'In Transit' });
    expect((await assign(courier)).status).toBe(200);
    await told(phones.courier, ['newPackage', 'assigned']);
    await told(phones.sender, ['accepted']);
    expect((await assign(rival)).status).toBe(200);
    await told(phones.rival, ['newPackage', 'assigned']);
    // The sender confirms the receipt, which is their own action.
    expect((await deliver(stage(), sender, id)).status).toBe(200);
    const next = await createdPackage(stage(), sender);
    await accept(stage(), courier, next._id);
    await told(phones.sender, ['accepted', 'accepted']);
  });

  it('get only the kinds they chose, on each of their phones', async () => {
    await silence();
    const { sender, courier, phones } = await cast();
    const second = await subscribed(stage(), sender, service().phone(), ['delivered']);
    await subscribed(stage(), courier, phones.courier, ['assigned']);
    const { _id: id } = await createdPackage(stage(), sender);
    await told(phones.rival, ['newPackage']);
    await accept(stage(), courier, id);
    await deliver(stage(), courier, id);
    await told(second, ['delivered']);
    await told(phones.sender, ['accepted', 'delivered']);
    expect(kindsAt(phones.courier)).toEqual([]);
  });

  it('get offers in their chosen area, and those without a known place', async () => {
    await silence();
    const { sender, courier, phones } = await cast();
    const { db } = stage().database;
    await db.execute(sql`alter table packages add column if not exists pickup_location jsonb`);
    const area = { lat: 12, lng: 8.59, km: 5 };
    await subscribed(stage(), courier, phones.courier, ['newPackage'], { area });
    const heard = () => phones.courier.received.map(({ message }) => message.id);
    const unknown = await createdPackage(stage(), sender);
    await vi.waitFor(() => expect(heard()).toEqual([unknown._id]));
    const marked = async (lat: number) => {
      const { _id: id } = unknown;
      const place = JSON.stringify({ lat, lng: 8.6 });
      await db.execute(sql`update packages set pickup_location = ${place}::jsonb where id = ${id}`);
      await db.execute(sql`insert into push_news (package_id, kind, actor_id, created_at)
        values (${id}, 'newPackage', ${sender.id}, now())`);
      return (await createdPackage(stage(), sender))._id;
    };
    const afterFar = await marked(12.1);
    await vi.waitFor(() => expect(heard()).toEqual([unknown._id, afterFar]));
    const afterNear = await marked(12.03);
    const all = [unknown._id, afterFar, unknown._id, afterNear];
    await vi.waitFor(() => expect(heard().sort()).toEqual(all.sort()));
  });

  it('get nothing about an offer that is gone before it is sent', async () => {
    await silence();
    const { sender, courier, phones } = await cast();
    const { db } = stage().database;
    const { _id: id } = await createdPackage(stage(), sender);
    await told(phones.rival, ['newPackage']);
    await accept(stage(), courier, id);
    await told(phones.sender, ['accepted']);
    // As left by a process that died between commit and sending.
    await db.execute(sql`insert into push_news (package_id, kind, actor_id, created_at)
      values (${id}, 'newPackage', ${sender.id}, now()), (${id}, 'delivered', ${courier.id}, now())`);
    await createdPackage(stage(), sender);
    await told(phones.sender, ['accepted', 'delivered']);
    await told(phones.rival, ['newPackage', 'newPackage']);
  });

  it('get nothing about refused or rolled-back changes', async () => {
    await silence();
    const { sender, courier, rival, phones } = await cast();
    const { _id: id } = await createdPackage(stage(), sender);
    await accept(stage(), courier, id);
    expect((await accept(stage(), rival, id)).status).toBe(409);
    expect((await deliver(stage(), rival, id)).status).toBe(404);
    await deliver(stage(), courier, id);
    await told(phones.sender, ['accepted', 'delivered']);
    expect(await stage().database.db.select().from(notificationQueue)).toEqual([]);
  });
});

describe('a message', () => {
  it('is signed for its push service, short-lived, and replaced by later ones', async () => {
    await silence();
    const { sender, courier, phones } = await cast();
    const { body: offer } = await stage().send<PushOffer>(sender, 'GET', '/api/push');
    const { _id: id } = await createdPackage(stage(), sender);
    await told(phones.rival, ['newPackage']);
    await accept(stage(), courier, id);
    await told(phones.sender, ['accepted']);
    const [toSender, toRival] = [phones.sender.received[0], phones.rival.received[0]];
    expect(toSender?.headers).toMatchObject({
      ...{ ttl: '86400', topic: id.replaceAll('-', ''), urgency: 'high' },
      'content-encoding': 'aes128gcm',
    });
    expect(toRival?.headers.ttl).toBe('3600');
    expect(toSender?.vapid.publicKey).toBe(offer.publicKey);
    expect(toSender?.vapid.claims.aud).toBe(new URL(phones.sender.endpoint).origin);
    expect(toSender?.vapid.claims.sub).toBe('mailto:push@kaya.invalid');
  });

  it('contains no name, address, number or text of users', async () => {
    await silence();
    const { sender, phones } = await cast();
    await createdPackage(stage(), sender, { description: 'For Musa, call 0805 765 4321' });
    await told(phones.rival, ['newPackage']);
    const { text } = phones.rival.received[0] ?? { text: '' };
    expect(Object.keys(JSON.parse(text)).sort()).toEqual([
      'id',
      'kind',
      'naira',
      'packageId',
      'to',
    ]);
    expect(text).not.toMatch(/Musa|Kofar|Zoo|0805|0803|Amina|Bello|kaya\.test/);
  });
});

describe('VAPID keys', () => {
  it('are one pair across restarts and servers', async () => {
    const key = async (at = stage()) =>
      (await at.send<PushOffer>(admin, 'GET', '/api/push')).body.publicKey;
    expect(await key(await stage().another())).toBe(await key());
    expect(Buffer.from(await key(), 'base64url')).toHaveLength(65);
  });
});
