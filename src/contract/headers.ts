/** Headers of the API, in the lower case that Node and `Headers` both read. */
export const headers = {
  idempotencyKey: 'idempotency-key',
  idempotencyReplayed: 'idempotency-replayed',
  retryAfter: 'retry-after',
  /** Of a change: its writer (contract/writer). */
  outbox: 'kaya-outbox',
  /** Of a call of the app itself: the contract that the page was built for (contract/version). */
  contractVersion: 'kaya-contract',
  /** Of a delta: what to ask with next, as `since`. Opaque. */
  syncCursor: 'sync-cursor',
  /** 'true' where the next page of the same series waits behind the cursor. */
  syncMore: 'sync-more',
  /** 'true' on the first page of a full list: at the end of its series it replaces the mirror. */
  syncReset: 'sync-reset',
  /** Of a webhook: HMAC-SHA512 of the raw body in hex, with the provider's secret key. */
  paystackSignature: 'x-paystack-signature',
} as const;
