import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { bearerOf } from './authentication.ts';

/** Does the Authorization header carry this very key? The time it takes says nothing of how much fits. */
export function carriesKey(request: FastifyRequest, key: string): boolean {
  const digest = (text: string) => createHmac('sha256', key).update(text).digest();
  return timingSafeEqual(digest(bearerOf(request) ?? ''), digest(key));
}
