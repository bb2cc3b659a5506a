/** Lists that can be asked for what changed. The headers are in `headers`. */
import * as v from 'valibot';
import { idSchema } from './fields.ts';

/** A row of a delta for what is deleted or no longer the reader's to see; the answer to a DELETE. */
export const removedSchema = v.object({ _id: idSchema, removed: v.literal(true) });
export type Removed = v.InferOutput<typeof removedSchema>;

/** Rows in an answer to a `since`, at most. */
export const deltaPageSize = 500;

export const maxCursorLength = 8000;

/** `since` absent: the plain list. Empty: begin a series. Else a Sync-Cursor of this server. */
export const sinceSchema = v.object({
  since: v.optional(
    v.pipe(
      v.string('Must be given once.'),
      v.maxLength(maxCursorLength, 'Must be a cursor of this server.'),
    ),
  ),
});

/** Is this row of a list a tombstone? */
export function isRemoved<T extends object>(row: T | Removed): row is Removed {
  return 'removed' in row;
}
