/**
 * Who is calling. The role, the active flag and the profile are read afresh for every request, in
 * one query that also sees whether the session still lives: a token cannot outlive either.
 */
import type { FastifyRequest } from 'fastify';
import type { Actor } from '#domain/policy.ts';
import type { Database } from '#server/database/database.ts';
import type { AccessTokens } from '#server/modules/auth/access-tokens.ts';
import { findUserOfSession } from '#server/modules/auth/repository.ts';
import { actorOf } from '#server/modules/users/user-view.ts';
import { Refusal } from '#server/refusal.ts';

export interface Caller {
  actor: Actor;
  sessionId: string;
}

export type Authenticate = (request: FastifyRequest) => Promise<Caller>;

/** The token of an Authorization header; null where there is none. */
export function bearerOf(request: FastifyRequest): string | null {
  const match = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '');
  return match?.[1] ?? null;
}

/** Refuses with `unauthenticated`, `session_expired` or `account_inactive`. */
export function createAuthenticate(db: Database, tokens: AccessTokens): Authenticate {
  return async (request) => {
    const token = bearerOf(request);
    if (token === null) throw new Refusal('unauthenticated');
    const claims = await tokens.verify(token);
    if (!claims) throw new Refusal('session_expired');
    const found = await findUserOfSession(db, claims);
    if (!found) throw new Refusal('session_expired');
    // A deactivation ends the sessions too; what is said is why.
    if (!found.user.isActive) throw new Refusal('account_inactive');
    if (found.hasEnded) throw new Refusal('session_expired');
    return { actor: actorOf(found.user), sessionId: claims.sessionId };
  };
}
