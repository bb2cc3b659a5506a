import { randomUUID } from 'node:crypto';
import type { OpenDatabase } from '#server/database/database.ts';
import { findUserByEmail, insertUser, updateUser } from '#server/modules/users/repository.ts';
import { hashPassword } from './passwords.ts';
import { revokeSessionsOf } from './repository.ts';

export type FirstAdmin = 'made' | 'promoted' | 'left as it was';

/**
 * Creates the deployment's first admin. An existing admin is left unchanged, including its
 * password. Any other account with that e-mail is promoted, gets the given password and loses all
 * sessions: the person who registered it may know the old one.
 */
export async function ensureFirstAdmin(
  { db }: OpenDatabase,
  { email, password }: { email: string; password: string },
  now: Date,
): Promise<FirstAdmin> {
  const existing = await findUserByEmail(db, email);
  if (existing?.roles.includes('Admin')) return 'left as it was';
  const passwordHash = await hashPassword(password);
  await db.transaction(async (tx) => {
    if (!existing) {
      await insertUser(tx, {
        id: randomUUID(),
        email,
        passwordHash,
        roles: ['Admin'],
        createdAt: now,
        updatedAt: now,
      });
      return;
    }
    await updateUser(tx, existing.id, {
      passwordHash,
      roles: ['Admin'],
      isActive: true,
      version: existing.version + 1,
      updatedAt: now,
    });
    await revokeSessionsOf(tx, existing.id, now);
  });
  return existing ? 'promoted' : 'made';
}
