/** Headers that keep the page to itself: FIELD.md's Content-Security-Policy, following the tile source. */
import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';

/** 'https://{s}.tiles.example/{z}/{x}/{y}.png' → 'https://*.tiles.example' */
export function tileSource(template: string): string {
  const origin = /^https?:\/\/[^/]+/.exec(template)?.[0] ?? '';
  return origin.replace(/\{[^}]*\}/g, '*');
}

export async function addSecurityHeaders(app: FastifyInstance, tileUrl: string): Promise<void> {
  const tiles = tileSource(tileUrl);
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        workerSrc: ["'self'"],
        connectSrc: ["'self'", tiles],
        imgSrc: ["'self'", 'data:', 'blob:', tiles],
        styleSrc: ["'self'", "'unsafe-inline'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    // OpenStreetMap's policy asks for a Referer.
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
  });
  app.addHook('onSend', async (request, reply) => {
    reply.header(
      'permissions-policy',
      'geolocation=(self), camera=(), microphone=(), payment=(), usb=()',
    );
    if (request.url.startsWith('/api')) reply.header('cache-control', 'no-store');
  });
}
