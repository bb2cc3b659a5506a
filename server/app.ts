/** Builds the server: its parts and their order. `main` listens. */
import '#contract/phone-countries.ts';
import { randomBytes, randomUUID } from 'node:crypto';
import cookie from '@fastify/cookie';
import Fastify, { type FastifyInstance, LogController } from 'fastify';
import { oldestSpoken } from '#contract/version.ts';
import type { Config } from './config/config.ts';
import { type TimeLimits, timeLimits } from './config/timeouts.ts';
import type { OpenDatabase } from './database/database.ts';
import { createAccessTokens } from './modules/auth/access-tokens.ts';
import { createRecoveryService } from './modules/auth/recovery-service.ts';
import { createRefreshCookie } from './modules/auth/refresh-cookie.ts';
import { getOrCreateSetting } from './modules/auth/repository.ts';
import { addAuthRoutes, addRecoveryRoutes, addSessionRoutes } from './modules/auth/routes.ts';
import { createAuthService } from './modules/auth/service.ts';
import { addEvents } from './modules/events/routes.ts';
import { addMail } from './modules/mail/routes.ts';
import { addMetrics } from './modules/metrics/metrics.ts';
import type { Pace } from './modules/notifications/dispatcher.ts';
import { addNotifications } from './modules/notifications/routes.ts';
import { addApiDocs } from './modules/openapi/routes.ts';
import { releaseWhileListening } from './modules/packages/due-releases.ts';
import { addPackageRoutes } from './modules/packages/routes.ts';
import { chooseProvider } from './modules/payments/providers/provider.ts';
import { reconcileWhileListening } from './modules/payments/reconcile.ts';
import { addPaymentRoutes } from './modules/payments/routes.ts';
import { createPaymentService } from './modules/payments/service.ts';
import { addPayoutRoutes } from './modules/payouts/routes.ts';
import { hearTransfer, payOutWhileListening } from './modules/payouts/sending.ts';
import { createPayoutService } from './modules/payouts/service.ts';
import { addPositions } from './modules/positions/routes.ts';
import { openPictureStore } from './modules/proofs/open-store.ts';
import { addProofRoutes } from './modules/proofs/routes.ts';
import { ensureEpoch } from './modules/sync/epoch.ts';
import { addTexts } from './modules/texts/routes.ts';
import { addTracking } from './modules/tracking/routes.ts';
import { addUserRoutes } from './modules/users/routes.ts';
import { addTimeLimit } from './plugins/answer-timeout.ts';
import { createAuthenticate } from './plugins/authentication.ts';
import { addErrors, answerBrokenRequest } from './plugins/errors.ts';
import { addHealth } from './plugins/health.ts';
import { createIdempotency } from './plugins/idempotency.ts';
import { createRateLimits } from './plugins/rate-limits.ts';
import { addContractVersion, addSameSite } from './plugins/request-guards.ts';
import { addRequestLog } from './plugins/request-log.ts';
import { addRuntimeConfig } from './plugins/runtime-config.ts';
import { addSecurityHeaders, securityHeadersOf } from './plugins/security-headers.ts';
import { addStaticPwa, answerNowhere } from './plugins/static-pwa.ts';

/** Per call. A proxy in front must allow more, so that the contract's refusal is the one sent. */
export const bodyLimitBytes = 64 * 1024;

/** Trust one proxy: clients can forge every earlier entry of X-Forwarded-For. */
const isNearest = (_address: string, hop: number) => hop === 0;

export interface AppNeeds {
  config: Config;
  database: OpenDatabase;
  webFolder: string;
  now?: () => Date;
  /** Destination of the JSON log lines; stderr by default. */
  logTo?: { write(line: string): void };
  times?: TimeLimits;
  push?: Pace;
}

/** The whole server, ready to listen or for `inject`. Closing it leaves the database open. */
export async function buildApp(needs: AppNeeds): Promise<FastifyInstance> {
  const { config, database, webFolder, now = () => new Date(), logTo = process.stderr } = needs;
  const { times = timeLimits, push } = needs;
  const { db } = database;
  const headersFor = securityHeadersOf(config, webFolder);
  const app = Fastify({
    logger: { level: config.logLevel, stream: logTo, base: null },
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: config.trustProxy === true ? isNearest : config.trustProxy,
    bodyLimit: bodyLimitBytes,
    requestTimeout: times.requestMs,
    connectionTimeout: times.silenceMs,
    keepAliveTimeout: times.keepAliveMs,
    http: {
      headersTimeout: times.headersMs,
      connectionsCheckingInterval: times.checkEveryMs,
      requireHostHeader: false,
    },
    clientErrorHandler: answerBrokenRequest,
    genReqId: () => randomUUID(),
    // Handles requests that cannot be routed: no hook runs for them.
    frameworkErrors: (error, request, reply) =>
      answerNowhere(error, request, reply.headers(headersFor(request))),
    // plugins/errors responds instead, in the contract's shape.
    return503OnClosing: false,
  });
  const metrics = config.metricsToken === undefined ? null : addMetrics(app, config.metricsToken);
  addErrors(app);
  addRequestLog(app);
  addTimeLimit(app, times.answerMs);
  addSecurityHeaders(app, headersFor);
  addContractVersion(app, oldestSpoken);
  addSameSite(app, config.publicUrl);
  await app.register(cookie);

  const secret =
    config.jwtSecret ??
    (await getOrCreateSetting(db, 'jwt_secret', randomBytes(48).toString('base64url')));
  await ensureEpoch(db);
  const tokens = createAccessTokens(secret, now);
  const authenticate = createAuthenticate(db, tokens);
  const idempotency = createIdempotency(db, now);
  const kit = { app, db, authenticate, idempotency };

  const limits = await createRateLimits(app, { db, now, tokens, config });
  const refreshCookie = createRefreshCookie(config);
  const auth = createAuthService({ db, tokens, now });
  addAuthRoutes(kit, { auth, cookie: refreshCookie, limits });
  addRecoveryRoutes(kit, { recovery: createRecoveryService({ db, now }), limits });
  addSessionRoutes(kit, { cookie: refreshCookie, now });
  addUserRoutes(kit, { cookie: refreshCookie, limits, now });
  const { maxCarried, handover, moneyTerms: terms } = config;
  const texting = config.texts.provider === 'off' ? null : config.texts.terms;
  addPackageRoutes(kit, { limits, maxCarried, handover, terms, texting, now });
  const store = openPictureStore(config.s3);
  await addProofRoutes(kit, { now, store, limits, terms });
  const tracking = await addTracking(kit, {
    limits,
    store,
    now,
    times,
    tiles: config.tiles.sources,
  });
  releaseWhileListening(app, { db, now, terms });
  addPositions(kit, now);
  const { transfers, ...provider } = await chooseProvider(app, { db, config, now });
  const { providerName } = provider;
  const sending = { db, now, transfers, log: app.log };
  const payments = createPaymentService({
    ...provider,
    db,
    now,
    log: app.log,
    alsoHear: (event) => hearTransfer(sending, event),
  });
  addPaymentRoutes({ kit, payments, limits, publicUrl: config.publicUrl });
  reconcileWhileListening(app, { db, now, payments });
  const waitMs = config.payoutWaitMs;
  const payouts = createPayoutService({ ...sending, providerName, waitMs });
  addPayoutRoutes(kit, { payouts, limits });
  payOutWhileListening(app, sending);
  await addTexts({ app, db, config, now });
  await addMail({ app, db, config, now });
  const dispatcher = await addNotifications({ kit, now, config, ...(push ? { push } : {}) });
  addApiDocs(app);
  const alsoHear = tracking.hear;
  const streams = await addEvents({ app, database, authenticate, times, alsoHear });
  metrics?.serve({ app, database, now, streams, tracking, dispatcher });
  addHealth(app, database, now);
  addRuntimeConfig(app, config);
  await addStaticPwa(app, { webFolder, hasSourceMaps: !config.isProduction });
  return app;
}
