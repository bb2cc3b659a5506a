/**
 * Limits per account and address against abuse: guessing passwords, finding out who is registered,
 * collecting contacts. An address may be a whole village behind one mobile gateway, so
 * its limit is wider. Invariant: attempts are counted in the database, so limits hold across
 * servers; if they cannot be counted, the call fails.
 *
 * A limit over all calls keeps one runaway device from exhausting a server; it is counted in
 * memory, per process. A call counts for its user, or without a session for its address, so that a
 * caller without an account cannot use up the limit of users nearby.
 */
import rateLimit from '@fastify/rate-limit';
import { eq, sql } from 'drizzle-orm';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { routes } from '#contract/routes.ts';
import type { Config } from '#server/config/config.ts';
import type { Database } from '#server/database/database.ts';
import { rateLimits } from '#server/database/schema.ts';
import { isOfRecipients, isUnderApi } from '#server/http/api-path.ts';
import { neighbourhoodOf, networkOf } from '#server/http/network.ts';
import { Refusal } from '#server/http/refusal.ts';
import type { AccessTokens } from '#server/modules/auth/access-tokens.ts';
import { bearerOf } from './authentication.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

interface Limit {
  max: number;
  windowMs: number;
}

export const limitsPer = {
  login: {
    // At most 60 an hour from one neighbourhood, so it cannot exhaust the account's limit
    // elsewhere.
    accountThere: { max: 10, windowMs: 10 * minuteMs },
    account: { max: 100, windowMs: hourMs },
    address: { max: 100, windowMs: 5 * minuteMs },
  },
  signUp: {
    account: { max: 5, windowMs: hourMs },
    address: { max: 50, windowMs: hourMs },
  },
  // Above the account's, nothing is sent and nobody is told.
  forgotPassword: {
    account: { max: 5, windowMs: hourMs },
    address: { max: 50, windowMs: hourMs },
  },
  sendConfirmation: { account: { max: 5, windowMs: hourMs } },
  changePassword: { account: { max: 10, windowMs: hourMs } },
  initiatePayment: { account: { max: 20, windowMs: 10 * minuteMs } },
  // Each may call the provider. Returning from its page takes one or a few.
  verifyPayment: { account: { max: 60, windowMs: 10 * minuteMs } },
  // Each tells a name for a number.
  resolveBank: { account: { max: 30, windowMs: hourMs } },
  // Only links that do not exist count: a village may read.
  trackingMiss: { address: { max: 100, windowMs: hourMs } },
  leaveNote: { address: { max: 30, windowMs: hourMs } },
  replaceTracking: { account: { max: 30, windowMs: hourMs } },
  // A day's deliveries in one go take two hours at most: the phone respects Retry-After.
  storePicture: { account: { max: 120, windowMs: hourMs } },
  storePictureBytes: { account: { max: 30_000_000, windowMs: hourMs } },
} as const satisfies Record<string, { accountThere?: Limit; account?: Limit; address?: Limit }>;

export type RateLimits = Awaited<ReturnType<typeof createRateLimits>>;

function refuse(waitMs: number): never {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000));
  throw new Refusal('rate_limited', { retryAfterSeconds });
}

interface Needs {
  db: Database;
  now: () => Date;
  tokens: AccessTokens;
  config: Pick<
    Config,
    'isRateLimited' | 'callsPerMinute' | 'changesPerHour' | 'acceptsPerHour' | 'createsPerHour'
  >;
}

/** One statement, so that concurrent attempts are all counted. */
async function countAttempt(
  { db, now }: Pick<Needs, 'db' | 'now'>,
  key: string,
  { max, windowMs }: Limit,
  amount = 1,
) {
  const at = now();
  const isOver = sql`${rateLimits.endsAt} <= excluded.ends_at - ${`${windowMs} milliseconds`}::interval`;
  const rows = await db
    .insert(rateLimits)
    .values({ key, count: amount, endsAt: new Date(at.getTime() + windowMs) })
    .onConflictDoUpdate({
      target: rateLimits.key,
      set: {
        // Stops at the limit, so that it cannot overflow.
        count: sql`case when ${isOver} then ${amount} else least(${rateLimits.count} + ${amount}, ${max + 1}) end`,
        endsAt: sql`case when ${isOver} then excluded.ends_at else ${rateLimits.endsAt} end`,
      },
    })
    .returning();
  const row = rows[0];
  if (row && row.count > max) refuse(row.endsAt.getTime() - at.getTime());
}

/** Would an attempt be refused? Counts nothing. */
async function requireRoom(
  { db, now }: Pick<Needs, 'db' | 'now'>,
  key: string,
  { max }: Limit,
  amount: number,
) {
  const [row] = await db.select().from(rateLimits).where(eq(rateLimits.key, key));
  const waitMs = row ? row.endsAt.getTime() - now().getTime() : 0;
  if (row && waitMs > 0 && row.count + amount > max) refuse(waitMs);
}

/**
 * The key of a call's limits. An expired token still names its user: the app must learn that it
 * expired, whatever others on its address do. Refreshes and recipients' pages count separately.
 */
async function callerOf(request: FastifyRequest, tokens: AccessTokens): Promise<string> {
  const token = bearerOf(request);
  const claims = token === null ? null : await tokens.read(token);
  if (claims) return `user ${claims.userId}`;
  const isRefresh = request.routeOptions.url === routes.refresh.path;
  const kind = isRefresh ? 'refresh' : isOfRecipients(request) ? 'recipients' : 'address';
  return `${kind} ${networkOf(request.ip)}`;
}

async function limitCalls(app: FastifyInstance, { tokens, config }: Needs): Promise<void> {
  await app.register(rateLimit, { global: false, cache: 20_000 });
  const callers = new WeakMap<FastifyRequest, string>();
  const keyGenerator = (request: FastifyRequest) => callers.get(request) ?? '';
  const check = app.createRateLimit({
    max: config.callsPerMinute,
    timeWindow: minuteMs,
    keyGenerator,
  });
  // Changes are stored for months: with their keys, events and pictures.
  const checkChange = app.createRateLimit({
    max: config.changesPerHour,
    timeWindow: hourMs,
    keyGenerator: (request) => `changes ${keyGenerator(request)}`,
  });
  app.addHook('onRequest', async (request) => {
    if (!isUnderApi(request) && !isOfRecipients(request)) return;
    const caller = await callerOf(request, tokens);
    callers.set(request, caller);
    const result = await check(request);
    if (!result.isAllowed && result.isExceeded) refuse(result.ttl);
    // Changes without a session have limits of their own.
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const change = isRead || !caller.startsWith('user ') ? null : await checkChange(request);
    if (change && !change.isAllowed && change.isExceeded) refuse(change.ttl);
  });
}

/** Each counts an attempt, and refuses with `rate_limited` above the limit. */
export async function createRateLimits(app: FastifyInstance, needs: Needs) {
  const { config, db } = needs;
  if (config.isRateLimited) await limitCalls(app, needs);
  const count = async (key: string, limit: Limit, on: Database = db, amount = 1) => {
    if (config.isRateLimited) await countAttempt({ ...needs, db: on }, key, limit, amount);
  };
  const perAccount = (
    name: 'changePassword' | 'initiatePayment' | 'verifyPayment' | 'resolveBank',
  ) => {
    return (userId: string) => count(`${name} account ${userId}`, limitsPer[name].account);
  };
  /** Counts in the transaction of the call: a failed call does not count. */
  const perHour = (name: string, max: number) => (tx: Database, userId: string) =>
    count(`${name} account ${userId}`, { max, windowMs: hourMs }, tx);
  const { login, signUp } = limitsPer;
  return {
    login: async ({ ip }: FastifyRequest, email: string) => {
      const account = `login account ${email.toLowerCase()}`;
      await count(`login address ${networkOf(ip)}`, login.address);
      await count(`${account} from ${neighbourhoodOf(ip)}`, login.accountThere);
      await count(account, login.account);
    },
    signUp: async ({ ip }: FastifyRequest, email: string) => {
      await count(`signUp address ${networkOf(ip)}`, signUp.address);
      await count(`signUp account ${email.toLowerCase()}`, signUp.account);
    },
    /** Refuses for the address only; false: not another mail to this e-mail. */
    forgotPassword: async ({ ip }: FastifyRequest, email: string): Promise<boolean> => {
      const { account, address } = limitsPer.forgotPassword;
      await count(`forgotPassword address ${networkOf(ip)}`, address);
      try {
        await count(`forgotPassword account ${email}`, account);
        return true;
      } catch (error) {
        if (error instanceof Refusal) return false;
        throw error;
      }
    },
    sendConfirmation: perHour('sendConfirmation', limitsPer.sendConfirmation.account.max),
    changePassword: perAccount('changePassword'),
    initiatePayment: perAccount('initiatePayment'),
    verifyPayment: perAccount('verifyPayment'),
    resolveBank: perAccount('resolveBank'),
    trackingMiss: ({ ip }: FastifyRequest) =>
      count(`trackingMiss address ${networkOf(ip)}`, limitsPer.trackingMiss.address),
    /** In the transaction of the note, as `perHour`. */
    leaveNote: (tx: Database, { ip }: FastifyRequest) =>
      count(`leaveNote address ${networkOf(ip)}`, limitsPer.leaveNote.address, tx),
    replaceTracking: perHour('replaceTracking', limitsPer.replaceTracking.account.max),
    /** In the transaction of its row. `tx` null: only refuses, before anything is stored. */
    storePicture: async (tx: Database | null, userId: string, size: number) => {
      for (const [name, amount] of [
        ['storePicture', 1],
        ['storePictureBytes', size],
      ] as const) {
        const [key, limit] = [`${name} account ${userId}`, limitsPer[name].account];
        if (tx) await count(key, limit, tx, amount);
        else if (config.isRateLimited) await requireRoom(needs, key, limit, amount);
      }
    },
    acceptPackage: perHour('acceptPackage', config.acceptsPerHour),
    createPackage: perHour('createPackage', config.createsPerHour),
  };
}
