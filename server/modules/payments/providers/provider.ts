/** The configured payment provider: Paystack, or the sandbox on this server. */
import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Config } from '#server/config/config.ts';
import type { Database } from '#server/database/database.ts';
import { ownUrlOf } from '#server/http/own-url.ts';
import { getOrCreateSetting } from '#server/modules/auth/repository.ts';
import { createPaystack, ProviderError } from './paystack.ts';
import { addSandbox, sandboxPath } from './sandbox/routes.ts';

/** Throws ProviderError before this server listens. */
function reachableUrlOf(app: FastifyInstance): string {
  const url = ownUrlOf(app);
  if (url === null) throw new ProviderError('unreachable');
  return url;
}

/** For the sandbox, adds its routes to `app`. */
export async function chooseProvider(
  app: FastifyInstance,
  { db, config, now }: { db: Database; config: Pick<Config, 'payments'>; now: () => Date },
) {
  const { payments } = config;
  if (payments.provider === 'paystack') {
    const { secretKey, url, provider: providerName } = payments;
    const provider = createPaystack({ baseUrl: () => url, secretKey });
    return { provider, providerName, secretKey };
  }
  const fresh = randomBytes(32).toString('base64url');
  const secretKey = await getOrCreateSetting(db, 'sandbox_secret_key', fresh);
  const ownUrl = () => reachableUrlOf(app);
  addSandbox({ app, db, secretKey, ownUrl, now });
  const provider = createPaystack({ baseUrl: () => `${ownUrl()}${sandboxPath}`, secretKey });
  return { provider, providerName: payments.provider, secretKey };
}
