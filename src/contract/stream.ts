/**
 * GET /api/events: server-sent events (docs/decisions/0074-row-stream.md).
 *
 *   without `rows`   change …
 *   `rows=1`         hello ─▶ (the reader pulls) ─▶ rows | change …
 *
 * Each batch of rows begins where the one before ended; the first, where `hello` is. A batch that
 * begins elsewhere is a gap: the reader pulls.
 */
import * as v from 'valibot';
import { areaQuerySchema } from './area.ts';
import { removedSchema, snapshotSchema } from './delta.ts';
import { versionSchema } from './fields.ts';
import { packageSchema } from './package.ts';

export const eventsPath = '/api/events';

/** Something visible to the caller has changed, so pull. Its data is `{}`. */
export const changeEvent = 'change';
export const helloEvent = 'hello';
export const rowsEvent = 'rows';

/** `area` (couriers): leaves out offers elsewhere; the caller's own packages always come. */
export const eventsQuerySchema = v.object({
  rows: v.optional(v.literal('1', "Must be '1'.")),
  area: v.optional(areaQuerySchema),
});

/** Data of `hello`: the stream has every change after `at`. */
export const helloSchema = v.object({ at: snapshotSchema });
export type Hello = v.InferOutput<typeof helloSchema>;

/** Version of the row that is gone, or of the last change that hid it from the reader. */
export const streamedRemovalSchema = v.object({ ...removedSchema.entries, version: versionSchema });
export type StreamedRemoval = v.InferOutput<typeof streamedRemovalSchema>;

/** Data of `rows`: changes after `from` and up to `to`, as in GET /api/packages. */
export const rowsSchema = v.object({
  from: snapshotSchema,
  to: snapshotSchema,
  packages: v.array(v.union([streamedRemovalSchema, packageSchema])),
});
export type StreamedRows = v.InferOutput<typeof rowsSchema>;
