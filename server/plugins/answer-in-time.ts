/**
 * Invariant: a call is answered `answerMs` after it was read, whatever it waits for: ten slow answers
 * of the database do not take ten times as long as one. What it had under way goes on behind, within
 * the limits of its own statements, and its outcome is found under its Idempotency-Key.
 *
 * The timer is a call's own. A measure that followed a call to its questions (AsyncLocalStorage)
 * would know what it waited for, and cost a tenth of all that the server does.
 */
import type { FastifyInstance, RouteHandler } from 'fastify';
import { patiently } from '#server/database/patience.ts';
import { Refusal } from '#server/refusal.ts';

/** What `work` comes to; or `unavailable` after `ms`, whatever it comes to later. */
export function inTime<T>(ms: number, work: () => Promise<T>): Promise<T> {
  return patiently(ms, work, () => new Refusal('unavailable', { retryAfterSeconds: 5 }));
}

/** For every call that is added after it. Files may take as long as the phone's network does. */
export function addTimeLimit(app: FastifyInstance, answerMs: number): void {
  app.addHook('onRoute', (route) => {
    if (route.url.includes('*')) return;
    const { handler } = route;
    const inItsTime: RouteHandler = function inItsTime(request, reply) {
      return inTime(answerMs, async () => handler.call(this, request, reply));
    };
    route.handler = inItsTime;
  });
}
