/** Sums of whole numbers, 0 where there are none; a database answers them as text. */
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';

/** `where`: of the rows that are summed up, only those. */
export function sumOf(amount: SQLWrapper, where?: SQL): SQL<number> {
  const filter = where ? sql` filter (where ${where})` : sql.empty();
  return sql<number>`coalesce(sum(${amount})${filter}, 0)`.mapWith(Number);
}
