/** Headers that keep the page to itself: FIELD.md's Content-Security-Policy, following the tile source. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import helmet, { type HelmetOptions } from 'helmet';
import type { Config } from '#server/config.ts';
import { isUnderApi, pathnameOf } from './api-path.ts';

/** The scripts that stand in index.html itself, as a policy names them. */
function inlineScripts(webFolder: string): string[] {
  const page = path.join(webFolder, 'index.html');
  const html = existsSync(page) ? readFileSync(page, 'utf8') : '';
  return [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, text = '']) => {
    return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  });
}

/**
 * A browser keeps the worker under the policy that it came with for as long as its bytes stay the same:
 * one that named the tile source would forbid the next one. What the worker fetches, a page has asked for
 * under its own policy.
 */
const workerPolicy = "default-src 'none'; script-src 'self'; connect-src *";

type Needs = Pick<Config, 'tiles' | 'isProduction'>;

const halfAYearSeconds = 15_552_000;

/** What helmet sets, as it sets it on any answer: nothing in these `options` looks at a request. */
function headersOf(options: HelmetOptions): OutgoingHttpHeaders {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  helmet(options)(request, response, (error) => {
    if (error) throw error;
  });
  return response.getHeaders();
}

/** `webFolder` holds the built PWA, or nothing. */
export function addSecurityHeaders(app: FastifyInstance, config: Needs, webFolder: string): void {
  const tiles = config.tiles.sources;
  const fixed = headersOf({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", ...inlineScripts(webFolder)],
        // The map's library carries its worker within itself; what runs there is under this policy too.
        workerSrc: ["'self'", 'blob:'],
        connectSrc: ["'self'", ...tiles],
        imgSrc: ["'self'", 'data:', 'blob:', ...tiles],
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
  const onEvery = {
    ...fixed,
    'permissions-policy': 'geolocation=(self), camera=(), microphone=(), payment=(), usb=()',
  };
  const onCalls = { ...onEvery, 'cache-control': 'no-store' };
  const onWorker = { ...onEvery, 'content-security-policy': workerPolicy };
  app.addHook('onRequest', (request, reply, done) => {
    if (isUnderApi(request)) reply.headers(onCalls);
    else reply.headers(pathnameOf(request.url) === '/sw.js' ? onWorker : onEvery);
    done();
  });
}
