/** The database as the rest of the server sees it: PostgreSQL's dialect over either driver. */
import { type SQL, sql } from 'drizzle-orm';
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';

export type Database = PgDatabase<PgQueryResultHKT>;

/** Receives the notifications of one channel. Neither method may throw. */
export interface Listener {
  onMessage(payload: string): void;
  /** The connection was lost, and notifications may be too. */
  onGap(): void;
}

export interface Connections {
  used: number;
  idle: number;
  waiting: number;
  most: number;
}

export interface OpenDatabase {
  db: Database;
  /**
   * Listens to `channel` until the returned function is called. Reconnects for ever, each time
   * followed by `onGap`.
   */
  listen(channel: string, listener: Listener): Promise<() => Promise<void>>;
  /** Absent for the embedded database. */
  connections?(): Connections;
  /** Is there disk space for writes? Absent for PostgreSQL, whose disk is unknown. */
  hasRoom?(): Promise<boolean>;
  /** Resolves once everything is on disk and closed. */
  close(): Promise<void>;
}

/** The value of one expression; its `mapWith` reads what the driver returns as text. */
export async function selectScalar<T>(db: Database, expression: SQL<T>): Promise<T> {
  const rows = await db.select({ value: expression }).from(sql`(select 1) as one`);
  const row = rows[0];
  if (!row) throw new Error('The database returned no row for an expression.');
  return row.value as T;
}
