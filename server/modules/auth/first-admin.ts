import { randomUUID } from 'node:crypto';
import type { OpenDatabase } from '#server/database/database.ts';
import { findUserByEmail, insertUser, updateUser } from '#server/modules/users/repository.ts';
import { hashPassword } from './passwords.ts';
import { revokeSessionsOf } from './repository.ts';

/** What was found under the e-mail, and what became of it. */
export type FirstAdmin = 'made' | 'promoted' | 'left as it was';

/**
 * Makes the deployment's first admin (DESIGN.md section 1). An admin of that e-mail stays as they
 * are, their own later password included. Somebody else who signed up with it first is promoted
 * with the deployment's password and all their sessions ended: their old password may be anybody's.
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
        ...{ id: randomUUID(), email, passwordHash, roles: ['Admin'] },
        createdAt: now,
        updatedAt: now,
      });
      return;
    }
    await updateUser(tx, existing.id, {
      ...{ passwordHash, roles: ['Admin'], isActive: true },
      version: existing.version + 1,
      updatedAt: now,
    });
    await revokeSessionsOf(tx, existing.id, now);
  });
  return existing ? 'promoted' : 'made';
}
