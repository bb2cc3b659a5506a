import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { headers } from '#contract/headers.ts';
import { routes } from '#contract/routes.ts';
import { parseBody } from '#server/http/contract-routes.ts';
import { Refusal } from '#server/http/refusal.ts';
import { bearerOf } from '#server/plugins/authentication.ts';
import { readKey } from '#server/plugins/idempotency.ts';
import type { RateLimits } from '#server/plugins/rate-limits.ts';
import type { RefreshCookie } from './refresh-cookie.ts';
import type { AuthService, SignedIn } from './service.ts';

interface Needs {
  app: FastifyInstance;
  auth: AuthService;
  cookie: RefreshCookie;
  limits: RateLimits;
}

/** /api/auth/*: the public calls, and the only ones that read the cookie. */
export function addAuthRoutes({ app, auth, cookie, limits }: Needs): void {
  const welcome = (request: FastifyRequest, reply: FastifyReply, { refresh }: SignedIn) =>
    cookie.set(request, reply, refresh);

  app.post(routes.signUp.path, async (request, reply) => {
    const body = parseBody(routes.signUp.body, request.body);
    await limits.signUp(request, body.email);
    const key = readKey(request.headers[headers.idempotencyKey]);
    const { accessToken, user, isReplayed, refresh } = await auth.signUp(body, key);
    welcome(request, reply, { accessToken, refresh });
    if (isReplayed) reply.header(headers.idempotencyReplayed, 'true');
    return reply.code(routes.signUp.status).send({ accessToken, user });
  });

  app.post(routes.login.path, async (request, reply) => {
    const body = parseBody(routes.login.body, request.body);
    await limits.login(request, body.email);
    const session = await auth.login(body);
    welcome(request, reply, session);
    return { accessToken: session.accessToken };
  });

  // HEAD would rotate the token without returning it.
  app.get(routes.refresh.path, { exposeHeadRoute: false }, async (request, reply) => {
    const presented = cookie.read(request);
    try {
      const session = await auth.refresh(presented);
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
