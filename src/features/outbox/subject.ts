/** Text for an operation: its package, details and refusal. Pure. */
import { formatDate } from '#domain/dates.ts';
import type { Operation } from '#domain/operation.ts';
import type { Package } from '#domain/package.ts';
import { operations as operationMessages } from '#messages/en/operations.ts';
import { outbox as words } from '#messages/en/outbox.ts';
import { fieldLabel, fieldValue } from './field-messages.ts';

/** The description from the queued creation, for a package not on the server yet. */
function createdAs({ targetId }: Operation, operations: readonly Operation[]): string | null {
  for (const each of operations) {
    if (each.name === 'createPackage' && each.targetId === targetId) return each.args.description;
  }
  return null;
}

/** 'KY-000012 · Two bolts of cloth'. `operations`: all of the package, including its creation. */
export function subjectOf(
  operation: Operation,
  row: Pick<Package, 'packageId' | 'description'> | null,
  operations: readonly Operation[] = [operation],
): string {
  if (row) return [row.packageId, row.description].filter(Boolean).join(' · ');
  if (operation.name === 'createPackage') return operation.args.description;
  return operation.subject ?? createdAs(operation, operations) ?? words.lostPackage;
}

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

/** The operation as text for support: readable parts first, log ids last. */
export function detailsOf(operation: Operation, subject: string | null): string {
  const { lastError } = operation;
  const labels = words.details;
  const lines = [
    `${labels.change}: ${operationMessages.names[operation.name]}`,
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

/** Refusals of an acceptance whose message is more specific than 'Failed to accept package'. */
const specificCodes: ReadonlySet<string> = new Set([
  'already_assigned',
  'profile_incomplete',
  'too_many_carried',
]);

export function refusalOf({ name, lastError }: Operation): string {
  const { message = '', code = '' } = lastError ?? {};
  if (name === 'acceptPackage' && specificCodes.has(code)) return message;
  const { failures, updateFailed } = operationMessages;
  return (failures[name] ?? updateFailed)(message);
}
