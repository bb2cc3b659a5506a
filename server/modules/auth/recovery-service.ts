/**
 * Forgotten passwords and confirmed e-mails. Nothing that a caller can see or measure says whether an
 * e-mail has an account: `forgot` writes one row in every case, and the sender of mails looks.
 */
import type { ResetPasswordBody } from '#contract/auth.ts';
import type { Actor } from '#domain/policy.ts';
import type { AccountTokenKind } from '#server/database/account-schema.ts';
import type { Database } from '#server/database/database.ts';
import { touch } from '#server/database/field-versions.ts';
import { inTransaction } from '#server/database/transaction.ts';
import { Refusal } from '#server/http/refusal.ts';
import { enqueueMail } from '#server/modules/mail/repository.ts';
import { lockUser, type UserRow, updateUser } from '#server/modules/users/repository.ts';
import { endAccountTokens, isLiveToken, spendToken } from './account-tokens.ts';
import { hashPassword } from './passwords.ts';
import { revokeSessionsOf } from './repository.ts';

export type RecoveryService = ReturnType<typeof createRecoveryService>;

/** The account of a link, locked. Refuses with `link_used`, also once it has another e-mail. */
async function requireUser(
  tx: Database,
  token: string,
  kind: AccountTokenKind,
  now: Date,
): Promise<UserRow> {
  const found = await spendToken(tx, token, kind, now);
  const user = found && (await lockUser(tx, found.userId));
  if (!user?.isActive || user.email !== found?.email) throw new Refusal('link_used');
  return user;
}

export function createRecoveryService({ db, now }: { db: Database; now: () => Date }) {
  return {
    forgot: (email: string): Promise<void> =>
      enqueueMail(db, { kind: 'reset', userId: null, to: email, now: now() }),

    /** Ends all sessions and confirms the e-mail. Refuses with `link_used`. */
    reset: async ({ token, password }: ResetPasswordBody): Promise<void> => {
      // Hashing is expensive, so a guessed token is refused before it.
      if (!(await isLiveToken(db, token, 'reset', now()))) throw new Refusal('link_used');
      const passwordHash = await hashPassword(password);
      const at = now();
      await inTransaction(db, async (tx) => {
        const user = await requireUser(tx, token, 'reset', at);
        const { id, email } = user;
        await updateUser(tx, id, {
          passwordHash,
          confirmedEmail: email,
          updatedAt: at,
          ...touch(user, [], undefined),
        });
        await endAccountTokens(tx, id, 'reset');
        await revokeSessionsOf(tx, id, at);
        await enqueueMail(tx, { kind: 'password_changed', userId: id, to: email, now: at });
      });
    },

    /** Refuses with `link_used`. */
    confirm: (token: string): Promise<void> => {
      const at = now();
      return inTransaction(db, async (tx) => {
        const user = await requireUser(tx, token, 'confirm', at);
        const { id, email } = user;
        const changes = { confirmedEmail: email, updatedAt: at, ...touch(user, [], undefined) };
        await updateUser(tx, id, changes);
      });
    },

    /** Nothing if it is confirmed. */
    sendConfirmation: async (tx: Database, { id }: Actor): Promise<void> => {
      const user = await lockUser(tx, id);
      if (!user || user.confirmedEmail === user.email) return;
      await enqueueMail(tx, { kind: 'confirm', userId: id, to: user.email, now: now() });
    },
  };
}
