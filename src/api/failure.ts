import type { Failure } from '#domain/outcome.ts';
import type { Package } from '#domain/package.ts';

/** The only error that the calls of this room reject with; what it means is domain/outcome's. */
export class ApiFailure extends Error {
  override name = 'ApiFailure';

  constructor(
    readonly failure: Failure,
    /** The server's row, where it came with a refusal (409 `conflict`). */
    readonly current?: Package,
    options?: ErrorOptions,
  ) {
    super(failure.message, options);
  }
}
