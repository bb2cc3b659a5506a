/**
 * Idempotency-Key. Invariant: key, request fingerprint and outcome commit in the transaction of the
 * effect, so a key is either done and stored, or never happened.
 *
 *   first ──▶ effect (savepoint) ──▶ answered        ──▶ outcome stored ──▶ commit
 *                     └────────────▶ refused 402/403/404/409/422: effect undone, refusal stored ──▶ commit
 *                     └────────────▶ anything else: all undone, nothing stored
 *   again ──▶ same fingerprint: stored outcome, replayed · other fingerprint: `key_reused`
 *   at the same time ──▶ `in_progress`
 */
import { createHash } from 'node:crypto';
import { and, eq, sql } from 'drizzle-orm';
import type { FastifyReply } from 'fastify';
import type { Database } from '#server/database/database.ts';
import { preparedQuery, selectionOf } from '#server/database/prepared-query.ts';
import { idempotencyKeys } from '#server/database/schema.ts';
import { inTransaction } from '#server/database/transaction.ts';
import { invalidField, Refusal } from '#server/http/refusal.ts';
import { passwordDigest } from '#server/modules/auth/passwords.ts';

/** As long as an outbox may wait. */
export const keyLifetimeMs = 180 * 24 * 3_600_000;

export interface KeyedRequest {
  userId: string;
  key: string;
  method: string;
  path: string;
  body: unknown;
  /** May a password in the body cost a digest? Default: no. */
  isPasswordAdmitted?: boolean;
}

/** A response; `body` is JSON text. */
export interface Outcome {
  status: number;
  body: string;
  isReplayed: boolean;
  /** Sets headers or cookies after the commit; not stored with the outcome. */
  decorate?: DecorateReply | undefined;
}

export type DecorateReply = (reply: FastifyReply) => void;

const storedStatuses: ReadonlySet<number> = new Set([402, 403, 404, 409, 422]);

/**
 * JSON with sorted keys, so that two spellings of one body match. Runs before any schema: refuses
 * with `malformed` a body nested too deeply for the stack.
 */
function canonical(value: unknown): string {
  try {
    return JSON.stringify(value, (_, inner: unknown) =>
      typeof inner === 'object' && inner !== null && !Array.isArray(inner)
        ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
        : inner,
    );
  } catch (error) {
    throw error instanceof RangeError ? new Refusal('malformed') : error;
  }
}

const sha256 = (text: string) => createHash('sha256').update(text);

/**
 * A password must not be stored as a fast hash, so it becomes a slow digest. One that is not
 * admitted is omitted, since its call fails.
 */
async function withoutPassword(request: KeyedRequest): Promise<unknown> {
  const { userId, key, body } = request;
  if (typeof body !== 'object' || body === null || !('password' in body)) return body;
  if (typeof body.password !== 'string') return body;
  if (!request.isPasswordAdmitted) return { ...body, password: null };
  const salt = sha256(`${userId} ${key}`).digest();
  return { ...body, password: await passwordDigest(body.password, salt) };
}

async function fingerprintOf(request: KeyedRequest): Promise<string> {
  const body = canonical(await withoutPassword(request)) ?? '';
  return sha256(`${request.method} ${request.path}\n${body}`).digest('hex');
}

/** The header's value, 1 to 200 visible ASCII characters. Refuses with `invalid_fields`. */
export function readKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (typeof header === 'string' && /^[\x21-\x7e]{1,200}$/.test(header)) return header;
  throw invalidField('Idempotency-Key', 'Must be 1 to 200 visible ASCII characters.');
}

const { fingerprint, status, body } = idempotencyKeys;
const outcomes = selectionOf({ stored: { fingerprint, status, body } });
const ofKey = preparedQuery(() => {
  const isThisKey = and(
    eq(idempotencyKeys.userId, sql.placeholder('userId')),
    eq(idempotencyKeys.key, sql.placeholder('key')),
  );
  return sql`select ${outcomes.columns} from ${idempotencyKeys} where ${isThisKey}`;
});

async function findOutcome(
  tx: Database,
  { userId, key }: KeyedRequest,
  fingerprint: string,
): Promise<Outcome | null> {
  const [found] = await ofKey(tx, { userId, key });
  if (!found) return null;
  const { stored } = outcomes.read(found);
  if (stored.fingerprint !== fingerprint) throw new Refusal('key_reused');
  return { status: stored.status, body: stored.body, isReplayed: true };
}

const claim = preparedQuery(
  () => sql`select pg_try_advisory_xact_lock(${sql.placeholder('number')}::bigint) as claimed`,
);

/** One transaction per key at a time, across processes, until it ends. */
async function claimInDatabase(tx: Database, { userId, key }: KeyedRequest): Promise<boolean> {
  const number = sha256(`${userId} ${key}`).digest().readBigInt64BE().toString();
  const [answer] = await claim(tx, { number });
  return answer?.claimed === true;
}

/**
 * A code in a stored answer would outlive its package, and the recipient's link its replacement. Quotes
 * inside a text are escaped, so these are fields.
 */
const withoutSecrets = (json: string) =>
  json.replace(/"(dropoffCode|returnCode|dropoffToken|trackingPath)":"[^"]*"/g, '"$1":null');

const remember = preparedQuery((builder) =>
  builder.insert(idempotencyKeys).values({
    userId: sql.placeholder('userId'),
    key: sql.placeholder('key'),
    fingerprint: sql.placeholder('fingerprint'),
    status: sql.placeholder('status'),
    body: sql.placeholder('body'),
    createdAt: sql.placeholder('createdAt'),
  }),
);

async function outcomeOf(tx: Database, work: Work): Promise<Outcome> {
  try {
    return await tx.transaction(work);
  } catch (error) {
    if (!(error instanceof Refusal && storedStatuses.has(error.status))) throw error;
    return { status: error.status, body: JSON.stringify(error.body), isReplayed: false };
  }
}

export type Work = (tx: Database) => Promise<Outcome>;

export interface PlanFacts {
  /** Does planning have effects or cost: an external call, a counted attempt, a password hash? */
  hasEffects: boolean;
}

/** A refusal while planning (such as invalid fields) is an outcome too: the work throws it. */
async function planned(plan: () => Promise<Work>): Promise<Work> {
  try {
    return await plan();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return () => Promise.reject(error);
  }
}

export type Idempotency = ReturnType<typeof createIdempotency>;

export function createIdempotency(db: Database, now: () => Date) {
  /** Requests in flight in this process; the lock in the database covers the others. */
  const inFlight = new Set<string>();

  return {
    /**
     * Runs `plan` and then its work in one transaction, or replays the stored outcome, before
     * planning if that has effects. Refuses with `key_reused` or `in_progress`.
     */
    once: async (
      request: KeyedRequest,
      plan: () => Promise<Work>,
      { hasEffects }: PlanFacts = { hasEffects: true },
    ): Promise<Outcome> => {
      const place = `${request.userId} ${request.key}`;
      if (inFlight.has(place)) throw new Refusal('in_progress');
      inFlight.add(place);
      try {
        const fingerprint = await fingerprintOf(request);
        // A replay must not start a second top-up.
        const known = hasEffects && (await findOutcome(db, request, fingerprint));
        if (known) return known;
        const work = await planned(plan);
        return await inTransaction(db, async (tx) => {
          if (!(await claimInDatabase(tx, request))) throw new Refusal('in_progress');
          const before = await findOutcome(tx, request, fingerprint);
          if (before) return before;
          const outcome = await outcomeOf(tx, work);
          const { userId, key } = request;
          const { status } = outcome;
          const body = withoutSecrets(outcome.body);
          await remember(tx, { userId, key, fingerprint, status, body, createdAt: now() });
          return outcome;
        });
      } finally {
        inFlight.delete(place);
      }
    },
  };
}
