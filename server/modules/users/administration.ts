/** What only admins do to users: add, deactivate, adjust a balance. */
import { randomUUID } from 'node:crypto';
import type { AddUserBody, AdjustBalanceBody, WireUser } from '#contract/user.ts';
import { nairaToKobo } from '#domain/money.ts';
import { type Actor, canAdministerUsers } from '#domain/policy.ts';
import type { Database } from '#server/database/database.ts';
import { insist, Refusal } from '#server/http/refusal.ts';
import { adjust } from '#server/modules/ledger/service.ts';
import * as repository from './repository.ts';
import { answerUser, patchUser } from './service.ts';

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
