import { bigint, doublePrecision, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import type { NewsKind, PushKind } from '#contract/push.ts';
import { moment } from './columns.ts';
import { packages, sessions, users } from './schema.ts';

/** A subscribed browser. A trigger deletes it with its session. */
export const pushSubscriptions = pgTable(
  'push_subscriptions',
  {
    endpoint: text('endpoint').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    sessionId: uuid('session_id')
      .notNull()
      .references(() => sessions.id, { onDelete: 'cascade' }),
    p256dh: text('p256dh').notNull(),
    auth: text('auth').notNull(),
    kinds: text('kinds').array().notNull().$type<PushKind[]>(),
    /** Null: everywhere. Degrees, to 0.01; kilometres. */
    areaLat: doublePrecision('area_lat'),
    areaLng: doublePrecision('area_lng'),
    areaKm: doublePrecision('area_km'),
    createdAt: moment('created_at').notNull(),
    succeededAt: moment('succeeded_at'),
    /** Consecutive failures, and when they began. */
    failures: integer('failures').notNull().default(0),
    failingSince: moment('failing_since'),
    /** The VAPID public key of the subscription; null: created before this column existed. */
    vapidKey: text('vapid_key'),
  },
  (table) => [
    index('push_subscriptions_user_id').on(table.userId),
    index('push_subscriptions_session_id').on(table.sessionId),
  ],
);

/** Notifications to send, written with the change and deleted by the process that sends them. */
export const notificationQueue = pgTable('push_news', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  packageId: uuid('package_id')
    .notNull()
    .references(() => packages.id),
  kind: text('kind').notNull().$type<NewsKind>(),
  /** The author of the change; not notified. */
  actorId: uuid('actor_id').notNull(),
  /** The courier who lost the package; not notified that it is on offer. */
  formerCourierId: uuid('former_courier_id'),
  createdAt: moment('created_at').notNull(),
});
