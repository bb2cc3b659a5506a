/** Lists that support deltas; their headers are in `headers`. */
import * as v from 'valibot';
import { idSchema } from './fields.ts';

/**
 * A deleted row in a delta, or one no longer visible to the reader; also the response to DELETE.
 */
export const removedSchema = v.object({ _id: idSchema, removed: v.literal(true) });
export type Removed = v.InferOutput<typeof removedSchema>;

export const deltaPageSize = 500;

export const maxCursorLength = 8000;

/** `since` absent: the plain list. Empty: start a series. Else a Sync-Cursor of this server. */
export const sinceSchema = v.object({
  since: v.optional(
    v.pipe(
      v.string('Must be given once.'),
      v.maxLength(maxCursorLength, 'Must be a cursor of this server.'),
    ),
  ),
});

/** Is this row of a delta a removal? */
export function isRemoved<T extends object>(row: T | Removed): row is Removed {
  return 'removed' in row;
}
