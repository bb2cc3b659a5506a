import type { FastifyInstance } from 'fastify';
import type { RuntimeConfig } from '#contract/runtime-config.ts';
import { productName } from '#contract/version.ts';
import type { Config } from '#server/config/config.ts';

const start = { centre: { lat: 12.0022, lng: 8.5919 }, zoom: 13 };
const maxZoom = 19;

/** GET /config.json: the PWA's settings at run time. */
export function addRuntimeConfig(
  app: FastifyInstance,
  {
    tiles,
    payments,
    handover,
    moneyTerms,
    support,
    mail,
  }: Pick<Config, 'tiles' | 'payments' | 'handover' | 'moneyTerms' | 'support' | 'mail'>,
): void {
  const { url, attribution, style, sources } = tiles;
  const config = {
    name: productName,
    map: { tiles: { url, attribution, maxZoom }, style, sources, ...start },
    payments: { provider: payments.provider },
    handover,
    returnFeePercent: moneyTerms.returnFeePercent,
    support,
    hasMail: mail.transport !== 'off',
  } satisfies RuntimeConfig & { payments: object };
  app.get('/config.json', async (_, reply) => {
    reply.header('cache-control', 'no-cache');
    return config;
  });
}
