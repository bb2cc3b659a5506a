/**
 * Role, active flag, profile and session are read per request, in one query: tokens outlive none.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Actor } from '#domain/policy.ts';
import type { Database } from '#server/database/database.ts';
import { Refusal } from '#server/http/refusal.ts';
import type { AccessTokens } from '#server/modules/auth/access-tokens.ts';
import { findUserOfSession } from '#server/modules/auth/repository.ts';
import { actorOf } from '#server/modules/users/user-view.ts';

export interface Caller {
  actor: Actor;
  sessionId: string;
}

export type Authenticate = (request: FastifyRequest) => Promise<Caller>;

/** The token of an Authorization header, if any. */
export function bearerOf(request: FastifyRequest): string | null {
  const match = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '');
  return match?.[1] ?? null;
}

/** Constant-time. */
export function isKey(given: string, key: string): boolean {
  const digest = (text: string) => createHmac('sha256', key).update(text).digest();
  return timingSafeEqual(digest(given), digest(key));
}

/** Does the Authorization header carry `key`? */
export const carriesKey = (request: FastifyRequest, key: string): boolean =>
  isKey(bearerOf(request) ?? '', key);

/** Refuses with `unauthenticated`, `session_expired` or `account_inactive`. */
export function createAuthenticate(db: Database, tokens: AccessTokens): Authenticate {
  return async (request) => {
    const token = bearerOf(request);
    if (token === null) throw new Refusal('unauthenticated');
    const claims = await tokens.verify(token);
    if (!claims) throw new Refusal('session_expired');
    const found = await findUserOfSession(db, claims);
    if (!found) throw new Refusal('session_expired');
    // A deactivation ends the sessions too; the response names the cause.
    if (!found.user.isActive) throw new Refusal('account_inactive');
    if (found.hasEnded) throw new Refusal('session_expired');
    return { actor: actorOf(found.user), sessionId: claims.sessionId };
  };
}
