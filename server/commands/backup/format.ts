/**
 * The format of a backup: gzip over lines of JSON. It holds rows, not disk pages, so it moves
 * between the embedded database and PostgreSQL.
 *
 *   {"format":"kaya-backup","version":1,"migrations":2,"createdAt":"…"}
 *   {"table":"users","rows":[{…},{…}]}     repeated; tables in the order of restoring
 *   {"end":true,"rows":1234}               missing if writing was cut short
 */
import * as v from 'valibot';

export const headerSchema = v.object({
  format: v.literal('kaya-backup'),
  version: v.literal(1),
  /** Number of migrations applied to the database. */
  migrations: v.pipe(v.number(), v.integer(), v.minValue(1)),
  createdAt: v.string(),
});
export type BackupHeader = v.InferOutput<typeof headerSchema>;

export const batchSchema = v.object({
  table: v.string(),
  rows: v.array(v.record(v.string(), v.unknown())),
});

export const endSchema = v.object({ end: v.literal(true), rows: v.number() });
