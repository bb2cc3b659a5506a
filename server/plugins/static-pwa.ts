/**
 * Serves the built PWA. Files with a hash in their name are immutable; the rest is revalidated. The
 * build writes brotli and gzip variants (commands/compress.mjs). A path that is neither file nor
 * call is a screen.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isUnderApi, pathnameOf } from '#server/http/api-path.ts';
import { Refusal } from '#server/http/refusal.ts';
import { metricsPath } from '#server/modules/metrics/metrics.ts';
import { answerError } from './errors.ts';

const longestPath = 2048;

function isScreen(request: FastifyRequest): boolean {
  const { method, url, headers } = request;
  const pathname = pathnameOf(url);
  const accepts = headers.accept ?? '*/*';
  return (
    (method === 'GET' || method === 'HEAD') &&
    !isUnderApi(request) &&
    // Without a token the path does not exist; a scraper must not get a page.
    pathname !== metricsPath &&
    pathname.length <= longestPath &&
    !pathname.slice(pathname.lastIndexOf('/')).includes('.') &&
    (accepts.includes('text/html') || accepts.includes('*/*'))
  );
}

interface Needs {
  /** If missing, only the API is served. */
  webFolder: string;
  /** Are source maps served? They stay on disk for stack traces. */
  hasSourceMaps: boolean;
}

export async function addStaticPwa(
  app: FastifyInstance,
  { webFolder, hasSourceMaps }: Needs,
): Promise<void> {
  const isBuilt = existsSync(path.join(webFolder, 'index.html'));
  if (isBuilt) {
    const assets = path.join(webFolder, 'assets') + path.sep;
    await app.register(fastifyStatic, {
      root: webFolder,
      cacheControl: false,
      preCompressed: true,
      allowedPath: (file) => hasSourceMaps || !file.endsWith('.map'),
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
