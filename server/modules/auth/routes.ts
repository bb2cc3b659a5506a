import type { FastifyReply, FastifyRequest } from 'fastify';
import { headers } from '#contract/headers.ts';
import { routes } from '#contract/routes.ts';
import { addMutation, addQuery, parseBody, type RouteKit } from '#server/http/contract-routes.ts';
import { Refusal } from '#server/http/refusal.ts';
import { bearerOf } from '#server/plugins/authentication.ts';
import { readKey } from '#server/plugins/idempotency.ts';
import type { RateLimits } from '#server/plugins/rate-limits.ts';
import { deviceOf } from './device.ts';
import type { RecoveryService } from './recovery-service.ts';
import type { RefreshCookie } from './refresh-cookie.ts';
import { listLiveSessions, revokeOwnSession } from './repository.ts';
import type { AuthService, SignedIn } from './service.ts';

interface Needs {
  auth: AuthService;
  cookie: RefreshCookie;
  limits: RateLimits;
}

const deviceOfCall = ({ headers: { 'user-agent': userAgent } }: FastifyRequest) =>
  deviceOf(userAgent);

/** /api/auth/*: the only calls that read the cookie. */
export function addAuthRoutes({ app }: RouteKit, { auth, cookie, limits }: Needs): void {
  const welcome = (request: FastifyRequest, reply: FastifyReply, { refresh }: SignedIn) =>
    cookie.set(request, reply, refresh);

  app.post(routes.signUp.path, async (request, reply) => {
    const body = parseBody(routes.signUp.body, request.body);
    await limits.signUp(request, body.email);
    const key = readKey(request.headers[headers.idempotencyKey]);
    const { accessToken, user, isReplayed, refresh } = await auth.signUp(body, {
      key,
      device: deviceOfCall(request),
    });
    welcome(request, reply, { accessToken, refresh });
    if (isReplayed) reply.header(headers.idempotencyReplayed, 'true');
    return reply.code(routes.signUp.status).send({ accessToken, user });
  });

  app.post(routes.login.path, async (request, reply) => {
    const body = parseBody(routes.login.body, request.body);
    await limits.login(request, body.email);
    const session = await auth.login(body, deviceOfCall(request));
    welcome(request, reply, session);
    return { accessToken: session.accessToken };
  });

  // HEAD would rotate the token without returning it.
  app.get(routes.refresh.path, { exposeHeadRoute: false }, async (request, reply) => {
    const presented = cookie.read(request);
    try {
      const session = await auth.refresh(presented, deviceOfCall(request));
      welcome(request, reply, session);
      return { accessToken: session.accessToken };
    } catch (error) {
      if (error instanceof Refusal) cookie.clear(request, reply);
      throw error;
    }
  });

  app.post(routes.logout.path, async (request, reply) => {
    await auth.logout(() => cookie.read(request), bearerOf(request));
    cookie.clear(request, reply);
    return {};
  });
}

interface RecoveryNeeds {
  recovery: RecoveryService;
  limits: RateLimits;
}

/** Forgotten passwords and confirmed e-mails. */
export function addRecoveryRoutes(kit: RouteKit, { recovery, limits }: RecoveryNeeds): void {
  const { app } = kit;
  const { forgotPassword, resetPassword, confirmEmail, sendConfirmation } = routes;

  app.post(forgotPassword.path, async (request, reply) => {
    const { email } = parseBody(forgotPassword.body, request.body);
    if (await limits.forgotPassword(request, email)) await recovery.forgot(email);
    return reply.code(forgotPassword.status).send({});
  });

  app.post(resetPassword.path, async (request) => {
    await recovery.reset(parseBody(resetPassword.body, request.body));
    return {};
  });

  app.post(confirmEmail.path, async (request) => {
    await recovery.confirm(parseBody(confirmEmail.body, request.body).token);
    return {};
  });

  addMutation(kit, sendConfirmation, async ({ actor }) => {
    return async (tx) => {
      await limits.sendConfirmation(tx, actor.id);
      await recovery.sendConfirmation(tx, actor);
      return {};
    };
  });
}

interface SessionNeeds {
  cookie: RefreshCookie;
  now: () => Date;
}

/** /api/auth/sessions: the devices of the caller. */
export function addSessionRoutes(kit: RouteKit, { cookie, now }: SessionNeeds): void {
  addQuery(kit, routes.listSessions, async ({ actor, sessionId }) => {
    const found = await listLiveSessions(kit.db, actor.id, now());
    return found.map(({ id, device, createdAt, lastSeenAt }) => ({
      _id: id,
      device: device ?? 'Unknown device',
      createdAt: createdAt.toISOString(),
      lastSeenAt: lastSeenAt.toISOString(),
      isCurrent: id === sessionId,
    }));
  });

  addMutation(kit, routes.endSession, async ({ actor, sessionId, params: { id }, request }) => {
    return async (tx, decorateWith) => {
      const isEnded = await revokeOwnSession(tx, { userId: actor.id, sessionId: id }, now());
      if (!isEnded) throw new Refusal('not_found');
      if (id === sessionId) decorateWith((reply) => cookie.clear(request, reply));
      return {};
    };
  });
}
