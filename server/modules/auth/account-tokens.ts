/**
 * Tokens of links in mails: 32 random bytes, of which only the hash is stored. Each works once, until
 * it expires, and only for the e-mail that it was mailed to.
 */
import { createHash, randomBytes } from 'node:crypto';
import { and, eq, gt, isNull, lt, ne } from 'drizzle-orm';
import { type AccountTokenKind, accountTokens } from '#server/database/account-schema.ts';
import type { Database } from '#server/database/database.ts';

export const tokenLifetimesMs: Record<AccountTokenKind, number> = {
  reset: 30 * 60_000,
  confirm: 7 * 24 * 3_600_000,
};

const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url');

export interface TokenSubject {
  userId: string;
  kind: AccountTokenKind;
  email: string;
  mailId: string;
  now: Date;
}

/** For a link in this mail. One to reset a password ends those of earlier mails. */
export async function issueAccountToken(tx: Database, subject: TokenSubject): Promise<string> {
  const { userId, kind, email, mailId, now } = subject;
  if (kind === 'reset') {
    const isEarlier = and(
      eq(accountTokens.userId, userId),
      eq(accountTokens.kind, kind),
      ne(accountTokens.mailId, mailId),
    );
    await tx.delete(accountTokens).where(isEarlier);
  }
  const token = randomBytes(32).toString('base64url');
  await tx.insert(accountTokens).values({
    tokenHash: hashOf(token),
    userId,
    kind,
    email,
    mailId,
    createdAt: now,
    expiresAt: new Date(now.getTime() + tokenLifetimesMs[kind]),
  });
  return token;
}

const isLive = (token: string, kind: AccountTokenKind, now: Date) =>
  and(
    eq(accountTokens.tokenHash, hashOf(token)),
    eq(accountTokens.kind, kind),
    isNull(accountTokens.usedAt),
    gt(accountTokens.expiresAt, now),
  );

/** Before any costly work. */
export async function isLiveToken(
  db: Database,
  token: string,
  kind: AccountTokenKind,
  now: Date,
): Promise<boolean> {
  return (await db.$count(accountTokens, isLive(token, kind, now))) > 0;
}

/** Uses it up; null if it was used, has expired or never was. Of two calls at a time one gets it. */
export async function spendToken(
  tx: Database,
  token: string,
  kind: AccountTokenKind,
  now: Date,
): Promise<{ userId: string; email: string } | null> {
  const { userId, email } = accountTokens;
  const used = await tx
    .update(accountTokens)
    .set({ usedAt: now })
    .where(isLive(token, kind, now))
    .returning({ userId, email });
  return used[0] ?? null;
}

/** Ends the links of a user; of one kind, or all. */
export async function endAccountTokens(
  tx: Database,
  userId: string,
  kind?: AccountTokenKind,
): Promise<void> {
  const isOfKind = kind === undefined ? undefined : eq(accountTokens.kind, kind);
  await tx.delete(accountTokens).where(and(eq(accountTokens.userId, userId), isOfKind));
}

export async function deleteExpiredAccountTokens(db: Database, now: Date): Promise<void> {
  await db.delete(accountTokens).where(lt(accountTokens.expiresAt, now));
}
