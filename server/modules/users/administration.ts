/** What admins alone do to users: add, deactivate, correct a balance (DESIGN.md section 3). */
import { randomUUID } from 'node:crypto';
import type { AddUserBody, AdjustBalanceBody, WireUser } from '#contract/user.ts';
import { nairaToKobo } from '#domain/money.ts';
import { type Actor, canAdministerUsers } from '#domain/policy.ts';
import type { Database } from '#server/database/database.ts';
import { adjust } from '#server/modules/ledger/service.ts';
import { insist, Refusal } from '#server/refusal.ts';
import * as repository from './repository.ts';
import { answerUser, patchUser } from './service.ts';

interface Administration<Body> {
  actor: Actor;
  body: Body;
  now: Date;
}

/** Before anything costly is done for the caller. Refuses with `forbidden`. */
export function insistOnAdmin(actor: Actor): void {
  insist(canAdministerUsers(actor));
}

/** Refuses with `email_taken`. */
export async function addUser(
  tx: Database,
  { body, now, passwordHash }: Administration<AddUserBody> & { passwordHash: string },
): Promise<WireUser> {
  const { password: _password, ...columns } = body;
  const user = await repository.insertUser(tx, {
    ...{ ...columns, passwordHash, id: randomUUID() },
    createdAt: now,
    updatedAt: now,
  });
  if (!user) throw new Refusal('email_taken');
  return answerUser(tx, user.id);
}

/** Nothing of their past goes. Refuses with `not_found` or `last_admin`. */
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
  return answerUser(tx, userId);
}
