import { createHash, randomUUID } from 'node:crypto';
import type { LoginBody, SignUpBody } from '#contract/auth.ts';
import type { WireUser } from '#contract/user.ts';
import type { Database } from '#server/database/database.ts';
import { Refusal } from '#server/http/refusal.ts';
import { enqueueMail } from '#server/modules/mail/repository.ts';
import {
  findUser,
  findUserByEmail,
  holdUser,
  insertUser,
  type UserRow,
} from '#server/modules/users/repository.ts';
import { answerUser } from '#server/modules/users/service.ts';
import { actorOf, userInfoOf, wholeUser } from '#server/modules/users/user-view.ts';
import type { AccessTokens } from './access-tokens.ts';
import { hashPassword, isPassword } from './passwords.ts';
import { revokeSession } from './repository.ts';
import { endSessionOfToken, openSession, type RefreshToken, rotate } from './session-service.ts';

export interface SignedIn {
  accessToken: string;
  refresh: RefreshToken;
}

export interface SignedUp extends SignedIn {
  user: WireUser;
  isReplayed: boolean;
}

export type AuthService = ReturnType<typeof createAuthService>;

interface Needs {
  db: Database;
  tokens: AccessTokens;
  now: () => Date;
}

let ofNobody: Promise<string> | undefined;
/** A hash no password matches, computed once. */
function dummyPassword(): Promise<string> {
  ofNobody ??= hashPassword(randomUUID());
  return ofNobody;
}

interface SignInHow {
  isTrusted: boolean;
  device: string | null;
}

const hashKey = (key: string) => createHash('sha256').update(key).digest('hex');

export function createAuthService({ db, tokens, now }: Needs) {
  /**
   * Call it once `user`'s password was verified: no session may follow a concurrent password change
   * or deactivation. Refuses as `login` does.
   */
  const signIn = async (tx: Database, user: UserRow, how: SignInHow): Promise<SignedIn> => {
    const current = await holdUser(tx, user.id);
    if (current?.passwordHash !== user.passwordHash) throw new Refusal('wrong_password');
    if (!current.isActive) throw new Refusal('account_inactive');
    const { sessionId, refresh } = await openSession(tx, now(), { userId: user.id, ...how });
    return { accessToken: await tokens.sign(userInfoOf(user), sessionId), refresh };
  };

  const repeatSignUp = async (
    user: UserRow,
    {
      password,
      signUpKeyHash,
      device,
    }: { password: string; signUpKeyHash: string | null; device: string | null },
  ): Promise<SignedUp> => {
    const isRepeat = signUpKeyHash !== null && user.signUpKeyHash === signUpKeyHash;
    if (!(isRepeat && (await isPassword(user.passwordHash, password)))) {
      throw new Refusal('email_taken');
    }
    if (!user.isActive) throw new Refusal('account_inactive');
    const session = await db.transaction((tx) => signIn(tx, user, { isTrusted: false, device }));
    return { ...session, user: await answerUser(db, actorOf(user), user.id), isReplayed: true };
  };

  return {
    /**
     * Repeating a completed sign-up (same Idempotency-Key, e-mail, password) opens another session.
     * Refuses with `email_taken` or `account_inactive`.
     */
    signUp: async (
      { email, password, role }: SignUpBody,
      { key, device }: { key: string | undefined; device: string | null },
    ): Promise<SignedUp> => {
      const signUpKeyHash = key === undefined ? null : hashKey(key);
      const existing = await findUserByEmail(db, email);
      if (existing) return repeatSignUp(existing, { password, signUpKeyHash, device });
      const passwordHash = await hashPassword(password);
      const at = now();
      const made = await db.transaction(async (tx) => {
        const user = await insertUser(tx, {
          id: randomUUID(),
          email,
          passwordHash,
          roles: [role],
          signUpKeyHash,
          createdAt: at,
          updatedAt: at,
        });
        if (!user) return null;
        await enqueueMail(tx, { kind: 'confirm', userId: user.id, to: email, now: at });
        const session = await signIn(tx, user, { isTrusted: false, device });
        return { ...session, user: wholeUser(user, 0) };
      });
      if (made) return { ...made, isReplayed: false };
      // Signed up during the hashing, by someone else or a retry of this call.
      const first = await findUserByEmail(db, email);
      if (!first) throw new Refusal('email_taken');
      return repeatSignUp(first, { password, signUpKeyHash, device });
    },

    /** Refuses with `email_unknown`, `wrong_password` or `account_inactive`. */
    login: async (
      { email, password, trustDevice: isTrusted = false }: LoginBody,
      device: string | null,
    ): Promise<SignedIn> => {
      const user = await findUserByEmail(db, email);
      // An unknown e-mail takes as long as a wrong password.
      const isRight = await isPassword(user?.passwordHash ?? (await dummyPassword()), password);
      if (!user) throw new Refusal('email_unknown');
      if (!isRight) throw new Refusal('wrong_password');
      if (!user.isActive) throw new Refusal('account_inactive');
      return db.transaction((tx) => signIn(tx, user, { isTrusted, device }));
    },

    /** Refuses with `unauthenticated` (no token), `session_expired` or `account_inactive`. */
    refresh: async (presented: string | null, device: string | null): Promise<SignedIn> => {
      if (presented === null) throw new Refusal('unauthenticated');
      const rotation = await rotate(db, now(), presented, device);
      const user = rotation.userId === null ? null : await findUser(db, rotation.userId);
      // A deactivation ends the sessions too; the response names the cause.
      if (user?.isActive === false) throw new Refusal('account_inactive');
      if (!user || rotation.kind === 'refused') throw new Refusal('session_expired');
      const accessToken = await tokens.sign(userInfoOf(user), rotation.sessionId);
      return { accessToken, refresh: rotation.refresh };
    },

    /** Ends the session, if any. Refuses with `session_unclear` only without a valid access token. */
    logout: async (readCookie: () => string | null, accessToken: string | null) => {
      const claims = accessToken === null ? null : await tokens.verify(accessToken);
      if (claims) await revokeSession(db, claims.sessionId, now());
      let presented: string | null = null;
      try {
        presented = readCookie();
      } catch (error) {
        // With two cookies the device's own is unknown; the access token already named the session.
        if (!claims) throw error;
      }
      if (presented !== null) await endSessionOfToken(db, now(), presented);
    },
  };
}
