import { routes } from '#contract/routes.ts';
import { hashPassword } from '#server/modules/auth/passwords.ts';
import { addMutation, addQuery, type RouteKit } from '#server/plugins/contract-routes.ts';
import type { RateLimits } from '#server/plugins/rate-limits.ts';
import { addUser, adjustBalance, deactivateUser, insistOnAdmin } from './administration.ts';
import { listVisibleUsers, patchUser } from './service.ts';
import { pullUsers } from './user-delta.ts';

/** /api/users and /api/users/balance. */
export function addUserRoutes(kit: RouteKit, limits: RateLimits, now: () => Date): void {
  addQuery(kit, routes.listUsers, ({ actor, query: { since } }, setHeader) =>
    since === undefined
      ? listVisibleUsers(kit.db, actor)
      : pullUsers({ db: kit.db, actor, since, now: now(), setHeader }),
  );

  addMutation(kit, routes.patchUser, async ({ actor, sessionId, body }) => {
    const { password } = body;
    if (password !== undefined) await limits.changePassword(actor.id);
    const passwordHash = password === undefined ? undefined : await hashPassword(password);
    return (tx) => patchUser(tx, { actor, sessionId, body, passwordHash, now: now() });
  });

  addMutation(kit, routes.addUser, async ({ actor, body }) => {
    insistOnAdmin(actor);
    const passwordHash = await hashPassword(body.password);
    return (tx) => addUser(tx, { actor, body, passwordHash, now: now() });
  });

  addMutation(kit, routes.deleteUser, async ({ actor, sessionId, body }) => {
    insistOnAdmin(actor);
    return (tx) => deactivateUser(tx, { actor, sessionId, body, now: now() });
  });

  addMutation(kit, routes.adjustBalance, async ({ actor, body }) => {
    insistOnAdmin(actor);
    return (tx) => adjustBalance(tx, { actor, body, now: now() });
  });
}
