/**
 * How often one account and one address may try to sign in or up: the answer to guessing passwords
 * and to listing who is registered (DESIGN.md section 7). An address may be a whole village behind
 * one mobile gateway, so its limit is the wide one.
 */
import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from '#server/refusal.ts';

const minuteMs = 60_000;

export const limitsPer = {
  login: {
    account: { max: 10, timeWindow: 5 * minuteMs },
    address: { max: 100, timeWindow: 5 * minuteMs },
  },
  signUp: {
    account: { max: 5, timeWindow: 60 * minuteMs },
    address: { max: 50, timeWindow: 60 * minuteMs },
  },
} as const;

type Check = (request: FastifyRequest, email: string) => Promise<void>;

/** Each refuses with `rate_limited`. */
export type RateLimits = Record<keyof typeof limitsPer, Check>;

const unlimited: Check = () => Promise.resolve();

export async function createRateLimits(
  app: FastifyInstance,
  isRateLimited: boolean,
): Promise<RateLimits> {
  if (!isRateLimited) return { login: unlimited, signUp: unlimited };
  await app.register(rateLimit, { global: false, cache: 20_000 });
  const emails = new WeakMap<FastifyRequest, string>();

  const checkFor = (name: keyof RateLimits): Check => {
    const { account, address } = limitsPer[name];
    const checks = [
      app.createRateLimit({ ...address, keyGenerator: (request) => `${name} ${request.ip}` }),
      app.createRateLimit({
        ...account,
        keyGenerator: (request) => `${name} ${emails.get(request) ?? ''}`,
      }),
    ];
    return async (request, email) => {
      emails.set(request, email);
      for (const check of checks) {
        const result = await check(request);
        if (!result.isAllowed && result.isExceeded) {
          throw new Refusal('rate_limited', {
            retryAfterSeconds: Math.max(1, result.ttlInSeconds),
          });
        }
      }
    };
  };
  return { login: checkFor('login'), signUp: checkFor('signUp') };
}
