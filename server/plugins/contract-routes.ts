/**
 * Registers calls from the contract's table (contract/routes): authentication, Idempotency-Key,
 * parsing and the answer's status are the same for all; a module gives only the work.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as v from 'valibot';
import { headers } from '#contract/headers.ts';
import type { Route } from '#contract/routes.ts';
import type { Actor } from '#domain/policy.ts';
import { fieldMessages } from '#domain/validation.ts';
import type { Database } from '#server/database/database.ts';
import { inTransaction } from '#server/database/transaction.ts';
import { Refusal } from '#server/refusal.ts';
import type { Authenticate } from './authentication.ts';
import {
  type Dress,
  type Idempotency,
  type Outcome,
  type PlanFacts,
  readKey,
  type Work,
} from './idempotency.ts';

type Parsed<S> = S extends v.GenericSchema ? v.InferOutput<S> : undefined;
type PartOf<R extends Route, Part extends 'params' | 'query' | 'body'> = R extends {
  [P in Part]: infer S;
}
  ? Parsed<S>
  : undefined;

/** A call by somebody who is signed in, checked against the contract's schemas. */
export interface Call<R extends Route> {
  actor: Actor;
  sessionId: string;
  params: PartOf<R, 'params'>;
  query: PartOf<R, 'query'>;
  body: PartOf<R, 'body'>;
  /** As it came, for what the contract does not speak of (the address it came to, say). */
  request: FastifyRequest;
}

type Answer<R extends Route> = v.InferInput<R['answer']>;

/** Refuses with `invalid_fields`. */
function parseFields<S extends v.GenericSchema>(schema: S, value: unknown): v.InferOutput<S> {
  const parsed = v.safeParse(schema, value);
  if (parsed.success) return parsed.output;
  throw new Refusal('invalid_fields', { fields: fieldMessages(parsed.issues) });
}

/** Refuses with `malformed` (no object at all) or `invalid_fields`. */
export function parseBody<S extends v.GenericSchema>(schema: S, body: unknown): v.InferOutput<S> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new Refusal('malformed');
  }
  return parseFields(schema, body);
}

/** What is not even shaped like an id names nothing. */
function parseParams<S extends v.GenericSchema>(schema: S, params: unknown): v.InferOutput<S> {
  const parsed = v.safeParse(schema, params);
  if (parsed.success) return parsed.output;
  throw new Refusal('not_found');
}

function callOf<R extends Route>(
  route: R,
  request: FastifyRequest,
  caller: { actor: Actor; sessionId: string },
): Call<R> {
  const params = route.params && parseParams(route.params, request.params);
  // Parameters that nobody knows are let pass (a cache-buster, say).
  const query = route.query && parseFields(route.query, request.query);
  const body = route.body && parseBody(route.body, request.body);
  // The conditional types of Call follow the lines above; TypeScript cannot see that.
  return { ...caller, params, query, body, request } as Call<R>;
}

function send(reply: FastifyReply, outcome: Outcome): FastifyReply {
  if (outcome.isReplayed) reply.header(headers.idempotencyReplayed, 'true');
  outcome.dress?.(reply);
  return reply.code(outcome.status).type('application/json; charset=utf-8').send(outcome.body);
}

export interface RouteKit {
  app: FastifyInstance;
  db: Database;
  authenticate: Authenticate;
  idempotency: Idempotency;
}

/** What an answer says beside its body. */
export type SetHeader = (name: string, value: string) => void;

/** A call that changes nothing. */
export function addQuery<R extends Route>(
  { app, authenticate }: RouteKit,
  route: R,
  work: (call: Call<R>, setHeader: SetHeader) => Promise<Answer<R>>,
): void {
  app.route({
    method: route.method,
    url: route.path,
    handler: async (request, reply) => {
      const call = callOf(route, request, await authenticate(request));
      const answer = await work(call, (name, value) => void reply.header(name, value));
      return reply.code(route.status).send(answer);
    },
  });
}

/** What a mutation is told by beside its plan. */
interface About<R extends Route> extends PlanFacts {
  /**
   * For a call that takes a password: may this one cost what hashing costs? Asked before any of it is
   * spent, of calls whose fields are good; may refuse with `rate_limited`.
   */
  admitPassword?: (call: Call<R>) => Promise<boolean>;
}

async function isPasswordAdmitted<R extends Route>(
  parse: () => Call<R>,
  admit: About<R>['admitPassword'],
): Promise<boolean> {
  if (!admit) return false;
  try {
    const { body } = parse();
    if (typeof body !== 'object' || body === null || !('password' in body)) return false;
  } catch (error) {
    // Planning parses too, and refuses the same.
    if (error instanceof Refusal) return false;
    throw error;
  }
  return admit(parse());
}

/** What a mutation does in its transaction; `dressWith` for what its answer has beside the body. */
type Effect<R extends Route> = (
  tx: Database,
  dressWith: (dress: Dress) => void,
) => Promise<Answer<R>>;

/**
 * A call that changes something. `plan` may take its time (hash a password); the work that it
 * gives runs in one transaction and must not; after a deadlock it runs again from its beginning.
 */
export function addMutation<R extends Route>(
  { app, db, authenticate, idempotency }: RouteKit,
  route: R,
  plan: (call: Call<R>) => Promise<Effect<R>>,
  about?: About<R>,
): void {
  app.route({
    method: route.method,
    url: route.path,
    handler: async (request, reply) => {
      const caller = await authenticate(request);
      const key = readKey(request.headers[headers.idempotencyKey]);
      const parse = () => callOf(route, request, caller);
      const isAdmitted = await isPasswordAdmitted(parse, about?.admitPassword);
      const planWork = async (): Promise<Work> => {
        const work = await plan(parse());
        return async (tx) => {
          let dress: Dress | undefined;
          const answer = await work(tx, (how) => {
            dress = how;
          });
          const body = JSON.stringify(answer);
          return { status: route.status, body, isReplayed: false, dress };
        };
      };
      if (key === undefined) return send(reply, await inTransaction(db, await planWork()));
      const keyed = {
        ...{ userId: caller.actor.id, key, method: route.method, body: request.body },
        path: request.url.split('?', 1)[0] ?? '',
        isPasswordAdmitted: isAdmitted,
      };
      return send(reply, await idempotency.once(keyed, planWork, about));
    },
  });
}
