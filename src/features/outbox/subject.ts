/** Which package an operation is about, as far as this phone knows. Pure. */
import type { Operation } from '#domain/operation.ts';
import type { Package } from '#domain/package.ts';
import { words } from './words.ts';

/** 'KY-000012 · Two bolts of cloth'. `row` null: the mirror has none. */
export function subjectOf(
  operation: Operation,
  row: Pick<Package, 'packageId' | 'description'> | null,
): string {
  if (row) return [row.packageId, row.description].filter(Boolean).join(' · ');
  if (operation.name === 'createPackage') return operation.args.description;
  return operation.subject ?? words.lostPackage;
}

/** The operation as text to send to somebody who can help. */
export function detailsOf(operation: Operation, subject: string | null): string {
  const { lastError } = operation;
  const lines = [
    words.names[operation.name],
    subject,
    `${words.made}: ${operation.createdAt}`,
    `${words.tries}: ${operation.tries}`,
    lastError && `${words.lastError}: ${lastError.message} (${lastError.status} ${lastError.code})`,
    lastError?.fields && JSON.stringify(lastError.fields),
    JSON.stringify(operation.args),
    operation.targetId,
    operation.id,
  ];
  return lines.filter(Boolean).join('\n');
}
