import { type SQL, sql } from 'drizzle-orm';
import type { Database } from './database.ts';

/** The value of one expression; where the driver gives text, that expression's `mapWith` reads it. */
export async function evaluate<T>(db: Database, expression: SQL<T>): Promise<T> {
  const rows = await db.select({ value: expression }).from(sql`(select 1) as one`);
  const row = rows[0];
  if (!row) throw new Error('The database gave no row for an expression.');
  return row.value as T;
}
