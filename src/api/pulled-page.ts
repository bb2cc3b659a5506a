import { isRemoved, type Removed } from '#contract/delta.ts';
import type { SyncHeaders } from './answer.ts';

export interface PulledPage<Row> {
  rows: Row[];
  /** Deleted, or no longer visible to this user. */
  removedIds: string[];
  /** The next cursor; null: a server without deltas, whose `rows` are the whole list. */
  cursor: string | null;
  /** More pages follow this cursor. */
  hasMore: boolean;
  /** First page of a full list; at its end, rows that no page named are deleted. */
  isReset: boolean;
}

export function pulledPage<Wire extends { _id: string }, Row>(
  body: readonly (Wire | Removed)[],
  { cursor, hasMore, isReset }: SyncHeaders,
  read: (wire: Wire) => Row,
): PulledPage<Row> {
  const rows: Row[] = [];
  const removedIds: string[] = [];
  for (const one of body) {
    if (isRemoved(one)) removedIds.push(one._id);
    else rows.push(read(one));
  }
  return { rows, removedIds, cursor, hasMore, isReset: isReset || cursor === null };
}
