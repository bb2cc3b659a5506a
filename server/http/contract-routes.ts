/**
 * Registers the contract's routes. Authentication, Idempotency-Key, parsing and status are shared;
 * a module provides only the work.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as v from 'valibot';
import { headers } from '#contract/headers.ts';
import type { Route } from '#contract/routes.ts';
import { parseWriter, type Writer } from '#contract/writer.ts';
import type { Actor } from '#domain/policy.ts';
import { fieldMessages } from '#domain/validation.ts';
import type { Database } from '#server/database/database.ts';
import { inTransaction } from '#server/database/transaction.ts';
import type { Authenticate } from '#server/plugins/authentication.ts';
import {
  type DecorateReply,
  type Idempotency,
  type Outcome,
  type PlanFacts,
  readKey,
  type Work,
} from '#server/plugins/idempotency.ts';
import { invalidField, Refusal } from './refusal.ts';

type Parsed<S> = S extends v.GenericSchema ? v.InferOutput<S> : undefined;
type PartOf<R extends Route, Part extends 'params' | 'query' | 'body'> = R extends {
  [P in Part]: infer S;
}
  ? Parsed<S>
  : undefined;

export interface Call<R extends Route> {
  actor: Actor;
  sessionId: string;
  params: PartOf<R, 'params'>;
  query: PartOf<R, 'query'>;
  body: PartOf<R, 'body'>;
  request: FastifyRequest;
}

type Answer<R extends Route> = v.InferInput<R['answer']>;

/** Refuses with `invalid_fields`. */
export function parseFields<S extends v.GenericSchema>(
  schema: S,
  value: unknown,
): v.InferOutput<S> {
  const parsed = v.safeParse(schema, value);
  if (parsed.success) return parsed.output;
  throw new Refusal('invalid_fields', { fields: fieldMessages(parsed.issues) });
}

/** Refuses with `malformed` (not an object) or `invalid_fields`. */
export function parseBody<S extends v.GenericSchema>(schema: S, body: unknown): v.InferOutput<S> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new Refusal('malformed');
  }
  return parseFields(schema, body);
}

/** A malformed id matches nothing. Refuses with `not_found`. */
export function parseParams<S extends v.GenericSchema>(
  schema: S,
  params: unknown,
): v.InferOutput<S> {
  const parsed = v.safeParse(schema, params);
  if (parsed.success) return parsed.output;
  throw new Refusal('not_found');
}

/**
 * The writer of a change, if any. Refuses with `invalid_fields`. The prefixed user id keeps a user
 * with another's outbox id from overwriting their changes without a conflict.
 */
export function readWriter(request: FastifyRequest, { id }: Actor): Writer | undefined {
  const text = request.headers[headers.outbox];
  if (text === undefined) return undefined;
  const writer = parseWriter(String(text));
  if (!writer) throw invalidField('Kaya-Outbox', 'Must be a UUID, a colon and a whole number.');
  return { ...writer, outboxId: `${id}/${writer.outboxId}` };
}

/** The sender's clock as it sent this; undefined without or with an unreadable one. */
export function readSentAt(request: FastifyRequest): Date | undefined {
  const sentAt = new Date(String(request.headers[headers.sentAt]));
  return Number.isNaN(sentAt.getTime()) ? undefined : sentAt;
}

function callOf<R extends Route>(
  route: R,
  request: FastifyRequest,
  caller: { actor: Actor; sessionId: string },
): Call<R> {
  const params = route.params && parseParams(route.params, request.params);
  // Unknown parameters, such as a cache-buster, are ignored.
  const query = route.query && parseFields(route.query, request.query);
  const body = route.body && parseBody(route.body, request.body);
  // The conditional types of Call match these lines; TypeScript cannot see that.
  return { ...caller, params, query, body, request } as Call<R>;
}

function send(reply: FastifyReply, outcome: Outcome): FastifyReply {
  if (outcome.isReplayed) reply.header(headers.idempotencyReplayed, 'true');
  outcome.decorate?.(reply);
  return reply.code(outcome.status).type('application/json; charset=utf-8').send(outcome.body);
}

export interface RouteKit {
  app: FastifyInstance;
  db: Database;
  authenticate: Authenticate;
  idempotency: Idempotency;
}

export type SetHeader = (name: string, value: string) => void;

/** A route that changes nothing. */
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

interface About<R extends Route> extends PlanFacts {
  /**
   * May this call cost a password hash? Called once the fields are valid, before hashing. May
   * refuse with `rate_limited`.
   */
  admitPassword?: (call: Call<R>) => Promise<boolean>;
  /** Headers of a replayed response: the original's may be lost. */
  decorateReplay?: (call: Call<R>) => Promise<DecorateReply | undefined>;
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
    // Planning parses too, and refuses the same way.
    if (error instanceof Refusal) return false;
    throw error;
  }
  return admit(parse());
}

/** `decorateWith` sets headers and cookies of the response. */
type Effect<R extends Route> = (
  tx: Database,
  decorateWith: (decorate: DecorateReply | undefined) => void,
) => Promise<Answer<R>>;

/**
 * A route that changes something. `plan` may be slow (hash a password); the work it returns must be
 * fast: it runs in one transaction, and again after a deadlock.
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
          let decorate: DecorateReply | undefined;
          try {
            const answer = await work(tx, (how) => {
              decorate = how;
            });
            const body = JSON.stringify(answer);
            return { status: route.status, body, isReplayed: false, decorate };
          } catch (error) {
            if (!(error instanceof Refusal && error.details.isKept)) throw error;
            return { status: error.status, body: JSON.stringify(error.body), isReplayed: false };
          }
        };
      };
      if (key === undefined) return send(reply, await inTransaction(db, await planWork()));
      const keyed = {
        userId: caller.actor.id,
        key,
        method: route.method,
        body: request.body,
        path: request.url.split('?', 1)[0] ?? '',
        isPasswordAdmitted: isAdmitted,
      };
      const outcome = await idempotency.once(keyed, planWork, about);
      if (about?.decorateReplay && outcome.isReplayed && outcome.status === route.status) {
        outcome.decorate = await about.decorateReplay(parse());
      }
      return send(reply, outcome);
    },
  });
}
