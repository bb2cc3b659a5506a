/**
 * Serves the built PWA. Files with a hash in their name are immutable; the rest is revalidated. The
 * build writes brotli and gzip variants (commands/compress.mjs). A path that is neither file nor
 * call is a screen.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isOfRecipients, isUnderApi, pathnameOf } from '#server/http/api-path.ts';
import { sendPage } from '#server/http/page.ts';
import { Refusal } from '#server/http/refusal.ts';
import { metricsPath } from '#server/modules/metrics/metrics.ts';
import { problemPage } from '#server/modules/tracking/page.ts';
import { wordsFor } from '#server/modules/tracking/words.ts';
import { answerError, noteError } from './errors.ts';

const longestPath = 2048;

/** Does a browser ask for a page here, rather than for a file or a call? */
function isPage(request: FastifyRequest): boolean {
  const { method, url, headers } = request;
  const pathname = pathnameOf(url);
  const accepts = headers.accept ?? '*/*';
  return (
    (method === 'GET' || method === 'HEAD') &&
    !isUnderApi(request) &&
    // Without a token the path does not exist; a scraper must not get a page.
    pathname !== metricsPath &&
    !pathname.slice(pathname.lastIndexOf('/')).includes('.') &&
    (accepts.includes('text/html') || accepts.includes('*/*'))
  );
}

const isScreen = (request: FastifyRequest) =>
  isPage(request) && pathnameOf(request.url).length <= longestPath;

/**
 * An address that leads nowhere: for people a page that says so, also where the router cannot read it.
 * Never for a file, which would be taken for it.
 */
export function answerNowhere(error: Error, request: FastifyRequest, reply: FastifyReply) {
  const isOfLink = isOfRecipients(request) && !isUnderApi(request);
  if (!isPage(request) && !isOfLink) return answerError(error, request, reply);
  const { status } = noteError(error, request, reply);
  const words = wordsFor(request.headers['accept-language']);
  return sendPage(reply, status, problemPage(words, 'unknown'));
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
  app.setNotFoundHandler((request, reply) => {
    if (isBuilt && isScreen(request)) return reply.sendFile('index.html');
    const answer = isBuilt ? answerNowhere : answerError;
    return answer(new Refusal('not_found'), request, reply);
  });
}
