/** Users: who sees whom, and edits of a profile or a password (SPEC.md section 7, DESIGN.md section 3). */
import type { PatchUserBody, ProfileChanges, WireUser } from '#contract/user.ts';
import { type Actor, canAdministerUsers, canEditUser } from '#domain/policy.ts';
import { type Database, isUniqueViolation } from '#server/database/database.ts';
import { revokeSessionsOf } from '#server/modules/auth/repository.ts';
import { Refusal } from '#server/refusal.ts';
import * as repository from './repository.ts';
import { counterpart, wholeUser } from './user-view.ts';

export async function listVisibleUsers(db: Database, actor: Actor): Promise<WireUser[]> {
  if (actor.role === 'Admin') return (await repository.listUsers(db)).map(wholeUser);
  const self = await repository.findUser(db, actor.id);
  const others = await repository.listCounterparts(db, actor.id);
  return [...(self ? [wholeUser(self)] : []), ...others.map(counterpart)];
}

/** The fields of `changes` that are not already so. */
function differing(row: repository.UserRow, changes: ProfileChanges): ProfileChanges {
  return Object.fromEntries(
    Object.entries(changes).filter(
      ([name, value]) => value !== undefined && row[name as keyof ProfileChanges] !== value,
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

/**
 * Changes a profile or a password in the caller's transaction. A changed password ends the user's
 * other sessions (DESIGN.md section 2). Refuses with `not_found`, `conflict` or `email_taken`.
 */
export async function patchUser(tx: Database, patch: UserPatch): Promise<WireUser> {
  const { actor, body, passwordHash, now } = patch;
  const { id, password: _password, baseVersion, active: _active, roles: _roles, ...rest } = body;
  const { vehicle: _vehicle, ...changes } = rest;
  const decision = canEditUser(actor, id);
  if (!decision.isAllowed) throw new Refusal(decision.code);
  if (body.roles !== undefined || body.active !== undefined) {
    const may = canAdministerUsers(actor);
    if (!may.isAllowed) throw new Refusal(may.code);
  }
  const row = await repository.lockUser(tx, id);
  if (!row) throw new Refusal('not_found');

  const changed = differing(row, changes);
  const names = Object.keys(changed);
  if (names.length === 0 && passwordHash === undefined) return wholeUser(row);
  const isStale = (name: string) =>
    baseVersion !== undefined && (row.fieldVersions[name] ?? 0) > baseVersion;
  if (names.some(isStale)) throw new Refusal('conflict');
  if (changed.email !== undefined && (await repository.isEmailOfAnother(tx, changed.email, id))) {
    throw new Refusal('email_taken');
  }
  const version = row.version + 1;
  const touched = Object.fromEntries(names.map((name) => [name, version]));
  try {
    const updated = await repository.updateUser(tx, id, {
      ...changed,
      ...(passwordHash === undefined ? {} : { passwordHash }),
      version,
      fieldVersions: { ...row.fieldVersions, ...touched },
      updatedAt: now,
    });
    if (passwordHash !== undefined) {
      const keptSession = actor.id === id ? patch.sessionId : undefined;
      await revokeSessionsOf(tx, id, now, keptSession);
    }
    return wholeUser(updated);
  } catch (error) {
    // Somebody took the e-mail between the look and the write.
    if (isUniqueViolation(error, 'users_email_unique')) throw new Refusal('email_taken');
    throw error;
  }
}
