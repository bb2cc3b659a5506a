/** Why the server cannot start, as one sentence for the person who started it; never a stack trace. */
export class StartupError extends Error {
  override name = 'StartupError';
}
