/** Tables for recipients: couriers' positions, and text messages. */
import { doublePrecision, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import type { TextKind, TextStatus } from '#contract/text-message.ts';
import { moment } from './columns.ts';
import { packageEvents, packages, users } from './schema.ts';

/** The last one of each courier who shares it. */
export const positions = pgTable('positions', {
  courierId: uuid('courier_id')
    .primaryKey()
    .references(() => users.id),
  /** Degrees; metres. */
  lat: doublePrecision('lat').notNull(),
  lng: doublePrecision('lng').notNull(),
  accuracy: doublePrecision('accuracy').notNull(),
  at: moment('at').notNull(),
});

/** Links that a sender replaced: they have ended, and others never existed. */
export const replacedLinks = pgTable('replaced_links', {
  /** SHA-256 of the token, in base64url. */
  tokenHash: text('token_hash').primaryKey(),
  at: moment('at').notNull(),
});

/** Written with the change they tell of, sent once. */
export const texts = pgTable(
  'texts',
  {
    id: uuid('id').primaryKey(),
    packageId: uuid('package_id')
      .notNull()
      .references(() => packages.id),
    /** The event they tell of. */
    eventId: uuid('event_id')
      .notNull()
      .unique()
      .references(() => packageEvents.id),
    kind: text('kind').notNull().$type<TextKind>(),
    /** E.164. */
    recipient: text('recipient').notNull(),
    status: text('status').notNull().default('waiting').$type<TextStatus>(),
    /** Not before: quiet hours, or the wait after a failed try. */
    dueAt: moment('due_at').notNull(),
    tries: integer('tries').notNull().default(0),
    /** The provider's id of it. */
    providerId: text('provider_id').unique(),
    costKobo: integer('cost_kobo'),
    createdAt: moment('created_at').notNull(),
    /** When it came to this status. */
    statusAt: moment('status_at').notNull(),
  },
  (table) => [
    index('texts_package_id').on(table.packageId),
    index('texts_due').on(table.status, table.dueAt),
  ],
);

/** The inbox of the sandbox's phone, which the rest of the server reaches over HTTP only. */
export const sandboxTexts = pgTable('sandbox_texts', {
  id: text('id').primaryKey(),
  recipient: text('recipient').notNull(),
  sender: text('sender').notNull(),
  body: text('body').notNull(),
  at: moment('at').notNull(),
});
