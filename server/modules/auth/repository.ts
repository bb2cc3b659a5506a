import {
  and,
  desc,
  eq,
  exists,
  gt,
  inArray,
  isNotNull,
  isNull,
  lt,
  max,
  ne,
  notExists,
  type SQL,
  sql,
} from 'drizzle-orm';
import type { Database } from '#server/database/database.ts';
import { preparedQuery, selectionOf } from '#server/database/prepared-query.ts';
import {
  idempotencyKeys,
  refreshTokens,
  serverSettings,
  sessions,
  users,
} from '#server/database/schema.ts';

export type SessionRow = typeof sessions.$inferSelect;
export type TokenRow = typeof refreshTokens.$inferSelect;
export type NewToken = typeof refreshTokens.$inferInsert;

export async function insertSession(
  db: Database,
  row: typeof sessions.$inferInsert,
): Promise<void> {
  await db.insert(sessions).values(row);
}

/**
 * Live and ended ones. Another sign-in replaces one that has ended, else the one that was used longest
 * ago: a phone in daily use stays signed in beside a program that signs in for each of its runs.
 */
export const sessionsPerUser = 50;

/** With their tokens and notifications. */
export async function deleteSurplusSessions(
  tx: Database,
  { userId, newId }: { userId: string; newId: string },
): Promise<void> {
  const lastUse = tx
    .select({ at: max(refreshTokens.createdAt) })
    .from(refreshTokens)
    .where(eq(refreshTokens.sessionId, sessions.id));
  const surplus = tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), ne(sessions.id, newId)))
    .orderBy(isNotNull(sessions.revokedAt), desc(sql`coalesce(${lastUse}, ${sessions.createdAt})`))
    .offset(sessionsPerUser - 1);
  await tx.delete(sessions).where(inArray(sessions.id, surplus));
}

export function countTokensSince(tx: Database, sessionId: string, since: Date): Promise<number> {
  const isIt = and(eq(refreshTokens.sessionId, sessionId), gt(refreshTokens.createdAt, since));
  return tx.$count(refreshTokens, isIt);
}

const { id, firstName, lastName, phoneNumber, roles, isActive } = users;
const caller = selectionOf({
  user: { id, firstName, lastName, phoneNumber, roles, isActive },
  session: { revokedAt: sessions.revokedAt },
});
const userOfSession = preparedQuery(() => {
  const isIt = and(
    eq(sessions.id, sql.placeholder('sessionId')),
    eq(sessions.userId, sql.placeholder('userId')),
  );
  return sql`select ${caller.columns} from ${sessions}
    inner join ${users} on ${users.id} = ${sessions.userId} where ${isIt}`;
});

/** The user of an access token, and whether its session has ended; null if there is none. */
export async function findUserOfSession(
  db: Database,
  { userId, sessionId }: { userId: string; sessionId: string },
) {
  const [found] = await userOfSession(db, { userId, sessionId });
  if (!found) return null;
  const { user, session } = caller.read(found);
  return { user, hasEnded: session.revokedAt !== null };
}

/** The session of a refresh token, locked so that concurrent refreshes take turns. */
export async function lockSessionOfToken(tx: Database, tokenHash: string) {
  const rows = await tx
    .select({ session: sessions })
    .from(refreshTokens)
    .innerJoin(sessions, eq(sessions.id, refreshTokens.sessionId))
    .where(eq(refreshTokens.tokenHash, tokenHash))
    .for('update', { of: sessions });
  return rows[0]?.session ?? null;
}

/** The caller holds the session's lock. */
export async function noteUse(
  tx: Database,
  sessionId: string,
  use: Pick<SessionRow, 'device' | 'lastSeenAt'>,
): Promise<void> {
  await tx.update(sessions).set(use).where(eq(sessions.id, sessionId));
}

const lastSeenAt = sql<Date>`coalesce(${sessions.lastSeenAt}, ${sessions.createdAt})`.mapWith(
  sessions.createdAt,
);

/** Those that can go on: not ended, with a token that still works; the last used first. */
export function listLiveSessions(db: Database, userId: string, now: Date) {
  const { id, device, createdAt } = sessions;
  const liveTokens = db
    .select({ one: refreshTokens.tokenHash })
    .from(refreshTokens)
    .where(
      and(
        eq(refreshTokens.sessionId, sessions.id),
        isNull(refreshTokens.revokedAt),
        gt(refreshTokens.expiresAt, now),
      ),
    );
  return db
    .select({ id, device, createdAt, lastSeenAt })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), isNull(sessions.revokedAt), exists(liveTokens)))
    .orderBy(desc(lastSeenAt), desc(createdAt));
}

/** False if it has ended already, or is another user's. */
export async function revokeOwnSession(
  tx: Database,
  { userId, sessionId }: { userId: string; sessionId: string },
  at: Date,
): Promise<boolean> {
  const isIt = and(
    eq(sessions.id, sessionId),
    eq(sessions.userId, userId),
    isNull(sessions.revokedAt),
  );
  const ended = await tx.update(sessions).set({ revokedAt: at }).where(isIt).returning();
  return ended.length > 0;
}

/** Null if it has ended. Locked as above. */
export async function lockLiveSession(tx: Database, id: string): Promise<SessionRow | null> {
  const isLive = and(eq(sessions.id, id), isNull(sessions.revokedAt));
  const rows = await tx.select().from(sessions).where(isLive).for('update');
  return rows[0] ?? null;
}

/** Presenting a deleted token does not end the session. The caller holds the session's lock. */
export async function deleteTokensOf(tx: Database, sessionId: string): Promise<void> {
  await tx.delete(refreshTokens).where(eq(refreshTokens.sessionId, sessionId));
}

/** Call it after locking the session, for a current row. */
export async function findToken(tx: Database, tokenHash: string): Promise<TokenRow | null> {
  const rows = await tx.select().from(refreshTokens).where(eq(refreshTokens.tokenHash, tokenHash));
  return rows[0] ?? null;
}

export function findChildren(tx: Database, parents: string[]): Promise<TokenRow[]> {
  return tx.select().from(refreshTokens).where(inArray(refreshTokens.parentHash, parents));
}

export async function insertToken(tx: Database, row: NewToken): Promise<void> {
  await tx.insert(refreshTokens).values(row);
}

export async function markTokenUsed(tx: Database, tokenHash: string, at: Date): Promise<void> {
  await tx.update(refreshTokens).set({ usedAt: at }).where(eq(refreshTokens.tokenHash, tokenHash));
}

/** Keeps the time of tokens already revoked. */
export async function revokeTokens(tx: Database, tokenHashes: string[], at: Date): Promise<void> {
  await tx
    .update(refreshTokens)
    .set({ revokedAt: at })
    .where(and(inArray(refreshTokens.tokenHash, tokenHashes), isNull(refreshTokens.revokedAt)));
}

/** Keeps the time of sessions that have ended already. */
async function revokeWhere(db: Database, isMeant: SQL | undefined, at: Date): Promise<void> {
  const isLive = and(isMeant, isNull(sessions.revokedAt));
  await db.update(sessions).set({ revokedAt: at }).where(isLive);
}

export const revokeSession = (db: Database, sessionId: string, at: Date): Promise<void> =>
  revokeWhere(db, eq(sessions.id, sessionId), at);

/** Ends the user's sessions; all, or all but one. */
export function revokeSessionsOf(
  db: Database,
  userId: string,
  at: Date,
  exceptSessionId?: string,
): Promise<void> {
  const isOther = exceptSessionId === undefined ? undefined : ne(sessions.id, exceptSessionId);
  return revokeWhere(db, and(eq(sessions.userId, userId), isOther), at);
}

/** Deletes expired rows, older than `before` says per table. */
export async function deleteExpired(
  db: Database,
  before: { tokenExpiry: Date; idempotencyKey: Date },
): Promise<void> {
  await db.delete(refreshTokens).where(lt(refreshTokens.expiresAt, before.tokenExpiry));
  const tokensLeft = db
    .select()
    .from(refreshTokens)
    .where(eq(refreshTokens.sessionId, sessions.id));
  await db
    .delete(sessions)
    .where(and(lt(sessions.createdAt, before.tokenExpiry), notExists(tokensLeft)));
  await db.delete(idempotencyKeys).where(lt(idempotencyKeys.createdAt, before.idempotencyKey));
}

/** The stored value of `name`, else stores `fresh`. The first writer wins. */
export async function getOrCreateSetting(
  db: Database,
  name: string,
  fresh: string,
): Promise<string> {
  await db.insert(serverSettings).values({ name, value: fresh }).onConflictDoNothing();
  const rows = await db.select().from(serverSettings).where(eq(serverSettings.name, name));
  return rows[0]?.value ?? fresh;
}
