import { routes } from '#contract/routes.ts';
import { hashPassword } from '#server/modules/auth/passwords.ts';
import { addMutation, addQuery, type RouteKit } from '#server/plugins/contract-routes.ts';
import type { RateLimits } from '#server/plugins/rate-limits.ts';
import { listVisibleUsers, patchUser } from './service.ts';

/** GET and PATCH /api/users. */
export function addUserRoutes(kit: RouteKit, limits: RateLimits, now: () => Date): void {
  addQuery(kit, routes.listUsers, ({ actor }) => listVisibleUsers(kit.db, actor));

  addMutation(kit, routes.patchUser, async ({ actor, sessionId, body }) => {
    const { password } = body;
    if (password !== undefined) await limits.changePassword(actor.id);
    const passwordHash = password === undefined ? undefined : await hashPassword(password);
    return (tx) => patchUser(tx, { actor, sessionId, body, passwordHash, now: now() });
  });
}
