/** Headers of the API, in lower case, which Node and `Headers` both read. */
export const headers = {
  idempotencyKey: 'idempotency-key',
  idempotencyReplayed: 'idempotency-replayed',
  retryAfter: 'retry-after',
  /** On a mutation: its writer (contract/writer). */
  outbox: 'kaya-outbox',
  /** On a mutation with a key: the sender's clock at this try, ISO 8601. */
  sentAt: 'sent-at',
  /** On a call by the app: the contract version of the page's build (contract/version). */
  contractVersion: 'kaya-contract',
  /** On a delta: the next `since`. Opaque. */
  syncCursor: 'sync-cursor',
  /** 'true' if the series has another page. */
  syncMore: 'sync-more',
  /** 'true' on the first page of a full list, which replaces the mirror once complete. */
  syncReset: 'sync-reset',
  /** On a picture: 'sha-256=:…:' of its bytes (RFC 9530). */
  contentDigest: 'content-digest',
} as const;
