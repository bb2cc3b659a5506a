/** The tables of payouts; money itself is in money-schema. */
import { sql } from 'drizzle-orm';
import { bigint, check, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import type { PayoutReason, PayoutStatus } from '#contract/payout.ts';
import { moment } from './columns.ts';
import { users } from './schema.ts';

/** The one of each courier. */
export const bankAccounts = pgTable('bank_accounts', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id),
  bankCode: text('bank_code').notNull(),
  bankName: text('bank_name').notNull(),
  /** Answers contain its last four digits only. */
  accountNumber: text('account_number').notNull(),
  /** As the bank gave it. */
  accountName: text('account_name').notNull(),
  /** The provider's name of it. */
  recipientCode: text('recipient_code').notNull(),
  usableFrom: moment('usable_from').notNull(),
  savedAt: moment('saved_at').notNull(),
});

/** Written with their transfer in the ledger, before the provider hears of them. */
export const payouts = pgTable(
  'payouts',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    /** Ours, and the only one ever sent for it: the provider pays a reference once. */
    reference: text('reference').notNull().unique(),
    provider: text('provider').notNull().$type<'paystack' | 'sandbox'>(),
    amountKobo: bigint('amount_kobo', { mode: 'number' }).notNull(),
    feeKobo: bigint('fee_kobo', { mode: 'number' }).notNull(),
    status: text('status').notNull().default('pending').$type<PayoutStatus>(),
    reason: text('reason').$type<PayoutReason>(),
    /** The account as it was then. */
    bankName: text('bank_name').notNull(),
    accountName: text('account_name').notNull(),
    accountNumberEnd: text('account_number_end').notNull(),
    recipientCode: text('recipient_code').notNull(),
    /** Why a dispatcher has to look at it. */
    problem: text('problem'),
    createdAt: moment('created_at').notNull(),
    /** Null: the provider was never called. */
    sentAt: moment('sent_at'),
    checkedAt: moment('checked_at'),
    endedAt: moment('ended_at'),
  },
  (table) => [
    index('payouts_user_id').on(table.userId, table.createdAt),
    index('payouts_pending').on(table.createdAt).where(sql`status = 'pending'`),
    index('payouts_with_problem').on(table.createdAt).where(sql`problem is not null`),
    index('payouts_lately_paid').on(table.endedAt).where(sql`status = 'paid'`),
    check('payouts_status_known', sql`${table.status} in ('pending', 'paid', 'returned')`),
    check('payouts_amounts', sql`${table.amountKobo} > 0 and ${table.feeKobo} >= 0`),
    check(
      'payouts_end',
      sql`(${table.status} = 'pending') = (${table.endedAt} is null) and (${table.status} = 'returned') = (${table.reason} is not null)`,
    ),
  ],
);

/** Recipients of the sandbox provider, which the rest of the server reaches over HTTP only. */
export const sandboxRecipients = pgTable('sandbox_recipients', {
  code: text('code').primaryKey(),
  bankCode: text('bank_code').notNull(),
  accountNumber: text('account_number').notNull(),
  name: text('name').notNull(),
  createdAt: moment('created_at').notNull(),
});

/** Its transfers; their status follows from their age (sandbox/transfer-lives). */
export const sandboxTransfers = pgTable(
  'sandbox_transfers',
  {
    reference: text('reference').primaryKey(),
    code: text('code').notNull().unique(),
    recipientCode: text('recipient_code')
      .notNull()
      .references(() => sandboxRecipients.code),
    amountKobo: bigint('amount_kobo', { mode: 'number' }).notNull(),
    reason: text('reason'),
    createdAt: moment('created_at').notNull(),
    /** How many of its webhooks were sent. */
    announced: integer('announced').notNull().default(0),
    /** When the next is due; null: none is left. */
    announceAt: moment('announce_at'),
  },
  (table) => [index('sandbox_transfers_due').on(table.announceAt)],
);
