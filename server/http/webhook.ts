/** Calls by a provider: the signature covers the raw bytes, so these are not parsed before it is checked. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Route } from '#contract/routes.ts';

/** On a webhook: HMAC-SHA512 of the raw body in hex, keyed with the provider's secret. */
export const signatureHeaders = {
  payments: 'x-paystack-signature',
  texts: 'x-termii-signature',
} as const;

/** `hear` must refuse bodies that `isSignatureOf` does not confirm. `header`: in lower case. */
export function addWebhook(
  app: FastifyInstance,
  route: Route,
  header: string,
  hear: (rawBody: Buffer, signature: string) => Promise<void>,
): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body));
    scope.route({
      method: route.method,
      url: route.path,
      handler: async (request, reply) => {
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        const signature = request.headers[header];
        await hear(body, typeof signature === 'string' ? signature : '');
        return reply.code(route.status).send({});
      },
    });
  });
}

const signatureOf = (rawBody: string | Buffer, secretKey: string): string =>
  createHmac('sha512', secretKey).update(rawBody).digest('hex');

/** HMAC-SHA512 in hex. */
export function isSignatureOf(rawBody: Buffer, secretKey: string, signature: string): boolean {
  const expected = Buffer.from(signatureOf(rawBody, secretKey));
  const given = Buffer.from(signature.toLowerCase());
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** Calls it as a provider does. Rejects if nothing answers in time. */
export async function callWebhook(
  baseUrl: string,
  { method, path }: Route,
  { header, secretKey, data }: { header: string; secretKey: string; data: unknown },
): Promise<void> {
  const body = JSON.stringify(data);
  await fetch(`${baseUrl}${path}`, {
    method,
    headers: { 'content-type': 'application/json', [header]: signatureOf(body, secretKey) },
    body,
    signal: AbortSignal.timeout(5_000),
  });
}
