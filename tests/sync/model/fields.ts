/** Values by the names that edits use: what a row has, and what an operation writes. */

import { isSameValue } from '#domain/location.ts';
import { isCall, type Operation, requestOf } from '#domain/operation.ts';
import { type Package, packageToWire, withoutAbsent } from '#domain/package.ts';
import { acceptTerms } from '#domain/patch.ts';
import { type User, userToWire } from '#domain/user.ts';
import { patchBodyOf } from '#sync/operations.ts';

export type Fields = ReadonlyMap<string, unknown>;

export function fieldsOf(row: Package | User): Fields {
  return new Map(Object.entries('sender' in row ? packageToWire(row) : userToWire(row)));
}

/** The fields an edit sets, with their values; empty for anything else. */
export function changesOf(operation: Operation): Fields {
  if (operation.name !== 'editPackage' && operation.name !== 'editProfile') return new Map();
  return new Map(Object.entries(operation.args.changes));
}

/**
 * The values the user wrote, by the fields edits set; empty for operations that write none. A
 * create's are included: an edit retried without the refused one it was based on replaces what the
 * create wrote, which is the same user's.
 */
export function writtenBy(operation: Operation): Fields {
  if (operation.name !== 'createPackage') return changesOf(operation);
  const { _id: _, senderId: __, ...fields } = operation.args;
  return new Map(Object.entries(fields));
}

/** What the server's row shows once it is applied, as on the wire; null: no row. */
function effectOf(operation: Operation): Readonly<Record<string, unknown>> | null {
  if (operation.name === 'deletePackage') return null;
  const request = isCall(operation) ? null : requestOf(operation);
  if (request?.via !== 'patch') return Object.fromEntries(writtenBy(operation));
  const { baseVersion: _, ...body } = patchBodyOf(request.patch);
  return withoutAbsent(body);
}

/** The part of its effect missing in the row right after it was applied; null: none. */
export function lackOf(operation: Operation, after: Package | User | null): string | null {
  const effect = effectOf(operation);
  if (effect === null || after === null) return effect === after ? null : 'the row';
  const fields = fieldsOf(after);
  const idOf = (value: unknown) =>
    typeof value === 'object' && value !== null && '_id' in value ? value._id : value;
  const lacking = Object.entries(effect).find(
    ([field, value]) => !isSameValue(idOf(fields.get(field)), value),
  );
  return lacking ? lacking[0] : null;
}

/** What an operation replaces, with its values; for an accept what it relies on, without values. */
export function concernsOf(operation: Operation): Fields {
  if (operation.name !== 'acceptPackage') return changesOf(operation);
  return new Map(acceptTerms.map((field) => [field, undefined]));
}

/** The version an operation was made on. */
export function baseOf({ args }: Operation): number | undefined {
  return 'baseVersion' in args ? args.baseVersion : undefined;
}
