/**
 * Invariant: a call is answered within `answerMs`, whatever it waits for. Its work continues within
 * its statements' own limits, and the outcome is found under its Idempotency-Key. A timer per call:
 * following it through its queries (AsyncLocalStorage) would cost a tenth of the server's time.
 */
import type { FastifyInstance, RouteHandler } from 'fastify';
import { withTimeout } from '#server/config/timeouts.ts';
import { Refusal } from '#server/http/refusal.ts';

/** Resolves with `work`; refuses with `unavailable` after `ms`. */
export function answerInTime<T>(ms: number, work: () => Promise<T>): Promise<T> {
  return withTimeout(ms, work, () => new Refusal('unavailable', { retryAfterSeconds: 5 }));
}

/** Applies to routes added after it, except files, which may take as long as the network does. */
export function addTimeLimit(app: FastifyInstance, answerMs: number): void {
  app.addHook('onRoute', (route) => {
    if (route.url.includes('*')) return;
    const { handler } = route;
    const withTimeLimit: RouteHandler = function withTimeLimit(request, reply) {
      return answerInTime(answerMs, async () => handler.call(this, request, reply));
    };
    route.handler = withTimeLimit;
  });
}
