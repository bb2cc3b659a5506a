/**
 * How often one account and one address may try what can be abused: the answer to guessing
 * passwords and to listing who is registered (DESIGN.md section 7). An address may be a whole
 * village behind one mobile gateway, so its limit is the wide one. Invariant: attempts are counted
 * in the database, so a limit is the same however many servers there are; where they cannot be
 * counted nobody gets in.
 *
 * A limit over all calls of an address keeps one device that runs wild from taking a server for
 * itself; that one is counted per process, since it must cost nothing.
 */
import rateLimit from '@fastify/rate-limit';
import { sql } from 'drizzle-orm';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Database } from '#server/database/database.ts';
import { rateLimits } from '#server/database/schema.ts';
import { Refusal } from '#server/refusal.ts';
import { isUnderApi } from './api-path.ts';
import { networkOf } from './network.ts';

const minuteMs = 60_000;

interface Limit {
  max: number;
  windowMs: number;
}

export const limitsPer = {
  login: {
    account: { max: 10, windowMs: 5 * minuteMs },
    address: { max: 100, windowMs: 5 * minuteMs },
  },
  signUp: {
    account: { max: 5, windowMs: 60 * minuteMs },
    address: { max: 50, windowMs: 60 * minuteMs },
  },
  changePassword: { account: { max: 10, windowMs: 60 * minuteMs } },
  initiatePayment: { account: { max: 20, windowMs: 10 * minuteMs } },
  // Each may be a call to the provider. Who comes back from its page asks once, or a few times.
  verifyPayment: { account: { max: 60, windowMs: 10 * minuteMs } },
} as const satisfies Record<string, { account: Limit; address?: Limit }>;

/** All calls under /api of one address at one process. */
export const callsPerAddress = { max: 1200, windowMs: minuteMs } as const satisfies Limit;

/** By e-mail, by whom it may be asked that is not signed in. */
type CheckByEmail = (request: FastifyRequest, email: string) => Promise<void>;

/** Each counts an attempt, and refuses with `rate_limited` what is one too many. */
export interface RateLimits {
  login: CheckByEmail;
  signUp: CheckByEmail;
  changePassword(userId: string): Promise<void>;
  initiatePayment(userId: string): Promise<void>;
  verifyPayment(userId: string): Promise<void>;
}

const unlimited = () => Promise.resolve();

function refuse(waitMs: number): never {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000));
  throw new Refusal('rate_limited', { retryAfterSeconds });
}

interface Needs {
  db: Database;
  now: () => Date;
  isRateLimited: boolean;
}

/** One statement, so that attempts at the same moment are all counted. */
async function countAttempt({ db, now }: Needs, key: string, { max, windowMs }: Limit) {
  const at = now();
  const isOver = sql`${rateLimits.endsAt} <= excluded.ends_at - ${`${windowMs} milliseconds`}::interval`;
  const rows = await db
    .insert(rateLimits)
    .values({ key, count: 1, endsAt: new Date(at.getTime() + windowMs) })
    .onConflictDoUpdate({
      target: rateLimits.key,
      set: {
        // Stops where it is full, so that it cannot be driven past what an integer holds.
        count: sql`case when ${isOver} then 1 else least(${rateLimits.count} + 1, ${max + 1}) end`,
        endsAt: sql`case when ${isOver} then excluded.ends_at else ${rateLimits.endsAt} end`,
      },
    })
    .returning();
  const row = rows[0];
  if (row && row.count > max) refuse(row.endsAt.getTime() - at.getTime());
}

async function limitCallsPerAddress(app: FastifyInstance): Promise<void> {
  await app.register(rateLimit, { global: false, cache: 20_000 });
  const { max, windowMs } = callsPerAddress;
  const check = app.createRateLimit({ max, timeWindow: windowMs });
  app.addHook('onRequest', async (request) => {
    if (!isUnderApi(request)) return;
    const result = await check(request);
    if (!result.isAllowed && result.isExceeded) refuse(result.ttl);
  });
}

export async function createRateLimits(app: FastifyInstance, needs: Needs): Promise<RateLimits> {
  if (!needs.isRateLimited) {
    return {
      login: unlimited,
      signUp: unlimited,
      changePassword: unlimited,
      initiatePayment: unlimited,
      verifyPayment: unlimited,
    };
  }
  await limitCallsPerAddress(app);

  const checkByEmail = (name: 'login' | 'signUp'): CheckByEmail => {
    const { account, address } = limitsPer[name];
    return async (request, email) => {
      await countAttempt(needs, `${name} address ${networkOf(request.ip)}`, address);
      await countAttempt(needs, `${name} account ${email.toLowerCase()}`, account);
    };
  };
  const countOf = (name: 'changePassword' | 'initiatePayment' | 'verifyPayment', userId: string) =>
    countAttempt(needs, `${name} account ${userId}`, limitsPer[name].account);
  return {
    login: checkByEmail('login'),
    signUp: checkByEmail('signUp'),
    changePassword: (userId) => countOf('changePassword', userId),
    initiatePayment: (userId) => countOf('initiatePayment', userId),
    verifyPayment: (userId) => countOf('verifyPayment', userId),
  };
}
