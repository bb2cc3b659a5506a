/** The database as the rest of the server knows it: PostgreSQL's dialect, whatever is behind it. */
import { DrizzleQueryError } from 'drizzle-orm';
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import type * as schema from './schema.ts';

/** Queries run on this; a transaction is one too. */
export type Database = PgDatabase<PgQueryResultHKT, typeof schema>;

/** An open database and how to let go of it. */
export interface OpenDatabase {
  db: Database;
  /** Resolves once everything is on disk and nothing is open any more. */
  close(): Promise<void>;
}

const uniqueViolation = '23505';

/** Did this fail because `constraint` holds the same value already? */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  const cause = error instanceof DrizzleQueryError ? error.cause : error;
  return (
    cause instanceof Error &&
    'code' in cause &&
    cause.code === uniqueViolation &&
    'constraint' in cause &&
    cause.constraint === constraint
  );
}
