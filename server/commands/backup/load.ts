import { sql } from 'drizzle-orm';
import * as v from 'valibot';
import { StartupError } from '#server/config/startup-error.ts';
import { type Database, selectScalar } from '#server/database/database.ts';
import { isInvalidRow } from '#server/database/database-failure.ts';
import { batchSchema, endSchema } from './format.ts';
import { type BackupTable, backupTables, names } from './tables.ts';

const spoilt = () =>
  new StartupError('The backup is damaged or incomplete. Use another one; nothing was restored.');

function parseLine<S extends v.GenericSchema>(schema: S, line: string): v.InferOutput<S> | null {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), line);
  return parsed.success ? parsed.output : null;
}

/** Columns missing from the backup get their default, as in the migration that added them. */
async function insertRows(tx: Database, table: BackupTable, rows: object[]): Promise<void> {
  const given = new Set(rows.flatMap((row) => Object.keys(row)));
  const known = table.columns
    .filter((column) => given.has(column))
    .filter((column) => !table.selfReferences.includes(column));
  await tx.execute(sql`
    insert into ${sql.identifier(table.name)} (${names(known)}) overriding system value
    select ${names(known)} from jsonb_populate_recordset(
      null::${sql.identifier(table.name)}, ${JSON.stringify(rows)}::jsonb)`);
}

/** Children may precede parents in the file: self-references are set once all rows exist. */
async function connectRows(tx: Database, table: BackupTable, rows: object[]): Promise<void> {
  const own = sql.identifier(table.name);
  const set = table.selfReferences.map(
    (column) => sql`${sql.identifier(column)} = saved.${sql.identifier(column)}`,
  );
  const isSame = table.primaryKey.map(
    (column) => sql`${own}.${sql.identifier(column)} = saved.${sql.identifier(column)}`,
  );
  await tx.execute(sql`
    update ${own} set ${sql.join(set, sql`, `)}
    from jsonb_populate_recordset(null::${own}, ${JSON.stringify(rows)}::jsonb) as saved
    where ${sql.join(isSame, sql` and `)}`);
}

async function moveSequences(tx: Database, table: BackupTable): Promise<void> {
  for (const column of table.identities) {
    await tx.execute(sql`
      select setval(pg_get_serial_sequence(${table.name}, ${column}), max(${sql.identifier(column)}))
      from ${sql.identifier(table.name)} having max(${sql.identifier(column)}) is not null`);
  }
}

/** The triggers ran when the rows were first written; their effects are in the backup. */
async function setTriggers(tx: Database, tables: BackupTable[], state: 'enable' | 'disable') {
  for (const table of tables) {
    await tx.execute(sql`alter table ${sql.identifier(table.name)} ${sql.raw(state)} trigger user`);
  }
}

async function loadAll(
  tx: Database,
  lines: AsyncIterable<string>,
): Promise<Record<string, number>> {
  const tables = backupTables();
  await setTriggers(tx, tables, 'disable');
  // Opening this database generated secrets; the backup brings its own.
  await tx.execute(sql`delete from server_settings`);
  const counts = Object.fromEntries(tables.map(({ name }) => [name, 0]));
  const unconnected: [BackupTable, object[]][] = [];
  let isWhole = false;
  for await (const line of lines) {
    if (isWhole) throw spoilt();
    const end = parseLine(endSchema, line);
    if (end) {
      isWhole = end.rows === Object.values(counts).reduce((sum, count) => sum + count, 0);
      if (!isWhole) throw spoilt();
      continue;
    }
    const batch = parseLine(batchSchema, line);
    const table = batch && tables.find(({ name }) => name === batch.table);
    if (!batch || !table) throw spoilt();
    await insertRows(tx, table, batch.rows);
    if (table.selfReferences.length > 0) unconnected.push([table, batch.rows]);
    counts[table.name] = (counts[table.name] ?? 0) + batch.rows.length;
  }
  if (!isWhole) throw spoilt();
  for (const [table, rows] of unconnected) await connectRows(tx, table, rows);
  for (const table of tables) await moveSequences(tx, table);
  await setTriggers(tx, tables, 'enable');
  return counts;
}

/**
 * Inserts a backup's lines (after the header) into an empty, migrated database, in transaction
 * `tx`. Throws StartupError for an incomplete backup.
 */
export async function load(
  tx: Database,
  lines: AsyncIterable<string>,
): Promise<Record<string, number>> {
  try {
    return await loadAll(tx, lines);
  } catch (error) {
    throw isInvalidRow(error) ? spoilt() : error;
  }
}

/** Has this database no users yet? */
export async function isEmpty(db: Database): Promise<boolean> {
  return !(await selectScalar(db, sql<boolean>`exists (select 1 from users)`));
}
