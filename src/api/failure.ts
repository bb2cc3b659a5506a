import { isDenial } from '#contract/denials.ts';
import type { Failure } from '#domain/outcome.ts';
import type { Package } from '#domain/package.ts';
import type { User } from '#domain/user.ts';

/** The only error that API calls reject with; domain/outcome interprets it. */
export class ApiFailure extends Error {
  override name = 'ApiFailure';

  constructor(
    readonly failure: Failure,
    /** The server's row, if sent with a 409 `conflict` that is not a replay. */
    readonly current?: Package | User,
    options?: ErrorOptions,
  ) {
    super(failure.message, options);
  }
}

/** For a request without a response. */
export function noAnswer(
  kind: 'network' | 'timeout',
  message: string,
  cause: unknown = null,
): ApiFailure {
  return new ApiFailure({ kind, status: 0, code: '', message }, undefined, { cause });
}

/** For a response that is not this server's. */
export function malformedAnswer(message: string): ApiFailure {
  return new ApiFailure({ kind: 'malformed', status: 200, code: '', message });
}

/** Null: the product itself failed. */
export function failureOf(error: unknown): Failure | null {
  return error instanceof ApiFailure ? error.failure : null;
}

/** A 401 or 403 from anyone, including intermediaries. */
export function isUnauthorized(error: unknown): error is ApiFailure {
  return (
    error instanceof ApiFailure &&
    error.failure.kind === 'http' &&
    (error.failure.status === 401 || error.failure.status === 403)
  );
}

/** From our own server: only these end a session, since block pages use 401 and 403 too. */
export function isDenied(error: unknown): error is ApiFailure {
  return isUnauthorized(error) && isDenial(error.failure.code);
}
