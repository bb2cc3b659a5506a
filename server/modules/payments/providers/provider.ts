/** The configured payment provider: Paystack, or the sandbox on this server. */
import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Config } from '#server/config/config.ts';
import type { Database } from '#server/database/database.ts';
import { getOrCreateSetting } from '#server/modules/auth/repository.ts';
import { createPaystack, ProviderError } from './paystack.ts';
import { addSandbox, sandboxPath } from './sandbox/routes.ts';

const anyAddress: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** The URL at which this server can call itself. Throws ProviderError before it listens. */
function ownUrlOf(app: FastifyInstance): string {
  const address = app.server.address();
  if (address === null || typeof address === 'string') throw new ProviderError('unreachable');
  const host = anyAddress[address.address] ?? address.address;
  return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
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
  const ownUrl = () => ownUrlOf(app);
  addSandbox({ app, db, secretKey, ownUrl, now });
  const provider = createPaystack({ baseUrl: () => `${ownUrl()}${sandboxPath}`, secretKey });
  return { provider, providerName: payments.provider, secretKey };
}
