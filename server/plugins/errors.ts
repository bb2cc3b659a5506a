/** Every error response has the body of contract/errors: `{ message, code, fields? }`. */
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorCode } from '#contract/errors.ts';
import { headers } from '#contract/headers.ts';
import { isTransactionConflict, isUnavailable } from '#server/database/database-failure.ts';
import { Refusal } from '#server/http/refusal.ts';
import { hasNoCharacters, readUtf8 } from '#server/http/utf8.ts';
import { PictureStoreFailure } from '#server/modules/proofs/picture-store.ts';
import { errorForLog } from './request-log.ts';

const codes: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed',
  FST_ERR_CTP_INVALID_JSON_BODY: 'malformed',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'malformed',
  FST_ERR_BAD_URL: 'not_found',
  FST_ERR_MAX_PARAM_LENGTH: 'not_found',
};

/** Failed preconditions and ranges of a file request (RFC 9110, 13.1.1 and 15.5.17). */
const codesByStatus: Record<number, ErrorCode> = {
  412: 'precondition_failed',
  416: 'range_not_satisfiable',
};

function refusalOf(error: Error | FastifyError): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof PictureStoreFailure) {
    return new Refusal('pictures_unavailable', { retryAfterSeconds: 30 });
  }
  if (isUnavailable(error)) return new Refusal('unavailable', { retryAfterSeconds: 5 });
  if (isTransactionConflict(error)) return new Refusal('unavailable', { retryAfterSeconds: 1 });
  const code = 'code' in error ? codes[error.code] : undefined;
  if (code) return new Refusal(code);
  const status = ('statusCode' in error && error.statusCode) || 500;
  return new Refusal(
    codesByStatus[status] ?? (status >= 400 && status < 500 ? 'malformed' : 'internal'),
  );
}

/** The file's length, for a range beyond its end. */
function contentRangeOf(error: object): string | undefined {
  const { headers: said } = error as { headers?: Record<string, string> };
  return said?.['Content-Range'];
}

/** The matching refusal, with its headers set; logs the server's own faults. */
export function noteError(
  error: Error | FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): Refusal {
  const refusal = refusalOf(error);
  if (refusal.code === 'internal') {
    request.log.error({ err: errorForLog(error) }, 'a request failed');
  } else if (refusal !== error && refusal.code === 'unavailable') {
    request.log.warn({ err: errorForLog(error) }, 'the database is unavailable');
  } else if (refusal.code === 'pictures_unavailable') {
    request.log.error({ err: errorForLog(error) }, 'the store of pictures failed');
  } else if (refusal.code === 'picture_missing') {
    request.log.error('a picture is missing or damaged; `npm run audit -- --pictures` names it');
  }
  const { retryAfterSeconds } = refusal.details;
  if (retryAfterSeconds !== undefined) reply.header(headers.retryAfter, retryAfterSeconds);
  const contentRange = contentRangeOf(error);
  if (contentRange !== undefined) reply.header('content-range', contentRange);
  // Requests that Fastify refuses before routing pass no hook that sets these.
  reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
  return refusal;
}

/** Replies with the matching refusal. */
export function answerError(
  error: Error | FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const refusal = noteError(error, request, reply);
  return reply.code(refusal.status).send(refusal.body);
}

const codesOfConnections: Record<string, ErrorCode> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
};

/** Replies to requests that Node's parser cannot read, and closes the connection. */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  // During the response to a complete request these bytes would become part of it.
  const { _httpMessage: answer } = socket as Socket & { _httpMessage?: ServerResponse | null };
  const isAnswering = answer?.headersSent || answer?.req.complete;
  if (!socket.writable || isAnswering) return void socket.destroy(error);
  const { status, body } = new Refusal(codesOfConnections[error.code ?? ''] ?? 'malformed');
  const text = JSON.stringify(body);
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(text)}`,
      ...['Cache-Control: no-store', 'X-Content-Type-Options: nosniff'],
      ...['Connection: close', '', text],
    ].join('\r\n'),
  );
}

/**
 * With two Host headers, a proxy and this server could each use another one. Node accepts them, and
 * refuses a missing one without a body.
 */
function requireOneHost(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    const hosts = raw.rawHeaders.filter((text, n) => n % 2 === 0 && text.toLowerCase() === 'host');
    const isOne = hosts.length === 1 || (hosts.length === 0 && raw.httpVersion === '1.0');
    done(isOne ? undefined : new Refusal('malformed'));
  });
}

/**
 * A body is malformed if it is not UTF-8, not JSON, contains invalid characters or could pollute a
 * prototype; an empty one counts as none.
 */
function readJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const text = readUtf8(body);
    if (text === '') return done(null, undefined);
    if (text === null) return done(new Refusal('malformed'));
    parse(request, text, (error, value: unknown) =>
      done(error ?? (hasNoCharacters(value) ? new Refusal('malformed') : null), value),
    );
  });
}

/**
 * While closing, refuses requests and keeps no connection alive, which would delay the shutdown.
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
  requireOneHost(app);
  app.setErrorHandler(answerError);
}
