/** Lists that support deltas; their headers are in `headers`. */
import * as v from 'valibot';
import { areaQuerySchema } from './area.ts';
import { idSchema } from './fields.ts';
import { userSchema } from './user.ts';

/**
 * A deleted row in a delta, or one no longer visible to the reader; also the response to DELETE.
 */
export const removedSchema = v.object({ _id: idSchema, removed: v.literal(true) });
export type Removed = v.InferOutput<typeof removedSchema>;

/** GET /api/users; removed rows come only with `since`. */
export const userListSchema = v.array(v.union([removedSchema, userSchema]));

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

/** A snapshot of the database's committed transactions. Opaque to clients. */
export const maxSnapshotLength = 2000;
export const snapshotSchema = v.pipe(
  v.string(),
  v.nonEmpty('Must be a snapshot of this server.'),
  v.maxLength(maxSnapshotLength, 'Must be a snapshot of this server.'),
);

/**
 * `area` (couriers): offers elsewhere are left out; a cursor belongs to its area. `streamed`, with a
 * cursor: the reader has every change up to the end of this batch (contract/stream), so those after
 * it come, whatever the cursor has seen.
 */
export const packagesQuerySchema = v.object({
  ...sinceSchema.entries,
  streamed: v.optional(snapshotSchema),
  area: v.optional(areaQuerySchema),
});

/** Is this row of a delta a removal? */
export function isRemoved<T extends object>(row: T | Removed): row is Removed {
  return 'removed' in row;
}
