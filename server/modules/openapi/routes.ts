import type { FastifyInstance } from 'fastify';
import { routes } from '#contract/routes.ts';
import { sendPage } from '#server/http/page.ts';
import { buildDocument } from './document.ts';
import { pageOf } from './page.ts';

/** The weight of a media type in an Accept header, 0 to 1; 0 if it is not named. */
function weightOf(accept: string, type: string): number {
  for (const part of accept.split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
    if (name !== type) continue;
    const quality = parameters.find((piece) => piece.startsWith('q='));
    return quality === undefined ? 1 : Number(quality.slice(2)) || 0;
  }
  return 0;
}

const prefersHtml = (accept: string): boolean =>
  weightOf(accept, 'text/html') > weightOf(accept, 'application/json');

let written: { json: string; page: ReturnType<typeof pageOf> } | undefined;

/** Written for the first reader, not at every start. */
function docs() {
  if (!written) {
    const document = buildDocument(routes);
    written = { json: JSON.stringify(document), page: pageOf(document) };
  }
  return written;
}

/** GET /api/docs/openapi.json, and GET /api/docs as a page for browsers. */
export function addApiDocs(app: FastifyInstance): void {
  app.get('/api/docs/openapi.json', async (_, reply) =>
    reply.type('application/json; charset=utf-8').send(docs().json),
  );
  app.get('/api/docs', async (request, reply) => {
    reply.header('vary', 'Accept');
    return prefersHtml(request.headers.accept ?? '')
      ? sendPage(reply, 200, docs().page)
      : reply.type('application/json; charset=utf-8').send(docs().json);
  });
}
