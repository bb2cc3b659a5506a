/** Lists that can be asked for what changed. */
import { isRemoved, type Removed } from '#contract/delta.ts';
import type { SyncHeaders } from './answer.ts';

export interface PulledPage<Row> {
  rows: Row[];
  /** Deleted, or no longer this user's to see. */
  removedIds: string[];
  /** To ask with next; null: a server without deltas, whose `rows` are all there are. */
  cursor: string | null;
  /** The next page of this series waits behind the cursor. */
  hasMore: boolean;
  /** The first page of a full list: at its end, what no page named is gone. */
  isReset: boolean;
}

/** The body of a list and its headers → one page of changes. */
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
