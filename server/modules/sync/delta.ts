/**
 * A list as changes. Invariant: no change is ever skipped. Each row carries the transaction that
 * last wrote it; a reader's cursor holds a snapshot, which knows the transactions still open, so a
 * late commit is always found (docs/decisions/0011-snapshot-cursor.md).
 *
 *   since ''      ──▶ full list, page by page ──┐
 *   cursor (void) ──▶ the same                  ├──▶ last page: cursor 'base = target'
 *   cursor        ──▶ changed since base ───────┘
 *
 * The target is taken before the first row of a series is read; changes between its pages come with
 * the next series.
 */
import { type Placeholder, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { deltaPageSize, type Removed } from '#contract/delta.ts';
import { headers } from '#contract/headers.ts';
import type { Actor } from '#domain/policy.ts';
import type { Database } from '#server/database/database.ts';
import type { SetHeader } from '#server/http/contract-routes.ts';
import { readCheckpoint } from './checkpoint.ts';
import { type Cursor, encodeCursor, type ListName, readCursor } from './cursor.ts';
import { readClock } from './epoch.ts';
import { isAfter } from './snapshot.ts';

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
  /** Null: not for this reader, or no longer. */
  show(row: Row): Wire | null;
  idOf(row: Row): string;
}

export interface Pull {
  db: Database;
  actor: Actor;
  /** As sent by the reader; empty to start. */
  since: string;
  /** The stream's checkpoint according to the reader (contract/delta); checked here. */
  streamed?: string | undefined;
  /** The area that limits the list, as text: another one voids the cursor. */
  area?: string | null;
  now: Date;
  setHeader: SetHeader;
}

/** One page of changes; headers say how to continue. */
export async function pull<Row, Wire>(
  { db, actor, since, streamed, area = null, now, setHeader }: Pull,
  { list, fetch, keyOf, show, idOf }: Source<Row, Wire>,
): Promise<(Wire | Removed)[]> {
  const { epoch, snapshot } = await readClock(db);
  const holder = { list, userId: actor.id, role: actor.role, area, epoch };
  const known = since === '' ? null : readCursor(since, { ...holder, snapshot, now });
  const isBetween = known !== null && known.after === null;
  const came = isBetween && streamed !== undefined ? readCheckpoint(streamed) : null;
  // A batch of another role or epoch took the reader behind this cursor (checkpoint.ts); one of a
  // lost database, like such a cursor, to rows that this one never had.
  const isOurs =
    came === null ||
    (came.role === actor.role && came.epoch === epoch && !isAfter(came.snapshot, snapshot));
  const cursor = isOurs ? known : null;
  const isFirst = cursor === null || cursor.after === null;
  const base = cursor && (cursor.after === null ? (came?.snapshot ?? cursor.target) : cursor.base);
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
  if (base === null) return rows.flatMap((row) => show(row) ?? []);
  return rows.map((row) => show(row) ?? { _id: idOf(row), removed: true });
}
