/** Summarises an edit's changes, to distinguish edits of one package. Pure. */
import { laneOf, type Operation } from '#domain/operation.ts';
import { type Package, packageToWire } from '#domain/package.ts';
import { type User, userToWire } from '#domain/user.ts';
import { operations as operationMessages } from '#messages/en/operations.ts';
import { outbox as words } from '#messages/en/outbox.ts';
import { fieldLabel, fieldValue } from './field-messages.ts';

/** Longer values are not shown as 'before → after'. */
const shortLength = 28;
const quoteLength = 40;

const isShort = (text: string) => text.length <= shortLength && !text.includes('\n');

function changesOf(operation: Operation): [field: string, value: unknown][] {
  if (operation.name !== 'editPackage' && operation.name !== 'editProfile') return [];
  return Object.entries(operation.args.changes).filter(([, value]) => value !== undefined);
}

/** The row before `operation`: the server's with the earlier queued changes applied. */
function valuesBefore(
  operation: Operation,
  operations: readonly Operation[],
  row: Package | User | null,
): Map<string, unknown> {
  const wire = row && ('sender' in row ? packageToWire(row) : userToWire(row));
  const values = new Map<string, unknown>(Object.entries(wire ?? {}));
  const earlier = operations
    .filter((each) => each.seq < operation.seq && laneOf(each) === laneOf(operation))
    .filter(({ state }) => state === operation.state)
    .sort((a, b) => a.seq - b.seq);
  for (const each of earlier) {
    const set = each.name === 'createPackage' ? Object.entries(each.args) : changesOf(each);
    for (const [field, value] of set) values.set(field, value);
  }
  return values;
}

function changeText(field: string, before: string | null, after: string): string {
  const label = fieldLabel(field);
  if (after === '') return words.removed(label);
  if (before && before !== after && isShort(before) && isShort(after)) {
    return `${label} ${before} → ${after}`;
  }
  if (isShort(after)) return `${label}: ${after}`;
  return `${label}: “${after.replace(/\s+/g, ' ').slice(0, quoteLength).trimEnd()}…”`;
}

/** 'Price Offer ₦700 → ₦777' per edited field. `operations`: all of the same subject. */
export function whatChanged(
  operation: Operation,
  operations: readonly Operation[],
  row: Package | User | null,
): string[] {
  const before = valuesBefore(operation, operations, row);
  const shown = (field: string, value: unknown) =>
    value === null || value === undefined || value === '' ? '' : fieldValue(field, value);
  return changesOf(operation).map(([field, value]) =>
    changeText(field, shown(field, before.get(field)) || null, shown(field, value)),
  );
}

/** 'Edit package: Price Offer ₦700 → ₦777 and 1 more', for messages about other operations. */
export function nameOf(
  operation: Operation,
  operations: readonly Operation[],
  row: Package | User | null,
): string {
  const name = operationMessages.names[operation.name];
  const [first, ...others] = whatChanged(operation, operations, row);
  if (first === undefined) return name;
  return `${name}: ${others.length > 0 ? words.andMore(first, others.length) : first}`;
}
