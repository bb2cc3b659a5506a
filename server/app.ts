/** Assembly only: what the server is made of and in which order. Listening is main's. */
import { randomBytes, randomUUID } from 'node:crypto';
import cookie from '@fastify/cookie';
import Fastify, { type FastifyInstance, LogController } from 'fastify';
import { oldestSpoken } from '#contract/version.ts';
import type { Config } from './config.ts';
import type { OpenDatabase } from './database/database.ts';
import { addMetrics } from './metrics/metrics.ts';
import { createAccessTokens } from './modules/auth/access-tokens.ts';
import { createRefreshCookie } from './modules/auth/refresh-cookie.ts';
import { settingOr } from './modules/auth/repository.ts';
import { addAuthRoutes } from './modules/auth/routes.ts';
import { createAuthService } from './modules/auth/service.ts';
import { addEvents } from './modules/events/routes.ts';
import type { Pace } from './modules/notifications/dispatcher.ts';
import { addNotifications } from './modules/notifications/notifications.ts';
import { addPackageRoutes } from './modules/packages/routes.ts';
import { reconcileWhileListening } from './modules/payments/reconcile.ts';
import { addPaymentRoutes } from './modules/payments/routes.ts';
import { createPaymentService } from './modules/payments/service.ts';
import { ensureEpoch } from './modules/sync/epoch.ts';
import { addUserRoutes } from './modules/users/routes.ts';
import { chooseProvider } from './payments/provider.ts';
import { addTimeLimit } from './plugins/answer-in-time.ts';
import { createAuthenticate } from './plugins/authentication.ts';
import { addContractVersion } from './plugins/contract-version.ts';
import { addErrors, answerError } from './plugins/errors.ts';
import { addHealth } from './plugins/health.ts';
import { createIdempotency } from './plugins/idempotency.ts';
import { addApiDocs } from './plugins/openapi.ts';
import { createRateLimits } from './plugins/rate-limits.ts';
import { addRequestLog } from './plugins/request-log.ts';
import { addRuntimeConfig } from './plugins/runtime-config.ts';
import { addSameSite } from './plugins/same-site.ts';
import { addSecurityHeaders } from './plugins/security-headers.ts';
import { addStaticPwa } from './plugins/static-pwa.ts';
import { type TimeLimits, timeLimits } from './time-limits.ts';

/** Of a call; what stands in front of the server lets more through, so that its words are heard. */
export const bodyLimitBytes = 64 * 1024;

/** One proxy is trusted: what was sent to it as X-Forwarded-For, the caller may have made up. */
const isNearest = (_address: string, hop: number) => hop === 0;

export interface AppNeeds {
  config: Config;
  database: OpenDatabase;
  /** The built PWA. */
  webFolder: string;
  now?: () => Date;
  /** Where JSON log lines go. */
  logTo?: { write(line: string): void };
  times?: TimeLimits;
  /** How fast notifications go out. */
  push?: Pace;
}

/** The whole server, ready to listen or to be injected with requests. Closing it leaves the database open. */
export async function buildApp(needs: AppNeeds): Promise<FastifyInstance> {
  const { config, database, webFolder, now = () => new Date(), logTo = process.stderr } = needs;
  const { times = timeLimits, push } = needs;
  const { db } = database;
  const app = Fastify({
    logger: { level: config.logLevel, stream: logTo, base: null },
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: config.trustProxy === true ? isNearest : config.trustProxy,
    bodyLimit: bodyLimitBytes,
    requestTimeout: times.requestMs,
    connectionTimeout: times.silenceMs,
    keepAliveTimeout: times.keepAliveMs,
    http: { headersTimeout: times.headersMs, connectionsCheckingInterval: times.checkEveryMs },
    genReqId: () => randomUUID(),
    frameworkErrors: answerError,
    // plugins/errors answers it in the contract's shape.
    return503OnClosing: false,
  });
  const metrics = config.metricsToken === undefined ? null : addMetrics(app, config.metricsToken);
  addErrors(app);
  addRequestLog(app);
  addTimeLimit(app, times.answerMs);
  addSecurityHeaders(app, config, webFolder);
  addContractVersion(app, oldestSpoken);
  addSameSite(app, config.publicUrl);
  await app.register(cookie);

  const secret =
    config.jwtSecret ?? (await settingOr(db, 'jwt_secret', randomBytes(48).toString('base64url')));
  await ensureEpoch(db);
  const tokens = createAccessTokens(secret, now);
  const authenticate = createAuthenticate(db, tokens);
  const idempotency = createIdempotency(db, now);
  const kit = { app, db, authenticate, idempotency };

  const limits = await createRateLimits(app, { db, now, isRateLimited: config.isRateLimited });
  const refreshCookie = createRefreshCookie(config);
  const auth = createAuthService({ db, tokens, now });
  addAuthRoutes({ app, auth, cookie: refreshCookie, limits });
  addUserRoutes(kit, { cookie: refreshCookie, limits, now });
  addPackageRoutes(kit, now);
  const provider = await chooseProvider(app, { db, config, now });
  const payments = createPaymentService({ ...provider, db, now, log: app.log });
  addPaymentRoutes({ kit, payments, limits, publicUrl: config.publicUrl });
  reconcileWhileListening(app, { db, now, payments });
  const dispatcher = await addNotifications({ kit, now, config, ...(push ? { push } : {}) });
  addApiDocs(app);
  const streams = await addEvents({ app, database, authenticate, times });
  metrics?.serve({ app, database, now, streams, dispatcher });
  addHealth(app, db, now);
  addRuntimeConfig(app, config);
  await addStaticPwa(app, webFolder);
  return app;
}
