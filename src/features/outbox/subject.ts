/** Which package an operation is about, as far as this phone knows. Pure. */
import { formatDate } from '#domain/format-date.ts';
import type { Operation } from '#domain/operation.ts';
import type { Package } from '#domain/package.ts';
import { fieldLabel, fieldValue } from './field-words.ts';
import { names } from './operation-names.ts';
import { words } from './words.ts';

/** What the person called it when they made it, where it is not on the server yet. */
function createdAs({ targetId }: Operation, operations: readonly Operation[]): string | null {
  for (const each of operations) {
    if (each.name === 'createPackage' && each.targetId === targetId) return each.args.description;
  }
  return null;
}

/**
 * 'KY-000012 · Two bolts of cloth'. `row` null: the mirror has none. `operations`: all that concern
 * the same package, a queued creation among them.
 */
export function subjectOf(
  operation: Operation,
  row: Pick<Package, 'packageId' | 'description'> | null,
  operations: readonly Operation[] = [operation],
): string {
  if (row) return [row.packageId, row.description].filter(Boolean).join(' · ');
  if (operation.name === 'createPackage') return operation.args.description;
  return operation.subject ?? createdAs(operation, operations) ?? words.lostPackage;
}

/** What the person wanted, one line per field. */
function argumentLines(operation: Operation): string[] {
  const { name, args } = operation;
  const fields =
    name === 'editPackage' || name === 'editProfile'
      ? args.changes
      : name === 'createPackage'
        ? args
        : {};
  return Object.entries(fields)
    .filter(([field, value]) => value !== undefined && field !== '_id' && field !== 'senderId')
    .map(([field, value]) => `${fieldLabel(field)}: ${fieldValue(field, value)}`);
}

/**
 * The operation as text to send to somebody who can help: what people read first, what the server's
 * log knows it by last.
 */
export function detailsOf(operation: Operation, subject: string | null): string {
  const { lastError } = operation;
  const labels = words.details;
  const lines = [
    `${labels.change}: ${names[operation.name]}`,
    subject && `${words.package}: ${subject}`,
    ...argumentLines(operation),
    `${labels.made}: ${formatDate(operation.createdAt, operation.createdAt)}`,
    `${labels.tries}: ${operation.tries + (operation.triesBefore ?? 0)}`,
    lastError && `${labels.answer}: ${lastError.message} (${lastError.status} ${lastError.code})`,
    ...Object.entries(lastError?.fields ?? {}).map(
      ([field, message]) => `${fieldLabel(field)}: ${message}`,
    ),
    lastError && `${labels.answered}: ${formatDate(lastError.at, lastError.at)}`,
    `${labels.targetId}: ${operation.targetId}`,
    `${labels.id}: ${operation.id}`,
  ];
  return lines.filter(Boolean).join('\n');
}
