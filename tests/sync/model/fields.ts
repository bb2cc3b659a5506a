/** Values by the names that edits use: what a row has, and what an operation writes. */
import type { Operation } from '#domain/operation.ts';
import { type Package, packageToWire } from '#domain/package.ts';
import { type User, userToWire } from '#domain/user.ts';

export type Fields = ReadonlyMap<string, unknown>;

export function fieldsOf(row: Package | User): Fields {
  return new Map(Object.entries('sender' in row ? packageToWire(row) : userToWire(row)));
}

/** The fields that an edit sets, with their values; empty for all else. */
export function changesOf(operation: Operation): Fields {
  if (operation.name !== 'editPackage' && operation.name !== 'editProfile') return new Map();
  return new Map(Object.entries(operation.args.changes));
}

/**
 * The values that its person wrote with it, by the fields that edits set; empty for what writes none.
 * A create's are among them: where an edit is tried anew without the refused one that it was seen
 * on, it replaces what the create has put there, and nobody but its own person wrote that.
 */
export function writtenBy(operation: Operation): Fields {
  if (operation.name !== 'createPackage') return changesOf(operation);
  const { _id: _, senderId: __, ...fields } = operation.args;
  return new Map(Object.entries(fields));
}

/** The version that an edit names as the one it was made on. */
export function baseOf(operation: Operation): number | undefined {
  if (operation.name !== 'editPackage' && operation.name !== 'editProfile') return undefined;
  return operation.args.baseVersion;
}
