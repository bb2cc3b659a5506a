/** The configured payment provider: Paystack, or the sandbox on this server. */
import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Config } from '#server/config/config.ts';
import type { Database } from '#server/database/database.ts';
import { ownUrlOf } from '#server/http/own-url.ts';
import { getOrCreateSetting } from '#server/modules/auth/repository.ts';
import { createPaystack } from './paystack.ts';
import { ProviderError } from './paystack-calls.ts';
import { sandboxPath } from './sandbox/protocol.ts';
import { addSandbox } from './sandbox/routes.ts';
import { createTransfers } from './transfers.ts';

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
    const paystack = { baseUrl: () => url, secretKey };
    const provider = createPaystack(paystack);
    return { provider, transfers: createTransfers(paystack), providerName, secretKey };
  }
  const fresh = randomBytes(32).toString('base64url');
  const secretKey = await getOrCreateSetting(db, 'sandbox_secret_key', fresh);
  const ownUrl = () => reachableUrlOf(app);
  addSandbox({ app, db, secretKey, ownUrl, now });
  const sandbox = { baseUrl: () => `${ownUrl()}${sandboxPath}`, secretKey };
  const provider = createPaystack(sandbox);
  const transfers = createTransfers(sandbox);
  return { provider, transfers, providerName: payments.provider, secretKey };
}
