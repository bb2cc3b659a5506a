/**
 * A request's log line: id, method, route, status, milliseconds. Never bodies, tokens, cookies,
 * e-mails, query strings, or parameters of a database error.
 */
import { DrizzleQueryError } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';

interface LoggedError {
  type: string;
  message: string;
  code?: string;
  stack?: string;
  query?: string;
}

/** Drizzle's message and stack contain the query's parameters; its cause's do not. */
export function errorForLog(error: Error): LoggedError {
  const isQuery = error instanceof DrizzleQueryError;
  const told: Error = isQuery ? (error.cause ?? new Error('A query failed.')) : error;
  return {
    type: told.name,
    message: told.message,
    ...('code' in told ? { code: String(told.code) } : {}),
    ...(told.stack === undefined ? {} : { stack: told.stack }),
    ...(isQuery ? { query: error.query } : {}),
  };
}

export function addRequestLog(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url ?? 'none',
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
      },
      'request',
    );
    done();
  });
}
