import { sql } from 'drizzle-orm';
import { customType, timestamp } from 'drizzle-orm/pg-core';

export const moment = (name: string) =>
  timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });

/**
 * The transaction that last wrote the row, set by a trigger. A delta has the rows whose transaction
 * is not visible in the reader's snapshot, so no late commit is skipped
 * (docs/decisions/0011-snapshot-cursor.md).
 */
const xid8 = customType<{ data: string }>({ dataType: () => 'xid8' });
export const changedXid = (name = 'changed_xid') =>
  xid8(name).notNull().default(sql`pg_current_xact_id()`);

export const bytes = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' });

/** int8 as a number, for both drivers. Throws RangeError beyond 2^53. */
export function parseInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`int8 out of range: ${text}`);
  return value;
}
