/** Access tokens: JWT, HS256, 15 minutes, with `userInfo` as SPEC.md section 3 reads it. */
import { jwtVerify, SignJWT } from 'jose';
import * as v from 'valibot';
import type { UserInfo } from '#contract/auth.ts';

const lifetimeSeconds = 15 * 60;
const algorithm = 'HS256';

const claimsSchema = v.object({
  sub: v.pipe(v.string(), v.uuid()),
  sid: v.pipe(v.string(), v.uuid()),
});

export interface AccessTokens {
  sign(userInfo: UserInfo, sessionId: string): Promise<string>;
  /** Whose token it is and of which session; null where it is not ours or has expired. */
  verify(token: string): Promise<{ userId: string; sessionId: string } | null>;
}

export function createAccessTokens(secret: string, now: () => Date): AccessTokens {
  const key = new TextEncoder().encode(secret);
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
      try {
        const { payload } = await jwtVerify(token, key, {
          algorithms: [algorithm],
          requiredClaims: ['exp'],
          currentDate: now(),
        });
        const { sub, sid } = v.parse(claimsSchema, payload);
        return { userId: sub, sessionId: sid };
      } catch {
        // Forged, garbled or expired: to the caller all the same.
        return null;
      }
    },
  };
}
