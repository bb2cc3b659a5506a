/**
 * A list as changes. Invariant: no change is ever skipped. Each row carries the transaction that
 * last wrote it; a reader's position is a snapshot, which knows the transactions still open, so a
 * late commit is always found (docs/decisions/0011-snapshot-cursor.md).
 *
 *   since ''      ──▶ full list, page by page ──┐
 *   cursor (void) ──▶ the same                  ├──▶ last page: cursor 'base = target'
 *   cursor        ──▶ changed since base ───────┘
 *
 * The target is taken before the first row of a series is read; what changes between its pages
 * comes with the next series.
 */
import { type Placeholder, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { deltaPageSize } from '#contract/delta.ts';
import { headers } from '#contract/headers.ts';
import type { Actor } from '#domain/policy.ts';
import type { Database } from '#server/database/database.ts';
import type { SetHeader } from '#server/http/contract-routes.ts';
import { type Cursor, encodeCursor, type ListName, readCursor } from './cursor.ts';
import { readClock } from './epoch.ts';

const lastXid = sql.raw(`'${(2n ** 64n - 1n).toString()}'::xid8`);

/**
 * Was the row written by a transaction `snapshot` did not see? The range is for the index: with
 * both ends PostgreSQL estimates few rows even without statistics.
 */
export function changedSince(column: PgColumn, snapshot: string | Placeholder): SQL {
  return sql`(${column} between pg_snapshot_xmin(${snapshot}::pg_snapshot) and ${lastXid} and not pg_visible_in_snapshot(${column}, ${snapshot}::pg_snapshot))`;
}

export interface Page {
  /** Changed since this snapshot; null: all. */
  base: string | null;
  after: string | null;
  limit: number;
}

export interface Source<Row, Wire> {
  list: ListName;
  fetch(page: Page): Promise<Row[]>;
  keyOf(row: Row): string;
  show(row: Row): Wire;
}

export interface Pull {
  db: Database;
  actor: Actor;
  /** As sent by the reader; empty to start. */
  since: string;
  now: Date;
  setHeader: SetHeader;
}

/** One page of changes; headers say how to continue. */
export async function pull<Row, Wire>(
  { db, actor, since, now, setHeader }: Pull,
  { list, fetch, keyOf, show }: Source<Row, Wire>,
): Promise<Wire[]> {
  const { epoch, snapshot } = await readClock(db);
  const holder = { list, userId: actor.id, role: actor.role, epoch };
  const cursor = since === '' ? null : readCursor(since, { ...holder, snapshot, now });

  const isFirst = cursor === null || cursor.after === null;
  const base = cursor && (cursor.after === null ? cursor.target : cursor.base);
  const target = isFirst ? snapshot : cursor.target;
  const found = await fetch({ base, after: cursor?.after ?? null, limit: deltaPageSize + 1 });
  const rows = found.slice(0, deltaPageSize);
  const last = found.length > rows.length ? rows.at(-1) : undefined;

  const next: Cursor = {
    ...holder,
    issuedAt: now,
    target,
    base: last === undefined ? null : base,
    after: last === undefined ? null : keyOf(last),
  };
  setHeader(headers.syncCursor, encodeCursor(next));
  if (last !== undefined) setHeader(headers.syncMore, 'true');
  if (isFirst && base === null) setHeader(headers.syncReset, 'true');
  return rows.map(show);
}
