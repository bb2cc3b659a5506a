/** Access tokens: JWT, HS256, 15 minutes, with `userInfo` as SPEC.md section 3 reads it. */
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

/** Tokens whose signature was found good, at most; each has about half a kilobyte. */
const rememberedTokens = 10_000;

export interface AccessTokens {
  sign(userInfo: UserInfo, sessionId: string): Promise<string>;
  /** Whose token it is and of which session; null where it is not ours or has expired. */
  verify(token: string): Promise<{ userId: string; sessionId: string } | null>;
}

export function createAccessTokens(secret: string, now: () => Date): AccessTokens {
  const key = new TextEncoder().encode(secret);
  /**
   * By the whole token, in the order of their coming: what was signed stays signed, and a phone
   * shows the same token until it expires. Whether it has, and whether its session lives, is asked
   * each time.
   */
  const verified = new Map<string, { userId: string; sessionId: string; expiresAt: number }>();
  const remember = (token: string, payload: unknown) => {
    const { sub: userId, sid: sessionId, exp: expiresAt } = v.parse(claimsSchema, payload);
    const [oldest] = verified.size < rememberedTokens ? [] : verified.keys();
    if (oldest !== undefined) verified.delete(oldest);
    verified.set(token, { userId, sessionId, expiresAt });
    return { userId, sessionId };
  };

  return {
    sign: (userInfo, sessionId) => {
      const issuedAt = Math.floor(now().getTime() / 1000);
      return new SignJWT({ userInfo, sid: sessionId })
        .setProtectedHeader({ alg: algorithm })
        .setSubject(userInfo.id)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + lifetimeSeconds)
        .sign(key);
    },
    verify: async (token) => {
      const known = verified.get(token);
      if (known) {
        const { userId, sessionId, expiresAt } = known;
        if (expiresAt > Math.floor(now().getTime() / 1000)) return { userId, sessionId };
        verified.delete(token);
        return null;
      }
      try {
        const { payload } = await jwtVerify(token, key, {
          algorithms: [algorithm],
          requiredClaims: ['exp'],
          currentDate: now(),
        });
        return remember(token, payload);
      } catch {
        // Forged, garbled or expired: to the caller all the same.
        return null;
      }
    },
  };
}
