/** The tables of notifications: whom to tell, and what is still to be told. */
import { bigint, doublePrecision, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import type { PushKind } from '#contract/push.ts';
import { moment } from './columns.ts';
import { packages, sessions, users } from './schema.ts';

/** A browser that is told. It goes with the session that it was made in: a trigger sees to that. */
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
    /** When the push service last took something for it. */
    succeededAt: moment('succeeded_at'),
    /** News in a row that it did not take, and when it did not for the first time of them. */
    failures: integer('failures').notNull().default(0),
    failingSince: moment('failing_since'),
    /** The public key that it was made for; null: from before that was kept. */
    vapidKey: text('vapid_key'),
  },
  (table) => [
    index('push_subscriptions_user_id').on(table.userId),
    index('push_subscriptions_session_id').on(table.sessionId),
  ],
);

/** News that is to go out, written with what it is news of; taken out by the process that sends it. */
export const pushNews = pgTable('push_news', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  packageId: uuid('package_id')
    .notNull()
    .references(() => packages.id),
  kind: text('kind').notNull().$type<PushKind>(),
  /** Who did it: never told of it. */
  actorId: uuid('actor_id').notNull(),
  /** From whom the package was taken: not told that it is on offer. */
  formerCourierId: uuid('former_courier_id'),
  createdAt: moment('created_at').notNull(),
});
