import { routes } from '#contract/routes.ts';
import { hashPassword } from '#server/modules/auth/passwords.ts';
import type { RefreshCookie } from '#server/modules/auth/refresh-cookie.ts';
import { renewSession } from '#server/modules/auth/session-service.ts';
import { addMutation, addQuery, type RouteKit } from '#server/plugins/contract-routes.ts';
import type { RateLimits } from '#server/plugins/rate-limits.ts';
import { addUser, adjustBalance, deactivateUser, insistOnAdmin } from './administration.ts';
import { listVisibleUsers, patchUser } from './service.ts';
import { pullUsers } from './user-delta.ts';

interface Needs {
  cookie: RefreshCookie;
  limits: RateLimits;
  now: () => Date;
}

/** /api/users and /api/users/balance. */
export function addUserRoutes(kit: RouteKit, { cookie, limits, now }: Needs): void {
  addQuery(kit, routes.listUsers, ({ actor, query: { since } }, setHeader) =>
    since === undefined
      ? listVisibleUsers(kit.db, actor)
      : pullUsers({ db: kit.db, actor, since, now: now(), setHeader }),
  );

  addMutation(
    kit,
    routes.patchUser,
    async ({ actor, sessionId, body, request }) => {
      const { password } = body;
      const passwordHash = password === undefined ? undefined : await hashPassword(password);
      return async (tx, dressWith) => {
        const user = await patchUser(tx, { actor, sessionId, body, passwordHash, now: now() });
        const isOwnPassword = passwordHash !== undefined && body.id === actor.id;
        const refresh = isOwnPassword ? await renewSession(tx, now(), sessionId) : null;
        if (refresh) dressWith((reply) => cookie.set(request, reply, refresh));
        return user;
      };
    },
    {
      hasEffects: true,
      // A repetition under the same key counts too: to compare passwords costs as much as to set one.
      admitPassword: ({ actor }) => limits.changePassword(actor.id).then(() => true),
    },
  );

  addMutation(
    kit,
    routes.addUser,
    async ({ actor, body }) => {
      insistOnAdmin(actor);
      const passwordHash = await hashPassword(body.password);
      return (tx) => addUser(tx, { actor, body, passwordHash, now: now() });
    },
    { hasEffects: true, admitPassword: async ({ actor }) => actor.role === 'Admin' },
  );

  addMutation(kit, routes.deleteUser, async ({ actor, sessionId, body }) => {
    insistOnAdmin(actor);
    return (tx) => deactivateUser(tx, { actor, sessionId, body, now: now() });
  });

  addMutation(kit, routes.adjustBalance, async ({ actor, body }) => {
    insistOnAdmin(actor);
    return (tx) => adjustBalance(tx, { actor, body, now: now() });
  });
}
