/** The tables of money; triggers in the migrations keep entries consistent. */
import { sql } from 'drizzle-orm';
import {
  bigint,
  check,
  index,
  integer,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import type { TopUpStatus } from '#contract/payment.ts';
import { changedXid, moment } from './columns.ts';
import { payouts } from './payout-schema.ts';
import { packages, users } from './schema.ts';

/** Sums of each user's ledger entries, written in the same transaction. */
export const wallets = pgTable(
  'wallets',
  {
    userId: uuid('user_id')
      .primaryKey()
      .references(() => users.id),
    availableKobo: bigint('available_kobo', { mode: 'number' }).notNull().default(0),
    heldKobo: bigint('held_kobo', { mode: 'number' }).notNull().default(0),
    changedXid: changedXid(),
  },
  (table) => [
    index('wallets_changed_xid').on(table.changedXid),
    check('wallets_available_not_negative', sql`${table.availableKobo} >= 0`),
    check('wallets_held_not_negative', sql`${table.heldKobo} >= 0`),
  ],
);

export const topUps = pgTable(
  'top_ups',
  {
    reference: text('reference').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    provider: text('provider').notNull().$type<'paystack' | 'sandbox'>(),
    requestedKobo: bigint('requested_kobo', { mode: 'number' }).notNull(),
    status: text('status').notNull().default('pending').$type<TopUpStatus>(),
    creditedKobo: bigint('credited_kobo', { mode: 'number' }),
    authorizationUrl: text('authorization_url'),
    problem: text('problem'),
    createdAt: moment('created_at').notNull(),
    checkedAt: moment('checked_at'),
    creditedAt: moment('credited_at'),
  },
  (table) => [
    index('top_ups_user_id').on(table.userId),
    index('top_ups_in_review').on(table.createdAt).where(sql`status = 'review'`),
    index('top_ups_open').on(table.createdAt).where(sql`status in ('pending', 'failed')`),
    check(
      'top_ups_status_known',
      sql`${table.status} in ('pending', 'credited', 'failed', 'abandoned', 'review')`,
    ),
    check(
      'top_ups_credited_once',
      sql`(${table.status} = 'credited') = (${table.creditedKobo} is not null)`,
    ),
  ],
);

/**
 * reversal: a release taken back, from the courier to the sender's hold; settlement: what a decision
 * moves between them when nothing is held any more. payout: from a courier's balance to `payouts`;
 * payout_paid: from there to the provider; payout_returned: from either back to the courier.
 */
export type LedgerKind =
  | 'top_up'
  | 'hold'
  | 'release'
  | 'reversal'
  | 'settlement'
  | 'refund'
  | 'adjustment'
  | 'payout'
  | 'payout_paid'
  | 'payout_returned';

/** A movement of money. Its entries sum to zero (checked at commit); neither is ever changed. */
export const transfers = pgTable(
  'transfers',
  {
    id: uuid('id').primaryKey(),
    number: bigint('number', { mode: 'number' }).generatedAlwaysAsIdentity().unique(),
    kind: text('kind').notNull().$type<LedgerKind>(),
    packageId: uuid('package_id').references(() => packages.id),
    reference: text('reference').references(() => topUps.reference),
    /** To a bank account. */
    payoutId: uuid('payout_id').references(() => payouts.id),
    /** Null for the provider. */
    actorId: uuid('actor_id').references(() => users.id),
    /** An adjustment's reason in words; a package transfer's cause of the contract, if any. */
    reason: text('reason'),
    /** 1 for the package's first payout; the next follows another hold or a reversed payout. */
    payout: integer('payout').notNull().default(1),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    index('transfers_package_id').on(table.packageId),
    uniqueIndex('transfers_one_release')
      .on(table.packageId, table.payout)
      .where(sql`kind = 'release'`),
    uniqueIndex('transfers_one_reversal')
      .on(table.packageId, table.payout)
      .where(sql`kind = 'reversal'`),
    uniqueIndex('transfers_one_top_up').on(table.reference).where(sql`kind = 'top_up'`),
    // Each step of a payout at most once.
    uniqueIndex('transfers_one_payout_step')
      .on(table.payoutId, table.kind)
      .where(sql`payout_id is not null`),
    check(
      'transfers_kind_known',
      sql`${table.kind} in ('top_up', 'hold', 'release', 'reversal', 'settlement', 'refund', 'adjustment', 'payout', 'payout_paid', 'payout_returned')`,
    ),
  ],
);

/**
 * 'available' and 'held' belong to a user; 'provider' and 'adjustments' are the other side. 'payouts':
 * on its way to a bank.
 */
export type LedgerAccount = 'available' | 'held' | 'provider' | 'adjustments' | 'payouts';

export const entries = pgTable(
  'entries',
  {
    transferId: uuid('transfer_id')
      .notNull()
      .references(() => transfers.id),
    account: text('account').notNull().$type<LedgerAccount>(),
    userId: uuid('user_id').references(() => users.id),
    amountKobo: bigint('amount_kobo', { mode: 'number' }).notNull(),
    /** The user's wallet after the transfer; null for accounts without a user. */
    availableKobo: bigint('available_kobo', { mode: 'number' }),
    heldKobo: bigint('held_kobo', { mode: 'number' }),
  },
  (table) => [
    index('entries_transfer_id').on(table.transferId),
    index('entries_user_id').on(table.userId),
    check(
      'entries_account_known',
      sql`${table.account} in ('available', 'held', 'provider', 'adjustments', 'payouts')`,
    ),
    check('entries_amount_not_zero', sql`${table.amountKobo} <> 0`),
    check(
      'entries_owner',
      sql`(${table.account} in ('available', 'held')) = (${table.userId} is not null)`,
    ),
  ],
);

/** Data of the sandbox provider, which the rest of the server reaches over HTTP only. */
export const sandboxTransactions = pgTable('sandbox_transactions', {
  reference: text('reference').primaryKey(),
  accessCode: text('access_code').notNull().unique(),
  email: text('email').notNull(),
  amountKobo: bigint('amount_kobo', { mode: 'number' }).notNull(),
  currency: text('currency').notNull(),
  callbackUrl: text('callback_url'),
  status: text('status').notNull().default('ongoing').$type<SandboxStatus>(),
  createdAt: moment('created_at').notNull(),
  paidAt: moment('paid_at'),
});
export type SandboxStatus = 'ongoing' | 'success' | 'failed' | 'abandoned';
