/**
 * All tables except those of the other schemas here. Money is integer kobo, times are timestamptz. A
 * change needs a migration; released migrations are never edited. Triggers in server/migrations
 * stamp `changed_xid`, maintain `assignments`, notify of changes (channel `kaya_changes`) and guard
 * the ledger.
 */
import { sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import type { Dispute } from '#contract/dispute.ts';
import type { EventType, Progress, WireEvent } from '#contract/event.ts';
import type { Location } from '#contract/fields.ts';
import type { Handover, PaymentMethod, PaymentStatus, VerifiedBy } from '#contract/package.ts';
import type { PictureType } from '#contract/proof.ts';
import type { RecipientNote } from '#contract/tracking.ts';
import type { Role } from '#contract/user.ts';
import type { StepBefore } from '#domain/event.ts';
import type { DeliveryStatus } from '#domain/status.ts';
import { bytes, changedXid, moment } from './columns.ts';
import type { Versioned } from './field-versions.ts';

/** 132 random bits in base64url. */
const newTrackingToken = sql`substr(translate(encode(sha256((gen_random_uuid()::text || gen_random_uuid()::text)::bytea), 'base64'), '+/', '-_'), 1, 22)`;

export const users = pgTable(
  'users',
  {
    id: uuid('id').primaryKey(),
    /** Lower case. */
    email: text('email').notNull().unique(),
    passwordHash: text('password_hash').notNull(),
    roles: text('roles').array().notNull().$type<Role[]>(),
    firstName: text('first_name').notNull().default(''),
    lastName: text('last_name').notNull().default(''),
    phoneNumber: text('phone_number'),
    address: text('address'),
    vehicle: text('vehicle'),
    isActive: boolean('is_active').notNull().default(true),
    version: integer('version').notNull().default(1),
    fieldVersions: jsonb('field_versions')
      .notNull()
      .default({})
      .$type<Versioned['fieldVersions']>(),
    fieldWriters: jsonb('field_writers').notNull().default({}).$type<Versioned['fieldWriters']>(),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
    changedXid: changedXid(),
    /** Transaction of the last change others can see: name, e-mail, phone. */
    partyXid: changedXid('party_xid'),
    /** When this courier gave accepted packages back: ISO, newest first. */
    givenBackAt: jsonb('given_back_at').notNull().default([]).$type<string[]>(),
    /** SHA-256 of the sign-up's Idempotency-Key, to recognise a retry. */
    signUpKeyHash: text('sign_up_key_hash'),
    /** The e-mail that a link was last opened from; equal to `email`: it is confirmed. */
    confirmedEmail: text('confirmed_email'),
  },
  (table) => [
    index('users_changed_xid').on(table.changedXid),
    index('users_party_xid').on(table.partyXid),
  ],
);

/** One sign-in on one device: a family of refresh tokens. */
export const sessions = pgTable(
  'sessions',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    isTrusted: boolean('is_trusted').notNull(),
    /** 'Chrome on Android'; null: unknown. */
    device: text('device'),
    createdAt: moment('created_at').notNull(),
    /** The last refresh; null: none yet. */
    lastSeenAt: moment('last_seen_at'),
    revokedAt: moment('revoked_at'),
  },
  (table) => [index('sessions_user_id').on(table.userId)],
);

/** The tree of a session's tokens. Only hashes are stored. */
export const refreshTokens = pgTable(
  'refresh_tokens',
  {
    tokenHash: text('token_hash').primaryKey(),
    sessionId: uuid('session_id')
      .notNull()
      .references(() => sessions.id, { onDelete: 'cascade' }),
    parentHash: text('parent_hash').references((): AnyPgColumn => refreshTokens.tokenHash, {
      onDelete: 'set null',
    }),
    createdAt: moment('created_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
    usedAt: moment('used_at'),
    revokedAt: moment('revoked_at'),
  },
  (table) => [
    index('refresh_tokens_session_id').on(table.sessionId),
    index('refresh_tokens_parent_hash').on(table.parentHash),
  ],
);

export interface FormerCode {
  dropoffCode: string;
  dropoffToken: string;
  /** When it was replaced: ISO. */
  until: string;
}

export const packages = pgTable(
  'packages',
  {
    id: uuid('id').primaryKey(),
    /** Source of the display number, and the order of creation. */
    number: bigint('number', { mode: 'number' }).generatedByDefaultAsIdentity().unique(),
    senderId: uuid('sender_id')
      .notNull()
      .references(() => users.id),
    courierId: uuid('courier_id').references(() => users.id),
    recipientName: text('recipient_name').notNull(),
    recipientPhone: text('recipient_phone').notNull(),
    recipientEmail: text('recipient_email'),
    description: text('description').notNull(),
    notes: text('notes'),
    pickupAddress: text('pickup_address').notNull(),
    deliveryAddress: text('delivery_address').notNull(),
    pickupLocation: jsonb('pickup_location').$type<Location>(),
    deliveryLocation: jsonb('delivery_location').$type<Location>(),
    pickupDate: moment('pickup_date').notNull(),
    deliveryDate: moment('delivery_date'),
    priceKobo: bigint('price_kobo', { mode: 'number' }).notNull(),
    paymentMethod: text('payment_method').notNull().$type<PaymentMethod>(),
    status: text('status').notNull().default('pending').$type<DeliveryStatus>(),
    /** Read only in transit. */
    progress: text('progress').$type<Progress>(),
    attempts: integer('attempts').notNull().default(0),
    lastAttempt: jsonb('last_attempt').$type<{ reason: string; at: string }>(),
    outcome: text('outcome').$type<'returned'>(),
    deliveredAt: moment('delivered_at'),
    handover: text('handover').notNull().default('none').$type<Handover>(),
    verifiedBy: text('verified_by').$type<VerifiedBy>(),
    /** Pictures that the delivery names and that are not in `proofs` yet. */
    photosMissing: integer('photos_missing').notNull().default(0),
    /** With a handover by code: the recipient's code, and their QR's token with its SHA-256. */
    dropoffCode: text('dropoff_code'),
    dropoffToken: text('dropoff_token'),
    dropoffTokenHash: text('dropoff_token_hash'),
    /** Those before, oldest first: for a delivery that happened before they were replaced. */
    formerCodes: jsonb('former_codes').notNull().default([]).$type<readonly FormerCode[]>(),
    /** The sender's, for a courier who brings it back. */
    returnCode: text('return_code'),
    /** Wrong codes that this courier gave: five lock it. */
    dropoffTries: integer('dropoff_tries').notNull().default(0),
    returnTries: integer('return_tries').notNull().default(0),
    /** By all couriers of the package since its drop-off code was made: ten lock it for everyone. */
    wrongCodes: integer('wrong_codes').notNull().default(0),
    paymentStatus: text('payment_status').notNull().default('unpaid').$type<PaymentStatus>(),
    version: integer('version').notNull().default(1),
    fieldVersions: jsonb('field_versions')
      .notNull()
      .default({})
      .$type<Versioned['fieldVersions']>(),
    fieldWriters: jsonb('field_writers').notNull().default({}).$type<Versioned['fieldWriters']>(),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
    /** Held for this package; 0 for cash, and after a release or refund. */
    heldKobo: bigint('held_kobo', { mode: 'number' }).notNull().default(0),
    /**
     * When what is held goes to the courier of a delivery, or is divided for a return that the sender
     * alone declared; null: not by itself.
     */
    releaseAt: moment('release_at'),
    /** Time of the payout; null again after another payment. */
    paidOutAt: moment('paid_out_at'),
    /** The courier's part of it. */
    paidOutKobo: bigint('paid_out_kobo', { mode: 'number' }),
    /** In the recipient's link. */
    trackingToken: text('tracking_token').notNull().unique().default(newTrackingToken),
    /** Notes that were left by this link. */
    linkNotes: integer('link_notes').notNull().default(0),
    /** The last one; package_events has them all. */
    recipientNote: jsonb('recipient_note').$type<RecipientNote>(),
    /** The open one; package_events has them all. */
    dispute: jsonb('dispute').$type<Dispute>(),
    changedXid: changedXid(),
    /** Deleted rows stay: ids are never reused, and devices must learn of the deletion. */
    deletedAt: moment('deleted_at'),
  },
  (table) => [
    index('packages_sender_id').on(table.senderId, table.number),
    index('packages_courier_id').on(table.courierId, table.number),
    index('packages_carried')
      .on(table.courierId)
      .where(sql`status = 'in-transit' and deleted_at is null`),
    index('packages_on_offer')
      .on(table.number)
      .where(sql`status = 'pending' and courier_id is null and deleted_at is null`),
    index('packages_due').on(table.releaseAt).where(sql`release_at is not null`),
    index('packages_changed_xid').on(table.changedXid),
    check('packages_held_not_negative', sql`${table.heldKobo} >= 0`),
    check(
      'packages_held_is_paid',
      sql`held_kobo = 0 or (payment_method = 'app' and payment_status = 'paid' and held_kobo = price_kobo)`,
    ),
    check('packages_price_positive', sql`${table.priceKobo} > 0`),
    check(
      'packages_status_known',
      sql`${table.status} in ('pending', 'in-transit', 'delivered', 'cancelled')`,
    ),
    check(
      'packages_moving_has_courier',
      sql`${table.status} not in ('in-transit', 'delivered') or ${table.courierId} is not null`,
    ),
    check(
      'packages_pending_has_no_courier',
      sql`${table.status} <> 'pending' or ${table.courierId} is null`,
    ),
    check('packages_handover_known', sql`${table.handover} in ('none', 'code')`),
    check(
      'packages_progress_known',
      sql`${table.progress} in ('accepted', 'picked_up', 'arrived', 'attempted', 'returning')`,
    ),
  ],
);
export type PackageRow = typeof packages.$inferSelect;
export type NewPackage = typeof packages.$inferInsert;

/** Events of each package; append-only (triggers). */
export const packageEvents = pgTable(
  'package_events',
  {
    id: uuid('id').primaryKey(),
    seq: bigint('seq', { mode: 'number' }).generatedAlwaysAsIdentity().unique(),
    packageId: uuid('package_id')
      .notNull()
      .references(() => packages.id),
    type: text('type').notNull().$type<EventType>(),
    /** Null: no person did it, but time or the provider. */
    actorId: uuid('actor_id').references(() => users.id),
    /** Contract/event describes the times. */
    occurredAt: moment('occurred_at').notNull(),
    receivedAt: moment('received_at').notNull(),
    effectiveAt: moment('effective_at').notNull(),
    timeTrust: text('time_trust').notNull().default('high').$type<'high' | 'low'>(),
    reason: text('reason'),
    note: text('note'),
    location: jsonb('location').$type<Location & { accuracy: number }>(),
    fields: jsonb('fields').$type<readonly string[]>(),
    /** Without code and token. */
    proof: jsonb('proof').$type<NonNullable<WireEvent['proof']>>(),
    corrects: uuid('corrects'),
    /** Former values of the fields that a step changed. */
    before: jsonb('before').$type<StepBefore>(),
  },
  (table) => [
    index('package_events_package_id').on(table.packageId, table.seq),
    uniqueIndex('package_events_corrects').on(table.corrects),
  ],
);

/** Photos and signatures, until they are too old (`retention.ts`). */
export const proofs = pgTable(
  'proofs',
  {
    /** Its phone's, of one package: elsewhere the same id is another picture. */
    id: uuid('id').notNull(),
    packageId: uuid('package_id')
      .notNull()
      .references(() => packages.id),
    courierId: uuid('courier_id')
      .notNull()
      .references(() => users.id),
    type: text('type').notNull().$type<PictureType>(),
    /** SHA-256 of the bytes as received, in base64: recognises a repeat. */
    digest: text('digest').notNull(),
    /** Without metadata. Null: in the object store (docs/decisions/0082-pictures-in-s3.md). */
    bytes: bytes('bytes'),
    /** Size of the stored bytes; `storedDigest` is their SHA-256 in hex. */
    size: integer('size').notNull(),
    storedDigest: text('stored_digest').notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.packageId, table.id] }),
    index('proofs_created_at').on(table.createdAt),
  ],
);

/** Couriers of each package, past and present; maintained by a trigger on packages. */
export const assignments = pgTable(
  'assignments',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    packageId: uuid('package_id')
      .notNull()
      .references(() => packages.id),
    senderId: uuid('sender_id')
      .notNull()
      .references(() => users.id),
    courierId: uuid('courier_id')
      .notNull()
      .references(() => users.id),
    startedAt: moment('started_at').notNull(),
    endedAt: moment('ended_at'),
    changedXid: changedXid(),
  },
  (table) => [
    index('assignments_package_id').on(table.packageId),
    index('assignments_sender_id').on(table.senderId, table.changedXid),
    index('assignments_courier_id').on(table.courierId, table.changedXid),
  ],
);

/** Attempts within a window, counted across processes. */
export const rateLimits = pgTable(
  'rate_limits',
  {
    key: text('key').primaryKey(),
    count: integer('count').notNull(),
    endsAt: moment('ends_at').notNull(),
  },
  (table) => [index('rate_limits_ends_at').on(table.endsAt)],
);

/** Responses to mutations with an Idempotency-Key, written with their effect. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    key: text('key').notNull(),
    fingerprint: text('fingerprint').notNull(),
    status: smallint('status').notNull(),
    /** The JSON text as sent, without codes. */
    body: text('body').notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.key] }),
    index('idempotency_keys_created_at').on(table.createdAt),
  ],
);

/** Generated secrets and settings, by name. */
export const serverSettings = pgTable('server_settings', {
  name: text('name').primaryKey(),
  value: text('value').notNull(),
});
