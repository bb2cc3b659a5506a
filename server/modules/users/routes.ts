import { routes } from '#contract/routes.ts';
import type { Database } from '#server/database/database.ts';
import { inTransaction } from '#server/database/transaction.ts';
import {
  addMutation,
  addQuery,
  type Call,
  type RouteKit,
  readWriter,
} from '#server/http/contract-routes.ts';
import { hashPassword } from '#server/modules/auth/passwords.ts';
import type { RefreshCookie } from '#server/modules/auth/refresh-cookie.ts';
import { renewSession } from '#server/modules/auth/session-service.ts';
import type { DecorateReply } from '#server/plugins/idempotency.ts';
import type { RateLimits } from '#server/plugins/rate-limits.ts';
import {
  addUser,
  adjustBalance,
  deactivateUser,
  listVisibleUsers,
  patchUser,
  requireAdmin,
} from './service.ts';
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

  /** After a change of one's own password: the cookie that continues this session. */
  const renewOwn = async (
    tx: Database,
    { actor, sessionId, body, request }: Call<typeof routes.patchUser>,
  ): Promise<DecorateReply | undefined> => {
    if (body.password === undefined || body.id !== actor.id) return undefined;
    const refresh = await renewSession(tx, now(), sessionId);
    return refresh ? (reply) => cookie.set(request, reply, refresh) : undefined;
  };

  addMutation(
    kit,
    routes.patchUser,
    async (call) => {
      const { actor, sessionId, body, request } = call;
      const { password } = body;
      const writer = readWriter(request, actor);
      const passwordHash = password === undefined ? undefined : await hashPassword(password);
      return async (tx, decorateWith) => {
        const user = await patchUser(tx, {
          actor,
          sessionId,
          body,
          writer,
          passwordHash,
          now: now(),
        });
        decorateWith(await renewOwn(tx, call));
        return user;
      };
    },
    {
      hasEffects: true,
      decorateReplay: (call) => inTransaction(kit.db, (tx) => renewOwn(tx, call)),
      // A repeat under the same key counts too: comparing passwords costs as much as setting one.
      admitPassword: ({ actor }) => limits.changePassword(actor.id).then(() => true),
    },
  );

  addMutation(
    kit,
    routes.addUser,
    async ({ actor, body }) => {
      requireAdmin(actor);
      const passwordHash = await hashPassword(body.password);
      return (tx) => addUser(tx, { actor, body, passwordHash, now: now() });
    },
    { hasEffects: true, admitPassword: async ({ actor }) => actor.role === 'Admin' },
  );

  addMutation(kit, routes.deleteUser, async ({ actor, sessionId, body }) => {
    requireAdmin(actor);
    return (tx) => deactivateUser(tx, { actor, sessionId, body, now: now() });
  });

  addMutation(kit, routes.adjustBalance, async ({ actor, body }) => {
    requireAdmin(actor);
    return (tx) => adjustBalance(tx, { actor, body, now: now() });
  });
}
