/**
 * Sessions and their refresh tokens. Tokens form a tree
 * (docs/decisions/0006-refresh-token-tree.md); a presented token is
 *
 *   unused ─────────────────────────────▶ mark used, new child
 *   used, within the grace period ──────▶ another child     (two tabs, a reply lost just now)
 *   used, within a day, no descendant ──▶ revoke the descendants, new child   (the reply was lost, or
 *   known to have been stored             the browser was killed before it wrote its cookies)
 *   anything else ──────────────────────▶ reuse: the session ends
 *
 * Invariant: of the descendants of a token presented twice after the grace period, at most one
 * branch continues; a thief and the owner cannot both.
 */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Database } from '#server/database/database.ts';
import { Refusal } from '#server/http/refusal.ts';
import * as repository from './repository.ts';

export const graceMs = 30_000;
/**
 * Browsers write cookies to disk about every 30 s. A token used sooner may have existed in memory
 * only; after a kill the browser returns with an older one.
 */
export const unkeptMs = 60_000;
/**
 * How long a used token is accepted while no descendant was stored. A device whose reply was lost
 * retries once online, at the latest on the next working day.
 */
const lostReplyMs = 24 * 3_600_000;
/** Per session: each start of a page takes one. */
export const mostTokensAnHour = 300;
const trustedLifetimeMs = 30 * 24 * 3_600_000;
const idleLifetimeMs = 24 * 3_600_000;

/** The cookie's value and lifetime; null: until the browser closes. */
export interface RefreshToken {
  token: string;
  maxAgeSeconds: number | null;
}

export type Rotation =
  | { kind: 'rotated'; userId: string; sessionId: string; refresh: RefreshToken }
  | { kind: 'refused'; userId: string | null };

function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

function isShaped(token: string): boolean {
  return /^[\w-]{43}$/.test(token);
}

function newToken(): string {
  return randomBytes(32).toString('base64url');
}

interface Parent {
  sessionId: string;
  isTrusted: boolean;
  parentHash: string | null;
}

async function issue(tx: Database, now: Date, parent: Parent): Promise<RefreshToken> {
  const token = newToken();
  const lifetimeMs = parent.isTrusted ? trustedLifetimeMs : idleLifetimeMs;
  await repository.insertToken(tx, {
    tokenHash: hashToken(token),
    sessionId: parent.sessionId,
    parentHash: parent.parentHash,
    createdAt: now,
    expiresAt: new Date(now.getTime() + lifetimeMs),
  });
  return { token, maxAgeSeconds: parent.isTrusted ? trustedLifetimeMs / 1000 : null };
}

/** Opens a session of `userId`, in the caller's transaction. */
export async function openSession(
  tx: Database,
  now: Date,
  { userId, isTrusted, device }: { userId: string; isTrusted: boolean; device: string | null },
): Promise<{ sessionId: string; refresh: RefreshToken }> {
  const sessionId = randomUUID();
  await repository.insertSession(tx, { id: sessionId, userId, isTrusted, device, createdAt: now });
  await repository.deleteSurplusSessions(tx, { userId, newId: sessionId });
  return { sessionId, refresh: await issue(tx, now, { sessionId, isTrusted, parentHash: null }) };
}

/**
 * Replaces all tokens of the session with the returned one. Deleted, not revoked: a thief who
 * presents one later must not end the owner's session. Null if the session has ended.
 */
export async function renewSession(
  tx: Database,
  now: Date,
  sessionId: string,
): Promise<RefreshToken | null> {
  const session = await repository.lockLiveSession(tx, sessionId);
  if (!session) return null;
  await repository.deleteTokensOf(tx, sessionId);
  return issue(tx, now, { sessionId, isTrusted: session.isTrusted, parentHash: null });
}

const wasKept = ({ createdAt, usedAt }: repository.TokenRow) =>
  usedAt !== null && usedAt.getTime() - createdAt.getTime() > unkeptMs;

/** All descendants of a token; null if any was stored. */
async function unkeptDescendants(tx: Database, tokenHash: string): Promise<string[] | null> {
  const found: string[] = [];
  for (let parents = [tokenHash]; parents.length > 0; ) {
    const children = await repository.findChildren(tx, parents);
    if (children.some(wasKept)) return null;
    parents = children.map((child) => child.tokenHash);
    found.push(...parents);
  }
  return found;
}

/** May this token have another child? If so, revokes its descendants. */
async function mayRotate(tx: Database, now: Date, token: repository.TokenRow): Promise<boolean> {
  if (token.revokedAt !== null) return false;
  if (token.usedAt === null) {
    await repository.markTokenUsed(tx, token.tokenHash, now);
    return true;
  }
  const usedForMs = now.getTime() - token.usedAt.getTime();
  if (usedForMs <= graceMs) return true;
  if (usedForMs > lostReplyMs) return false;
  const descendants = await unkeptDescendants(tx, token.tokenHash);
  if (descendants === null) return false;
  await repository.revokeTokens(tx, descendants, now);
  return true;
}

/**
 * Exchanges a refresh token for the next. `refused`: unknown, expired, ended or reused. Refuses with
 * `rate_limited`.
 */
export function rotate(
  db: Database,
  now: Date,
  presented: string,
  device: string | null,
): Promise<Rotation> {
  if (!isShaped(presented)) return Promise.resolve({ kind: 'refused', userId: null });
  const tokenHash = hashToken(presented);
  return db.transaction(async (tx) => {
    const session = await repository.lockSessionOfToken(tx, tokenHash);
    const token = session && (await repository.findToken(tx, tokenHash));
    const refused: Rotation = { kind: 'refused', userId: session?.userId ?? null };
    if (!session || !token || session.revokedAt !== null || token.expiresAt <= now) return refused;
    const since = new Date(now.getTime() - 3_600_000);
    if ((await repository.countTokensSince(tx, session.id, since)) >= mostTokensAnHour) {
      throw new Refusal('rate_limited', { retryAfterSeconds: 60 });
    }
    if (!(await mayRotate(tx, now, token))) {
      await repository.revokeSession(tx, session.id, now);
      return refused;
    }
    await repository.noteUse(tx, session.id, { device, lastSeenAt: now });
    const refresh = await issue(tx, now, {
      sessionId: session.id,
      isTrusted: session.isTrusted,
      parentHash: tokenHash,
    });
    return { kind: 'rotated', userId: session.userId, sessionId: session.id, refresh };
  });
}

/** Ends the session of a refresh token, if any. */
export async function endSessionOfToken(db: Database, now: Date, presented: string): Promise<void> {
  if (!isShaped(presented)) return;
  await db.transaction(async (tx) => {
    const session = await repository.lockSessionOfToken(tx, hashToken(presented));
    if (session) await repository.revokeSession(tx, session.id, now);
  });
}
