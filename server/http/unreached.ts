const connecting: ReadonlySet<string> = new Set([
  ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'],
  ...['UND_ERR_CONNECT_TIMEOUT', 'ERR_SSL_WRONG_VERSION_NUMBER'],
]);

/**
 * Did a `fetch` fail before it had a connection, so that certainly nothing was heard of it? Undici
 * puts the reason into the cause of its TypeError.
 */
export function isUnreached(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && connecting.has(String(cause.code));
}
