/** The tables of a backup in restore order, derived from the schema. */
import { is, type SQL, sql } from 'drizzle-orm';
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core';
import * as account from '#server/database/account-schema.ts';
import * as money from '#server/database/money-schema.ts';
import * as payout from '#server/database/payout-schema.ts';
import * as push from '#server/database/push-schema.ts';
import * as recipient from '#server/database/recipient-schema.ts';
import * as schema from '#server/database/schema.ts';

export interface BackupTable {
  name: string;
  columns: string[];
  /** Set once all rows exist. */
  selfReferences: string[];
  primaryKey: string[];
  identities: string[];
}

/** Columns as SQL, separated by commas. */
export const names = (columns: readonly string[]): SQL =>
  sql.join(
    columns.map((column) => sql.identifier(column)),
    sql`, `,
  );

/**
 * Counters, short-lived queues, and positions, which must be forgotten. Of mails and their links, so
 * that a restored server neither sends one again nor accepts a link that was used since.
 */
const leftOut: readonly PgTable[] = [
  schema.rateLimits,
  account.mails,
  account.accountTokens,
  account.sandboxMails,
  push.notificationQueue,
  recipient.positions,
];

/** Transaction ids mean nothing in another database. */
const isTransactionNumber = (type: string) => type === 'xid8';

function describe(table: PgTable): BackupTable & { after: string[] } {
  const { name, columns, foreignKeys, primaryKeys } = getTableConfig(table);
  const references = foreignKeys.map((key) => key.reference());
  const target = (reference: (typeof references)[number]) =>
    getTableConfig(reference.foreignTable).name;
  const composite = primaryKeys.flatMap((key) => key.columns.map((column) => column.name));
  return {
    name,
    columns: columns
      .filter((column) => !isTransactionNumber(column.getSQLType()))
      .map((column) => column.name),
    selfReferences: references
      .filter((reference) => target(reference) === name)
      .flatMap((reference) => reference.columns.map((column) => column.name)),
    primaryKey: [
      ...columns.filter((column) => column.primary).map(({ name: own }) => own),
      ...composite,
    ],
    identities: columns.filter((column) => column.generatedIdentity).map(({ name: own }) => own),
    after: references.map(target).filter((other) => other !== name),
  };
}

/** Every table after those it references. */
export function backupTables(): BackupTable[] {
  const all = { ...schema, ...account, ...money, ...payout, ...push, ...recipient };
  const waiting = Object.values<unknown>(all)
    .filter((one): one is PgTable => is(one, PgTable))
    .filter((table) => !leftOut.includes(table))
    .map(describe);
  const ordered: ReturnType<typeof describe>[] = [];
  while (waiting.length > 0) {
    const next = waiting.findIndex(({ after }) =>
      after.every((name) => ordered.some((table) => table.name === name)),
    );
    if (next < 0) throw new Error('The tables reference each other in a cycle.');
    ordered.push(...waiting.splice(next, 1));
  }
  return ordered;
}
