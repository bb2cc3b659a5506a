/** Headers that keep the page to itself: FIELD.md's Content-Security-Policy, following the tile source. */
import type { FastifyInstance } from 'fastify';
import helmet from 'helmet';
import type { Config } from '#server/config.ts';
import { isUnderApi } from './api-path.ts';

/** 'https://{s}.tiles.example/{z}/{x}/{y}.png' → 'https://*.tiles.example' */
export function tileSource(template: string): string {
  const origin = /^https?:\/\/[^/]+/.exec(template)?.[0] ?? '';
  return origin.replace(/\{[^}]*\}/g, '*');
}

type Needs = Pick<Config, 'tiles' | 'isProduction'>;

const halfAYearSeconds = 15_552_000;

export function addSecurityHeaders(app: FastifyInstance, config: Needs): void {
  const tiles = tileSource(config.tiles.url);
  const apply = helmet({
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
    // Elsewhere it would lock a developer's localhost, every port of it, into HTTPS.
    strictTransportSecurity: config.isProduction && {
      maxAge: halfAYearSeconds,
      includeSubDomains: false,
    },
    frameguard: { action: 'deny' },
    // OpenStreetMap's policy asks for a Referer.
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
  });
  app.addHook('onRequest', (request, reply, done) =>
    // It fails where a header is computed from a request, and none of these is.
    apply(request.raw, reply.raw, () => done()),
  );
  app.addHook('onSend', async (request, reply) => {
    reply.header(
      'permissions-policy',
      'geolocation=(self), camera=(), microphone=(), payment=(), usb=()',
    );
    if (isUnderApi(request)) reply.header('cache-control', 'no-store');
  });
}
