import { randomUUID } from 'node:crypto';
import { eq, or } from 'drizzle-orm';
import {
  type AddUserBody,
  type AdjustBalanceBody,
  administrationFields,
  type PatchUserBody,
  type WireUser,
} from '#contract/user.ts';
import type { Writer } from '#contract/writer.ts';
import { nairaToKobo } from '#domain/money.ts';
import type { Actor } from '#domain/policy.ts';
import { roleOf } from '#domain/user.ts';
import { canAdministerUsers, canEditUser } from '#domain/user-policy.ts';
import type { Database } from '#server/database/database.ts';
import { isUniqueViolation } from '#server/database/database-failure.ts';
import { staleFields, touch } from '#server/database/field-versions.ts';
import { users } from '#server/database/schema.ts';
import { conflictFields, insist, Refusal } from '#server/http/refusal.ts';
import { endAccountTokens } from '#server/modules/auth/account-tokens.ts';
import { revokeSessionsOf } from '#server/modules/auth/repository.ts';
import { adjust } from '#server/modules/ledger/service.ts';
import { enqueueMail } from '#server/modules/mail/repository.ts';
import { emailChanged } from '#server/modules/mail/words.ts';
import { fitSubscriptions } from '#server/modules/notifications/repository.ts';
import { deletePosition } from '#server/modules/positions/repository.ts';
import * as repository from './repository.ts';
import { counterpart, wholeUserFor } from './user-view.ts';

export async function listVisibleUsers(db: Database, actor: Actor): Promise<WireUser[]> {
  const whole = ({ user, availableKobo }: repository.UserWithBalance) =>
    wholeUserFor(actor, user, availableKobo);
  if (actor.role === 'Admin') return (await repository.listUsers(db)).map(whole);
  const isSelf = eq(users.id, actor.id);
  const found = await repository.listUsers(db, or(isSelf, repository.isCounterpartOf(actor)));
  const self = found.filter(({ user }) => user.id === actor.id).map(whole);
  const others = found.filter(({ user }) => user.id !== actor.id);
  return [...self, ...others.map(({ user }) => counterpart(user))];
}

/** The complete user `id`, for readers who may see it. Refuses with `not_found`. */
export async function answerUser(tx: Database, reader: Actor, id: string): Promise<WireUser> {
  const found = await repository.findUserWithBalance(tx, id);
  if (!found) throw new Refusal('not_found');
  return wholeUserFor(reader, found.user, found.availableKobo);
}

type Changes = Omit<PatchUserBody, 'id' | 'password' | 'baseVersion'>;

function currentValue(row: repository.UserRow, name: keyof Changes): unknown {
  return name === 'active' ? row.isActive : row[name];
}

function isSame(a: unknown, b: unknown): boolean {
  if (!(Array.isArray(a) && Array.isArray(b))) return a === b;
  return a.length === b.length && a.every((one) => b.includes(one));
}

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
  /** The actor's session, which survives a change of their own password. */
  sessionId: string;
  body: PatchUserBody;
  writer?: Writer | undefined;
  passwordHash: string | undefined;
  now: Date;
}

/** Checked before anything is read, so that a refusal reveals nothing about the user. */
function requireRight(actor: Actor, body: PatchUserBody): void {
  insist(canEditUser(actor, body.id));
  if (administrationFields.some((name) => body[name] !== undefined)) {
    requireAdmin(actor);
  }
}

/**
 * Refuses with `last_admin` a change that would leave no admin. Call it before locking the user's
 * row: admins are locked first, in one order, so that two such calls cannot deadlock.
 */
async function requireOtherAdmin(tx: Database, id: string): Promise<void> {
  const admins = await repository.lockActiveAdmins(tx);
  if (admins.includes(id) && admins.length === 1) throw new Refusal('last_admin');
}

async function requireNoConflict(
  tx: Database,
  row: repository.UserRow,
  {
    actor,
    body,
    writer,
    changed,
  }: Pick<UserPatch, 'actor' | 'body' | 'writer'> & { changed: Changes },
): Promise<void> {
  const stale = staleFields(row, Object.keys(changed), { ...body, writer });
  if (stale.length > 0) {
    const current = await answerUser(tx, actor, row.id);
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
    // Taken between check and write.
    if (isUniqueViolation(error, 'users_email_unique')) throw new Refusal('email_taken');
    throw error;
  }
}

/** Tells the owner by mail what could take their account from them, and ends links that could. */
async function noteAccountChange(
  tx: Database,
  row: repository.UserRow,
  { email, isNewPassword, now }: { email: string; isNewPassword: boolean; now: Date },
): Promise<void> {
  const { id: userId } = row;
  const isNewEmail = email !== row.email;
  if (isNewEmail || isNewPassword) await endAccountTokens(tx, userId, 'reset');
  if (isNewPassword) {
    await enqueueMail(tx, { kind: 'password_changed', userId, to: email, now });
  }
  if (isNewEmail) {
    const notice = { ...emailChanged(email), kind: 'account_notice', userId } as const;
    await enqueueMail(tx, { ...notice, to: row.email, now });
    await enqueueMail(tx, { kind: 'confirm', userId, to: email, now });
  }
}

/**
 * Changes profile, password and, as an admin, roles and active flag, in transaction `tx`. A new
 * password ends the user's other sessions, a deactivation all. Refuses with `not_found`,
 * `forbidden`, `conflict` (with the current user), `email_taken` or `last_admin`.
 */
export async function patchUser(tx: Database, patch: UserPatch): Promise<WireUser> {
  const { actor, body, writer, passwordHash, now } = patch;
  const { id, password: _password, baseVersion: _baseVersion, ...changes } = body;
  requireRight(actor, body);
  const endsAdmin = changes.active === false || changes.roles?.includes('Admin') === false;
  if (endsAdmin) await requireOtherAdmin(tx, id);
  const row = await repository.lockUser(tx, id);
  if (!row) throw new Refusal('not_found');

  const changed = differing(row, changes);
  const names = Object.keys(changed);
  if (names.length === 0 && passwordHash === undefined) return answerUser(tx, actor, id);
  await requireNoConflict(tx, row, { actor, body, writer, changed });
  const { active: isActive, ...columns } = changed;
  await write(tx, id, {
    ...columns,
    isActive,
    passwordHash,
    updatedAt: now,
    ...touch(row, names, writer),
  });
  const isNewPassword = passwordHash !== undefined;
  await noteAccountChange(tx, row, { email: changed.email ?? row.email, isNewPassword, now });
  if (changes.roles) await fitSubscriptions(tx, id, roleOf(changes.roles));
  const isNoCourier = changes.roles && roleOf(changes.roles) !== 'Employee';
  if (isActive === false || isNoCourier) await deletePosition(tx, id);
  if (isActive === false) await revokeSessionsOf(tx, id, now);
  else if (passwordHash !== undefined) {
    await revokeSessionsOf(tx, id, now, actor.id === id ? patch.sessionId : undefined);
  }
  return answerUser(tx, actor, id);
}

const mostGivenBack = 100;

/** Records that a courier gave an accepted package back. */
export async function recordReturn(tx: Database, id: string, now: Date): Promise<void> {
  const row = await repository.lockUser(tx, id);
  if (!row) throw new Refusal('not_found');
  const givenBackAt = [now.toISOString(), ...row.givenBackAt].slice(0, mostGivenBack);
  await repository.updateUser(tx, id, { givenBackAt });
}

interface Administration<Body> {
  actor: Actor;
  body: Body;
  now: Date;
}

/** Call it before any costly work. Refuses with `forbidden`. */
export function requireAdmin(actor: Actor): void {
  insist(canAdministerUsers(actor));
}

/** Refuses with `email_taken`. */
export async function addUser(
  tx: Database,
  { actor, body, now, passwordHash }: Administration<AddUserBody> & { passwordHash: string },
): Promise<WireUser> {
  const { password: _password, ...columns } = body;
  const user = await repository.insertUser(tx, {
    ...columns,
    passwordHash,
    id: randomUUID(),
    createdAt: now,
    updatedAt: now,
  });
  if (!user) throw new Refusal('email_taken');
  return answerUser(tx, actor, user.id);
}

/** Deletes nothing. Refuses with `not_found` or `last_admin`. */
export function deactivateUser(
  tx: Database,
  { actor, body, now, sessionId }: Administration<{ id: string }> & { sessionId: string },
): Promise<WireUser> {
  const patch = { id: body.id, active: false };
  return patchUser(tx, { actor, sessionId, body: patch, passwordHash: undefined, now });
}

/** Refuses with `not_found` or `insufficient_funds`. */
export async function adjustBalance(
  tx: Database,
  { actor, body, now }: Administration<AdjustBalanceBody>,
): Promise<WireUser> {
  const { id: userId, amount, reason } = body;
  if (!(await repository.findUser(tx, userId))) throw new Refusal('not_found');
  const amountKobo = nairaToKobo(amount);
  await adjust(tx, { userId, amountKobo, reason, actorId: actor.id, now });
  return answerUser(tx, actor, userId);
}
