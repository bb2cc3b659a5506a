/** Kinds of column that several tables have. */
import { sql } from 'drizzle-orm';
import { customType, timestamp } from 'drizzle-orm/pg-core';

export const moment = (name: string) =>
  timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });

/**
 * The transaction that wrote the row last; a trigger sets it. A delta is the rows whose transaction
 * the reader's last snapshot did not see, so that no late commit is skipped (DESIGN.md section 4).
 */
const xid8 = customType<{ data: string }>({ dataType: () => 'xid8' });
export const changedXid = (name = 'changed_xid') =>
  xid8(name).notNull().default(sql`pg_current_xact_id()`);
