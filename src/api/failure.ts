import { isErrorCode } from '#contract/errors.ts';
import type { Failure } from '#domain/outcome.ts';
import type { Package } from '#domain/package.ts';
import type { User } from '#domain/user.ts';

/** The only error that the calls of this room reject with; what it means is domain/outcome's. */
export class ApiFailure extends Error {
  override name = 'ApiFailure';

  constructor(
    readonly failure: Failure,
    /** The server's row, where it came with a refusal (409 `conflict`) that is no replay. */
    readonly current?: Package | User,
    options?: ErrorOptions,
  ) {
    super(failure.message, options);
  }
}

/** Null: the product itself failed. */
export function failureOf(error: unknown): Failure | null {
  return error instanceof ApiFailure ? error.failure : null;
}

/** A 401 or 403, whoever said it. */
export function isUnauthorized(error: unknown): error is ApiFailure {
  return (
    error instanceof ApiFailure &&
    error.failure.kind === 'http' &&
    (error.failure.status === 401 || error.failure.status === 403)
  );
}

/**
 * A 401 or 403 in our own server's words. Only such a one may end a session: the block page of
 * something on the way says 401 or 403 of everything.
 */
export function isDenied(error: unknown): error is ApiFailure {
  return isUnauthorized(error) && isErrorCode(error.failure.code);
}
