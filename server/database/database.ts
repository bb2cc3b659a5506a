/** The database as the rest of the server knows it: PostgreSQL's dialect, whatever is behind it. */
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';

/** Queries run on this; a transaction is one too. */
export type Database = PgDatabase<PgQueryResultHKT>;

/** What hears the notifications of one channel. Neither may throw. */
export interface Listener {
  onMessage(payload: string): void;
  /** The connection was gone for a while: what was said meanwhile is lost. */
  onGap(): void;
}

/** Of a PostgreSQL: how many there are by what they do, and what there is to be had. */
export interface Connections {
  used: number;
  idle: number;
  /** Questions that wait for a free one. */
  waiting: number;
  /** No more than these are opened. */
  most: number;
}

/** An open database and how to let go of it. */
export interface OpenDatabase {
  db: Database;
  /**
   * Hears what any process notifies on `channel`, from when this resolves until the answer is
   * called. A connection that breaks is made again without end, each time followed by `onGap`.
   */
  listen(channel: string, listener: Listener): Promise<() => Promise<void>>;
  /** Not where there are none: the embedded database. */
  connections?(): Connections;
  /** Resolves once everything is on disk and nothing is open any more. */
  close(): Promise<void>;
}
