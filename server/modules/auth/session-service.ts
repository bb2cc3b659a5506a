/**
 * Sessions and their refresh tokens (DESIGN.md section 7). Tokens form a tree; a presented token is
 *
 *   unused ───────────────────────────────▶ mark used, new child
 *   used, within the grace ───────────────▶ another child     (two tabs, a reply lost just now)
 *   used, later, nothing made of it is ───▶ revoke all that was, new child   (the reply was lost, or
 *   known to have been kept                 the browser was killed before it wrote its cookies)
 *   anything else ────────────────────────▶ reuse: the session ends
 *
 * Invariant: of the tokens that descend from one that was presented twice after the grace, at most
 * one side goes on; a thief and the owner cannot both.
 */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Database } from '#server/database/database.ts';
import * as repository from './repository.ts';

export const graceMs = 30_000;
/**
 * Browsers write cookies to disk every half a minute or so. Who used a token sooner after it was made
 * may have had it in memory alone, and comes back with an older one after being killed.
 */
export const unkeptMs = 60_000;
const trustedLifetimeMs = 30 * 24 * 3_600_000;
const idleLifetimeMs = 24 * 3_600_000;

/** What the cookie is to hold, and for how long: null until the browser is closed. */
export interface RefreshToken {
  token: string;
  maxAgeSeconds: number | null;
}

export type Rotation =
  | { kind: 'rotated'; userId: string; sessionId: string; refresh: RefreshToken }
  /** `userId`: whose token it was; null where nobody's. */
  | { kind: 'refused'; userId: string | null };

function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

function isShaped(token: string): boolean {
  return /^[\w-]{43}$/.test(token);
}

interface Parent {
  sessionId: string;
  isTrusted: boolean;
  parentHash: string | null;
}

async function issue(tx: Database, now: Date, parent: Parent): Promise<RefreshToken> {
  const token = randomBytes(32).toString('base64url');
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

/** A new session of `userId`, inside the caller's transaction. */
export async function openSession(
  tx: Database,
  now: Date,
  { userId, isTrusted }: { userId: string; isTrusted: boolean },
): Promise<{ sessionId: string; refresh: RefreshToken }> {
  const sessionId = randomUUID();
  await repository.insertSession(tx, { id: sessionId, userId, isTrusted, createdAt: now });
  return { sessionId, refresh: await issue(tx, now, { sessionId, isTrusted, parentHash: null }) };
}

/**
 * The session goes on with the token that this gives, and with none from before: a copy of its
 * cookie in other hands is worth nothing from now on. Deleted and not revoked, for a thief who
 * presents one later must not end the session of its owner. Null where the session has ended.
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

/** All that was made of a token, and of that; null where any of it was kept. */
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

/** May this token have another child? Revokes what must not go on beside it. */
async function mayRotate(tx: Database, now: Date, token: repository.TokenRow): Promise<boolean> {
  if (token.revokedAt !== null) return false;
  if (token.usedAt === null) {
    await repository.markTokenUsed(tx, token.tokenHash, now);
    return true;
  }
  if (now.getTime() - token.usedAt.getTime() <= graceMs) return true;
  const descendants = await unkeptDescendants(tx, token.tokenHash);
  if (descendants === null) return false;
  await repository.revokeTokens(tx, descendants, now);
  return true;
}

/** Trades a refresh token for the next one. `refused`: unknown, expired, ended or reused. */
export function rotate(db: Database, now: Date, presented: string): Promise<Rotation> {
  if (!isShaped(presented)) return Promise.resolve({ kind: 'refused', userId: null });
  const tokenHash = hashToken(presented);
  return db.transaction(async (tx) => {
    const session = await repository.lockSessionOfToken(tx, tokenHash);
    const token = session && (await repository.findToken(tx, tokenHash));
    const refused: Rotation = { kind: 'refused', userId: session?.userId ?? null };
    if (!session || !token || session.revokedAt !== null || token.expiresAt <= now) return refused;
    if (!(await mayRotate(tx, now, token))) {
      await repository.revokeSession(tx, session.id, now);
      return refused;
    }
    const refresh = await issue(tx, now, {
      sessionId: session.id,
      isTrusted: session.isTrusted,
      parentHash: tokenHash,
    });
    return { kind: 'rotated', userId: session.userId, sessionId: session.id, refresh };
  });
}

/** Ends the session that a refresh token belongs to, if there is one. */
export async function endSessionOfToken(db: Database, now: Date, presented: string): Promise<void> {
  if (!isShaped(presented)) return;
  await db.transaction(async (tx) => {
    const session = await repository.lockSessionOfToken(tx, hashToken(presented));
    if (session) await repository.revokeSession(tx, session.id, now);
  });
}
