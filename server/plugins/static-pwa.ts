/**
 * The built PWA. What Vite named by its hash never changes; everything else (index.html, sw.js, the
 * manifest) is asked for again each time. Where the build has put a brotli or gzip beside a file
 * (cli/compress.mjs), who understands it gets that. A path that is no file and no call is a screen: the
 * app's own router knows it.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { metricsPath } from '#server/metrics/metrics.ts';
import { Refusal } from '#server/refusal.ts';
import { isUnderApi, pathnameOf } from './api-path.ts';
import { answerError } from './errors.ts';

/** The app's own paths are far shorter. */
const longestPath = 2048;

function isScreen(request: FastifyRequest): boolean {
  const { method, url, headers } = request;
  const pathname = pathnameOf(url);
  const accepts = headers.accept ?? '*/*';
  return (
    (method === 'GET' || method === 'HEAD') &&
    !isUnderApi(request) &&
    // Without a token there is nothing, which a scraper must not take for a page.
    pathname !== metricsPath &&
    pathname.length <= longestPath &&
    !pathname.slice(pathname.lastIndexOf('/')).includes('.') &&
    (accepts.includes('text/html') || accepts.includes('*/*'))
  );
}

/** `webFolder` may be missing: then there is only the API. */
export async function addStaticPwa(app: FastifyInstance, webFolder: string): Promise<void> {
  const isBuilt = existsSync(path.join(webFolder, 'index.html'));
  if (isBuilt) {
    const assets = path.join(webFolder, 'assets') + path.sep;
    await app.register(fastifyStatic, {
      root: webFolder,
      cacheControl: false,
      preCompressed: true,
      setHeaders: (reply, file) => {
        const isHashed = file.startsWith(assets);
        reply.header(
          'cache-control',
          isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
        );
      },
    });
  }
  app.setNotFoundHandler((request, reply) =>
    isBuilt && isScreen(request)
      ? reply.sendFile('index.html')
      : answerError(new Refusal('not_found'), request, reply),
  );
}
