/** Users: who sees whom, and edits of a profile or a password (SPEC.md section 7, DESIGN.md section 3). */
import { eq, or } from 'drizzle-orm';
import { administrationFields, type PatchUserBody, type WireUser } from '#contract/user.ts';
import { type Actor, canAdministerUsers, canEditUser } from '#domain/policy.ts';
import { roleOf } from '#domain/user.ts';
import type { Database } from '#server/database/database.ts';
import { isUniqueViolation } from '#server/database/failure.ts';
import { staleFields, touch } from '#server/database/field-versions.ts';
import { users } from '#server/database/schema.ts';
import { revokeSessionsOf } from '#server/modules/auth/repository.ts';
import { fitSubscriptions } from '#server/modules/notifications/repository.ts';
import { conflictFields, insist, Refusal } from '#server/refusal.ts';
import * as repository from './repository.ts';
import { counterpart, wholeUser } from './user-view.ts';

export async function listVisibleUsers(db: Database, actor: Actor): Promise<WireUser[]> {
  const whole = ({ user, availableKobo }: repository.UserWithBalance) =>
    wholeUser(user, availableKobo);
  if (actor.role === 'Admin') return (await repository.listUsers(db)).map(whole);
  const isSelf = eq(users.id, actor.id);
  const found = await repository.listUsers(db, or(isSelf, repository.isCounterpartOf(actor)));
  const self = found.filter(({ user }) => user.id === actor.id).map(whole);
  const others = found.filter(({ user }) => user.id !== actor.id);
  return [...self, ...others.map(({ user }) => counterpart(user))];
}

/** As they see themselves. Refuses with `not_found`. */
export async function answerUser(tx: Database, id: string): Promise<WireUser> {
  const found = await repository.findUserWithBalance(tx, id);
  if (!found) throw new Refusal('not_found');
  return wholeUser(found.user, found.availableKobo);
}

/** What a patch may write, under the names that the fields have on the wire. */
type Changes = Omit<PatchUserBody, 'id' | 'password' | 'baseVersion'>;

function currentValue(row: repository.UserRow, name: keyof Changes): unknown {
  return name === 'active' ? row.isActive : row[name];
}

function isSame(a: unknown, b: unknown): boolean {
  if (!(Array.isArray(a) && Array.isArray(b))) return a === b;
  return a.length === b.length && a.every((one) => b.includes(one));
}

/** The fields of `changes` that are not already so. */
function differing(row: repository.UserRow, changes: Changes): Changes {
  return Object.fromEntries(
    Object.entries(changes).filter(
      ([name, value]) =>
        value !== undefined && !isSame(currentValue(row, name as keyof Changes), value),
    ),
  );
}

export interface UserPatch {
  actor: Actor;
  /** The actor's own session, which outlives a change of the own password. */
  sessionId: string;
  body: PatchUserBody;
  /** Of `body.password`, if there is one. */
  passwordHash: string | undefined;
  now: Date;
}

/** The actor's right, before anything is read: what it refuses tells nothing of the user. */
function insistOnRight(actor: Actor, body: PatchUserBody): void {
  insist(canEditUser(actor, body.id));
  if (administrationFields.some((name) => body[name] !== undefined)) {
    insist(canAdministerUsers(actor));
  }
}

/**
 * Refuses with `last_admin` what would leave nobody to administer. Call it before the user's row
 * is locked: the admins' rows are locked first, in one order, so that two such calls cannot wait
 * for each other.
 */
export async function insistOnOtherAdmin(tx: Database, id: string): Promise<void> {
  const admins = await repository.lockActiveAdmins(tx);
  if (admins.includes(id) && admins.length === 1) throw new Refusal('last_admin');
}

async function insistOnNoConflict(
  tx: Database,
  row: repository.UserRow,
  { body, changed }: { body: PatchUserBody; changed: Changes },
): Promise<void> {
  const stale = staleFields(row, Object.keys(changed), body.baseVersion);
  if (stale.length > 0) {
    const current = await answerUser(tx, row.id);
    throw new Refusal('conflict', { current, fields: conflictFields(stale) });
  }
  const { email } = changed;
  if (email !== undefined && (await repository.isEmailOfAnother(tx, email, row.id))) {
    throw new Refusal('email_taken');
  }
}

async function write(tx: Database, id: string, columns: repository.UserColumns): Promise<void> {
  try {
    await repository.updateUser(tx, id, columns);
  } catch (error) {
    // Somebody took the e-mail between the look and the write.
    if (isUniqueViolation(error, 'users_email_unique')) throw new Refusal('email_taken');
    throw error;
  }
}

/**
 * Changes a profile, a password, and as an admin roles and the active flag, in the caller's
 * transaction. A changed password ends the user's other sessions (DESIGN.md section 2), a
 * deactivation all of them. Refuses with `not_found`, `forbidden`, `conflict` (with the user as
 * it is), `email_taken` or `last_admin`.
 */
export async function patchUser(tx: Database, patch: UserPatch): Promise<WireUser> {
  const { actor, body, passwordHash, now } = patch;
  const { id, password: _password, baseVersion: _baseVersion, ...changes } = body;
  insistOnRight(actor, body);
  const endsAdmin = changes.active === false || changes.roles?.includes('Admin') === false;
  if (endsAdmin) await insistOnOtherAdmin(tx, id);
  const row = await repository.lockUser(tx, id);
  if (!row) throw new Refusal('not_found');

  const changed = differing(row, changes);
  const names = Object.keys(changed);
  if (names.length === 0 && passwordHash === undefined) return answerUser(tx, id);
  await insistOnNoConflict(tx, row, { body, changed });
  const { active: isActive, ...columns } = changed;
  await write(tx, id, {
    ...{ ...columns, isActive, passwordHash, updatedAt: now },
    ...touch(row, names),
  });
  if (changes.roles) await fitSubscriptions(tx, id, roleOf(changes.roles));
  if (isActive === false) await revokeSessionsOf(tx, id, now);
  else if (passwordHash !== undefined) {
    await revokeSessionsOf(tx, id, now, actor.id === id ? patch.sessionId : undefined);
  }
  return answerUser(tx, id);
}
