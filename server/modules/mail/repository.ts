/** The rows of mails (docs/decisions/0101-mails.md). */
import { randomUUID } from 'node:crypto';
import { and, asc, count, desc, eq, exists, gt, gte, inArray, lt, lte, or } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import {
  type MailStatus,
  mails,
  type Notice,
  sandboxMails,
} from '#server/database/account-schema.ts';
import type { Database } from '#server/database/database.ts';
import { inTransaction } from '#server/database/transaction.ts';
import { issueAccountToken } from '#server/modules/auth/account-tokens.ts';
import { findUser, findUserByEmail, type UserRow } from '#server/modules/users/repository.ts';

type MailRow = typeof mails.$inferSelect;

const hourMs = 3_600_000;
/** A mail that no server has accepted after this time is given up. */
export const triedForMs = 24 * hourMs;
/** Per hour, for one e-mail and for one account, so that a stranger cannot flood a mailbox. */
export const mostConfirmationsAnHour = 5;

interface Addressed {
  /** Lower case. */
  to: string;
  now: Date;
}
/** reset: somebody named an e-mail; its account, if any, is looked for as the mail is sent. */
export type NewMail = Addressed &
  (
    | { kind: 'reset'; userId: null }
    | { kind: 'confirm' | 'password_changed'; userId: string }
    | ({ kind: 'account_notice'; userId: string } & Notice)
  );

async function isConfirmationTooMuch(
  tx: Database,
  { userId, to, now }: Addressed & { userId: string },
): Promise<boolean> {
  const isOfHour = and(
    eq(mails.kind, 'confirm'),
    gte(mails.createdAt, new Date(now.getTime() - hourMs)),
    or(eq(mails.recipient, to), eq(mails.userId, userId)),
  );
  return (await tx.$count(mails, isOfHour)) >= mostConfirmationsAnHour;
}

/** Queues a mail, in the transaction of what it tells of: both are written, or neither. */
export async function enqueueMail(tx: Database, mail: NewMail): Promise<void> {
  const { kind, userId, to, now } = mail;
  if (mail.kind === 'confirm' && (await isConfirmationTooMuch(tx, mail))) return;
  const notice =
    mail.kind === 'account_notice' ? { title: mail.title, sentences: mail.sentences } : null;
  await tx.insert(mails).values({
    id: randomUUID(),
    kind,
    userId,
    recipient: to,
    notice,
    dueAt: now,
    createdAt: now,
    statusAt: now,
  });
}

/** A link goes only to the e-mail that its account has, and only if it is still of use. */
function isWanted({ kind, recipient }: MailRow, user: UserRow, isRepeated: boolean): boolean {
  if (kind !== 'reset' && kind !== 'confirm') return true;
  if (isRepeated || !user.isActive || user.email !== recipient) return false;
  return kind === 'reset' || user.confirmedEmail !== recipient;
}

export interface ClaimedMail
  extends Pick<MailRow, 'id' | 'kind' | 'tries' | 'notice' | 'createdAt'> {
  to: string;
  /** Of its link, known only now. */
  token: string | null;
}

const later = alias(mails, 'later');

/** Undefined: none is due. Null: one was due but is no longer needed, and was deleted. */
function claimNext(db: Database, now: Date): Promise<ClaimedMail | null | undefined> {
  return inTransaction(db, async (tx) => {
    const isLater = and(
      eq(later.recipient, mails.recipient),
      eq(later.kind, mails.kind),
      gt(later.createdAt, mails.createdAt),
    );
    const [found] = await tx
      .select({
        mail: mails,
        isRepeated: exists(tx.select({ id: later.id }).from(later).where(isLater)).mapWith(Boolean),
      })
      .from(mails)
      .where(and(eq(mails.status, 'waiting'), lte(mails.dueAt, now)))
      .orderBy(asc(mails.dueAt), asc(mails.createdAt))
      .limit(1)
      .for('update', { skipLocked: true });
    if (!found) return undefined;
    const { mail, isRepeated } = found;
    const { id, kind, recipient: to, notice, createdAt } = mail;
    const user = await (mail.userId === null ? findUserByEmail(tx, to) : findUser(tx, mail.userId));
    if (!user || !isWanted(mail, user, isRepeated)) {
      // Of an e-mail without an account nothing stays.
      await tx.delete(mails).where(eq(mails.id, id));
      return null;
    }
    const tries = mail.tries + 1;
    const claim = { status: 'sending', statusAt: now, tries, userId: user.id } as const;
    await tx.update(mails).set(claim).where(eq(mails.id, id));
    const token =
      kind === 'reset' || kind === 'confirm'
        ? await issueAccountToken(tx, { userId: user.id, kind, email: to, mailId: id, now })
        : null;
    return { id, kind, to, tries, notice, createdAt, token };
  });
}

/** Takes the one that is due first, committed before it is sent, so that one process sends it. */
export async function claimMail(db: Database, now: Date): Promise<ClaimedMail | null> {
  for (;;) {
    const claimed = await claimNext(db, now);
    if (claimed !== null) return claimed ?? null;
  }
}

/** Of a try: what becomes of one says nothing of the next. */
type Try = Pick<MailRow, 'id' | 'tries'>;
const isOfTry = ({ id, tries }: Try) =>
  and(eq(mails.id, id), eq(mails.tries, tries), eq(mails.status, 'sending'));

export async function putBack(db: Database, mail: Try, dueAt: Date, now: Date): Promise<void> {
  await db.update(mails).set({ status: 'waiting', statusAt: now, dueAt }).where(isOfTry(mail));
}

/** Its words go, too. */
export async function endMail(
  db: Database,
  mail: Try,
  status: 'sent' | 'failed',
  now: Date,
): Promise<void> {
  await db.update(mails).set({ status, statusAt: now, notice: null }).where(isOfTry(mail));
}

/** Puts back what was claimed before `before`, by a process that ended; returns how many. */
export async function putAbandonedBack(db: Database, before: Date, now: Date): Promise<number> {
  const put = await db
    .update(mails)
    .set({ status: 'waiting', statusAt: now, dueAt: now })
    .where(and(eq(mails.status, 'sending'), lte(mails.statusAt, before)))
    .returning({ id: mails.id });
  return put.length;
}

/** Where no mail is sent, none is kept. */
export async function discardMails(db: Database): Promise<void> {
  await db.delete(mails).where(inArray(mails.status, ['waiting', 'sending']));
}

/** Older than `before`, whatever became of them, and what the sandbox shows. */
export async function deleteOldMails(db: Database, before: Date): Promise<void> {
  await db.delete(mails).where(lt(mails.createdAt, before));
  await db.delete(sandboxMails).where(lt(sandboxMails.at, before));
}

/** Of mails written since. */
export function mailTotals(
  db: Database,
  since: Date,
): Promise<{ status: MailStatus; count: number }[]> {
  return db
    .select({ status: mails.status, count: count() })
    .from(mails)
    .where(gte(mails.createdAt, since))
    .groupBy(mails.status)
    .orderBy(desc(mails.status));
}
