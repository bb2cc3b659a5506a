/** Every answer that is not a success has the body of contract/errors: `{ message, code, fields? }`. */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorCode } from '#contract/errors.ts';
import { headers } from '#contract/headers.ts';
import { isUnavailable, isUndoneForAnother } from '#server/database/failure.ts';
import { Refusal } from '#server/refusal.ts';
import { errorForLog } from './request-log.ts';

/** Fastify's own complaints that are the client's doing. */
const codes: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed',
  FST_ERR_CTP_INVALID_JSON_BODY: 'malformed',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'malformed',
  FST_ERR_BAD_URL: 'not_found',
  FST_ERR_MAX_PARAM_LENGTH: 'not_found',
};

/** What a file's headers ask for in vain (RFC 9110, 13.1.1 and 15.5.17). */
const codesByStatus: Record<number, ErrorCode> = {
  412: 'precondition_failed',
  416: 'range_not_satisfiable',
};

function refusalOf(error: Error | FastifyError): Refusal {
  if (error instanceof Refusal) return error;
  if (isUnavailable(error)) return new Refusal('unavailable', { retryAfterSeconds: 5 });
  if (isUndoneForAnother(error)) return new Refusal('unavailable', { retryAfterSeconds: 1 });
  const code = 'code' in error ? codes[error.code] : undefined;
  if (code) return new Refusal(code);
  const status = ('statusCode' in error && error.statusCode) || 500;
  return new Refusal(
    codesByStatus[status] ?? (status >= 400 && status < 500 ? 'malformed' : 'internal'),
  );
}

/** How long a file is, for who asked for a part behind its end. */
function contentRangeOf(error: object): string | undefined {
  const { headers: said } = error as { headers?: Record<string, string> };
  return said?.['Content-Range'];
}

/** Answers with what `error` amounts to; what is our own fault is logged. */
export function answerError(
  error: Error | FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const refusal = refusalOf(error);
  if (refusal.code === 'internal') {
    request.log.error({ err: errorForLog(error) }, 'a request failed');
  } else if (refusal !== error && refusal.code === 'unavailable') {
    request.log.warn({ err: errorForLog(error) }, 'the database gave no answer');
  }
  const { retryAfterSeconds } = refusal.details;
  if (retryAfterSeconds !== undefined) reply.header(headers.retryAfter, retryAfterSeconds);
  const contentRange = contentRangeOf(error);
  if (contentRange !== undefined) reply.header('content-range', contentRange);
  // What Fastify refuses before it has a route passes no hook that would say these.
  reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
  return reply.code(refusal.status).send(refusal.body);
}

/** A body that is not JSON, or could poison a prototype, is malformed; an empty one is none. */
function readJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else parse(request, typeof body === 'string' ? body : body.toString('utf8'), done);
  });
}

/**
 * While the server stops, what still comes in on open connections is asked to come back, and no
 * answer leaves a connection open: one kept alive would hold up the stop.
 */
function refuseWhileClosing(app: FastifyInstance): void {
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
  });
  app.addHook('onRequest', (_request, _reply, done) => {
    done(isClosing ? new Refusal('unavailable', { retryAfterSeconds: 5 }) : undefined);
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (isClosing) reply.header('connection', 'close');
    done(null, payload);
  });
}

export function addErrors(app: FastifyInstance): void {
  readJsonOnly(app);
  refuseWhileClosing(app);
  app.setErrorHandler(answerError);
}
