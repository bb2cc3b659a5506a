/**
 * Rows edited offline store, per field, the version and the writer (contract/writer) of its last
 * change: edits of different fields do not conflict, nor do edits from one outbox.
 */
import type { Writer } from '#contract/writer.ts';

/** The writer who changed a field in `version`; absent for a change without one. */
export interface FieldWriter extends Writer {
  version: number;
}

export interface Versioned {
  version: number;
  /** Field name → the version that last changed it; compared with an edit's base version. */
  fieldVersions: Record<string, number>;
  fieldWriters: Record<string, FieldWriter>;
}

export interface EditBasis {
  /** The version the edit was made on; undefined: no field is stale. */
  baseVersion?: number | undefined;
  writer?: Writer | undefined;
}

/** Was `name` last changed by an earlier write of the same outbox? */
function isOwnEarlier(row: Versioned, name: string, writer: Writer | undefined): boolean {
  const last = row.fieldWriters[name];
  if (!last || !writer) return false;
  // A later change without a writer makes the stored writer obsolete.
  if (last.version !== row.fieldVersions[name]) return false;
  return last.outboxId === writer.outboxId && last.order < writer.order;
}

/** Of `names`, those changed after `baseVersion` by another writer, or later by the same outbox. */
export function staleFields(
  row: Versioned,
  names: readonly string[],
  { baseVersion, writer }: EditBasis,
): string[] {
  if (baseVersion === undefined) return [];
  return names.filter(
    (name) => (row.fieldVersions[name] ?? 0) > baseVersion && !isOwnEarlier(row, name, writer),
  );
}

/** The row's next version, in which `writer` changed `names`. */
export function touch(
  { version, fieldVersions, fieldWriters }: Versioned,
  names: readonly string[],
  writer: Writer | undefined,
): Versioned {
  const next = version + 1;
  const all = <T>(value: T) => Object.fromEntries(names.map((name) => [name, value]));
  return {
    version: next,
    fieldVersions: { ...fieldVersions, ...all(next) },
    fieldWriters: writer ? { ...fieldWriters, ...all({ version: next, ...writer }) } : fieldWriters,
  };
}
