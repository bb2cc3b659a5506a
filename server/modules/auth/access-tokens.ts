/** Access tokens: JWT, HS256, 15 minutes, with `userInfo` for the client. */
import { jwtVerify, SignJWT } from 'jose';
import * as v from 'valibot';
import type { UserInfo } from '#contract/auth.ts';

const lifetimeSeconds = 15 * 60;
const algorithm = 'HS256';

const claimsSchema = v.object({
  sub: v.pipe(v.string(), v.uuid()),
  sid: v.pipe(v.string(), v.uuid()),
  exp: v.number(),
});

const rememberedTokens = 10_000;

interface Claims {
  userId: string;
  sessionId: string;
  /** Seconds since 1970. */
  expiresAt: number;
}

export type AccessTokens = ReturnType<typeof createAccessTokens>;

export function createAccessTokens(secret: string, now: () => Date) {
  const key = new TextEncoder().encode(secret);
  /** By token, oldest first. Expiry and session are still checked every time. */
  const verified = new Map<string, Claims>();
  const remember = (token: string, payload: unknown) => {
    const { sub: userId, sid: sessionId, exp: expiresAt } = v.parse(claimsSchema, payload);
    const [oldest] = verified.size < rememberedTokens ? [] : verified.keys();
    if (oldest !== undefined) verified.delete(oldest);
    const claims = { userId, sessionId, expiresAt };
    verified.set(token, claims);
    return claims;
  };
  /** The claims of a token signed by this server, even if expired; else null. */
  const read = async (token: string): Promise<Claims | null> => {
    const known = verified.get(token);
    if (known) return known;
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: [algorithm],
        requiredClaims: ['exp'],
        // `verify` checks the expiry.
        currentDate: new Date(0),
      });
      return remember(token, payload);
    } catch {
      return null;
    }
  };

  return {
    sign: (userInfo: UserInfo, sessionId: string): Promise<string> => {
      const issuedAt = Math.floor(now().getTime() / 1000);
      return new SignJWT({ userInfo, sid: sessionId })
        .setProtectedHeader({ alg: algorithm })
        .setSubject(userInfo.id)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + lifetimeSeconds)
        .sign(key);
    },
    read,
    /** User and session of a valid token; else null. */
    verify: async (token: string) => {
      const claims = await read(token);
      if (!claims || claims.expiresAt <= Math.floor(now().getTime() / 1000)) return null;
      const { userId, sessionId } = claims;
      return { userId, sessionId };
    },
  };
}
