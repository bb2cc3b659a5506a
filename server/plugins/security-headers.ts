/** Security headers; the Content-Security-Policy follows the tile sources. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import path from 'node:path';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import helmet, { type HelmetOptions } from 'helmet';
import type { Config } from '#server/config/config.ts';
import { isOfRecipients, isUnderApi, pathnameOf } from '#server/http/api-path.ts';

function inlineScripts(webFolder: string): string[] {
  const page = path.join(webFolder, 'index.html');
  const html = existsSync(page) ? readFileSync(page, 'utf8') : '';
  return [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, text = '']) => {
    return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  });
}

/**
 * A browser keeps the worker's policy until the worker's bytes change, so it must not name tile
 * sources. The worker fetches only for pages, whose own policies apply.
 */
const workerPolicy = "default-src 'none'; script-src 'self'; connect-src *";

type Needs = Pick<Config, 'tiles' | 'isProduction'>;

const halfAYearSeconds = 15_552_000;

/** Helmet's headers, computed once: none of these `options` depends on the request. */
function headersOf(options: HelmetOptions): OutgoingHttpHeaders {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  helmet(options)(request, response, (error) => {
    if (error) throw error;
  });
  return response.getHeaders();
}

export type SecurityHeaders = (request: FastifyRequest) => OutgoingHttpHeaders;

/** `webFolder` holds the built PWA, or nothing. */
export function securityHeadersOf(config: Needs, webFolder: string): SecurityHeaders {
  const tiles = config.tiles.sources;
  const fixed = headersOf({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", ...inlineScripts(webFolder)],
        // The map library creates its worker from a blob, which inherits this policy.
        workerSrc: ["'self'", 'blob:'],
        connectSrc: ["'self'", ...tiles],
        imgSrc: ["'self'", 'data:', 'blob:', ...tiles],
        styleSrc: ["'self'", "'unsafe-inline'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        requireTrustedTypesFor: ["'script'"],
        // Policies of the map library, of inert parsing, and of the workers' URLs.
        trustedTypes: ['default', 'inert', 'worker'],
      },
    },
    // In development it would force every port of localhost to HTTPS.
    strictTransportSecurity: config.isProduction && {
      maxAge: halfAYearSeconds,
      includeSubDomains: false,
    },
    frameguard: { action: 'deny' },
    // OpenStreetMap's tile policy requires a Referer.
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
  });
  const onEvery = {
    ...fixed,
    'permissions-policy': 'geolocation=(self), camera=(self), microphone=(), payment=(), usb=()',
  };
  const onCalls = { ...onEvery, 'cache-control': 'no-store' };
  // The token in their address is for its reader only, whatever the answer is.
  const onLinks = {
    ...onCalls,
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex, nofollow',
  };
  const onWorker = { ...onEvery, 'content-security-policy': workerPolicy };
  return (request) => {
    if (isOfRecipients(request)) return onLinks;
    if (isUnderApi(request)) return onCalls;
    return pathnameOf(request.url) === '/sw.js' ? onWorker : onEvery;
  };
}

export function addSecurityHeaders(app: FastifyInstance, headersFor: SecurityHeaders): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headersFor(request));
    done();
  });
}
