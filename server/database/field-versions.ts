/**
 * Rows that people edit offline know for each field in which version it was last changed
 * (DESIGN.md section 4): edits of different fields do not get in each other's way.
 */

/** A row's part of it. */
export interface Versioned {
  version: number;
  /** Fields that were never edited are not in it. */
  fieldVersions: Record<string, number>;
}

/** Of `names`, those that somebody changed after `baseVersion`; none where no base is known. */
export function staleFields(
  { fieldVersions }: Versioned,
  names: readonly string[],
  baseVersion: number | undefined,
): string[] {
  if (baseVersion === undefined) return [];
  return names.filter((name) => (fieldVersions[name] ?? 0) > baseVersion);
}

/** The row's next version, in which `names` are changed. */
export function touch({ version, fieldVersions }: Versioned, names: readonly string[]): Versioned {
  const next = version + 1;
  const touched = Object.fromEntries(names.map((name) => [name, next]));
  return { version: next, fieldVersions: { ...fieldVersions, ...touched } };
}
