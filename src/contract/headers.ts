/** Headers of DESIGN.md section 4, in the lower case that Node and `Headers` both read. */
export const headers = {
  idempotencyKey: 'idempotency-key',
  idempotencyReplayed: 'idempotency-replayed',
  retryAfter: 'retry-after',
} as const;
