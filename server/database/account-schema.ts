/** Tables of recovery: tokens of mailed links, and mails. */
import { index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { moment } from './columns.ts';
import { users } from './schema.ts';

export type AccountTokenKind = 'reset' | 'confirm';
export type MailKind = AccountTokenKind | 'password_changed' | 'account_notice';
export const mailStatuses = ['waiting', 'sending', 'sent', 'failed'] as const;
export type MailStatus = (typeof mailStatuses)[number];

/** What an `account_notice` says. */
export interface Notice {
  title: string;
  sentences: readonly string[];
}

/** Written with the change they tell of. Links are made as a mail is sent, so no row has one. */
export const mails = pgTable(
  'mails',
  {
    id: uuid('id').primaryKey(),
    kind: text('kind').notNull().$type<MailKind>(),
    /** Null: of an e-mail that somebody named, until its account is looked for. */
    userId: uuid('user_id').references(() => users.id),
    /** Lower case. */
    recipient: text('recipient').notNull(),
    notice: jsonb('notice').$type<Notice>(),
    status: text('status').notNull().default('waiting').$type<MailStatus>(),
    /** Not before: the wait after a failed try. */
    dueAt: moment('due_at').notNull(),
    tries: integer('tries').notNull().default(0),
    createdAt: moment('created_at').notNull(),
    /** When it came to this status. */
    statusAt: moment('status_at').notNull(),
  },
  (table) => [
    index('mails_due').on(table.status, table.dueAt),
    index('mails_recipient').on(table.recipient, table.kind),
    index('mails_user_id').on(table.userId),
  ],
);

/** Of links in mails. Only hashes are stored. */
export const accountTokens = pgTable(
  'account_tokens',
  {
    tokenHash: text('token_hash').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    kind: text('kind').notNull().$type<AccountTokenKind>(),
    /** The one that it was mailed to. */
    email: text('email').notNull(),
    /** Tries of one mail have tokens that live side by side: any of them may have arrived. */
    mailId: uuid('mail_id').notNull(),
    createdAt: moment('created_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
    usedAt: moment('used_at'),
  },
  (table) => [index('account_tokens_user_id').on(table.userId, table.kind)],
);

/** The sandbox's mailbox. */
export const sandboxMails = pgTable('sandbox_mails', {
  id: uuid('id').primaryKey(),
  recipient: text('recipient').notNull(),
  subject: text('subject').notNull(),
  text: text('text').notNull(),
  at: moment('at').notNull(),
});
