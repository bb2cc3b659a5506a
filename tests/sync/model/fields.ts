/** Values by the names that edits use: what a row has, and what an operation writes. */
import { bargain } from '#domain/conflict.ts';
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

/** What an operation replaces, with its values; of an accept what it relies on, with none. */
export function concernsOf(operation: Operation): Fields {
  if (operation.name !== 'acceptPackage') return changesOf(operation);
  return new Map(bargain.map((field) => [field, undefined]));
}

/** The version that an operation names as the one it was made on. */
export function baseOf({ args }: Operation): number | undefined {
  return 'baseVersion' in args ? args.baseVersion : undefined;
}
