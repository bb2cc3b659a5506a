/**
 * The file of a backup: gzip over lines of JSON. It holds rows, not pages of a disk, so that one
 * made on the embedded database goes into a PostgreSQL and the other way round.
 *
 *   {"format":"kaya-backup","version":1,"migrations":2,"createdAt":"…"}
 *   {"table":"users","rows":[{…},{…}]}            as often as needed, tables in the order of restoring
 *   {"end":true,"rows":1234}                       missing where the writing was cut short
 */
import * as v from 'valibot';

export const headerSchema = v.object({
  format: v.literal('kaya-backup'),
  version: v.literal(1),
  /** How many migrations the database had seen. */
  migrations: v.pipe(v.number(), v.integer(), v.minValue(1)),
  createdAt: v.string(),
});
export type BackupHeader = v.InferOutput<typeof headerSchema>;

export const batchSchema = v.object({
  table: v.string(),
  rows: v.array(v.record(v.string(), v.unknown())),
});

export const endSchema = v.object({ end: v.literal(true), rows: v.number() });
