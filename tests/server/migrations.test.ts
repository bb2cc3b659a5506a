/**
 * Migrations and columns. Drizzle runs a migration only if its timestamp is later than that of the
 * last one applied.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { getTableColumns, getTableName, is, sql } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import { describe, expect, test } from 'vitest';
import { packageSchema } from '#contract/package.ts';
import { packageToWire } from '#domain/package.ts';
import * as accountSchema from '#server/database/account-schema.ts';
import type { Database } from '#server/database/database.ts';
import * as moneySchema from '#server/database/money-schema.ts';
import * as payoutSchema from '#server/database/payout-schema.ts';
import type { RawRow } from '#server/database/prepared-query.ts';
import * as pushSchema from '#server/database/push-schema.ts';
import * as recipientSchema from '#server/database/recipient-schema.ts';
import * as schema from '#server/database/schema.ts';
import { packagesWhere, readPackage } from '#server/modules/packages/found-package.ts';
import { openTestDatabase } from './databases.ts';
import { nextMigrations } from './next-migration.ts';

const folder = 'server/migrations';
const { entries }: { entries: { tag: string; when: number }[] } = JSON.parse(
  readFileSync(`${folder}/meta/_journal.json`, 'utf8'),
);

test('migrations have increasing timestamps, none in the future', () => {
  const moments = [...entries.map(({ when }) => when), Date.now()];
  expect(moments).toEqual([...new Set(moments)].sort((a, b) => a - b));
});

test('every SQL file is in the journal, in order, each with its snapshot', () => {
  const files = readdirSync(folder).filter((name) => name.endsWith('.sql'));
  expect(entries.map(({ tag }) => `${tag}.sql`)).toEqual(files.sort());
  const snapshots = readdirSync(`${folder}/meta`).filter((name) => !name.startsWith('_'));
  expect(entries.map(({ tag }) => `${tag.slice(0, 4)}_snapshot.json`)).toEqual(snapshots.sort());
});

const tables = Object.values({
  ...schema,
  ...accountSchema,
  ...moneySchema,
  ...payoutSchema,
  ...pushSchema,
  ...recipientSchema,
}).filter((table) => is(table, PgTable));

test('a migrated database has the columns of the tables: type, whether null, whether a default', async () => {
  const { db, close } = await openTestDatabase();
  const found = await db.execute(sql`
    select attrelid::regclass::text || '.' || attname as name,
      format_type(atttypid, atttypmod) as type, attnotnull as "notNull",
      atthasdef or attidentity <> '' as "hasDefault"
    from pg_attribute join pg_class on pg_class.oid = attrelid
    where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped`);
  await close();
  const named = (a: { name: unknown }, b: { name: unknown }) =>
    String(a.name) < String(b.name) ? -1 : 1;
  const wanted = tables.flatMap((table) =>
    Object.values(getTableColumns(table)).map((column) => ({
      name: `${getTableName(table)}.${column.name}`,
      type: column.getSQLType().replace(' (', '('),
      notNull: column.notNull,
      hasDefault: column.hasDefault,
    })),
  );
  const { rows } = found as unknown as { rows: { name: string }[] };
  expect(rows.sort(named)).toEqual(wanted.sort(named));
});

test('columns of times are timestamptz', () => {
  const columns = tables.flatMap((table) => Object.values(getTableColumns(table)));
  // A list of times is JSON.
  const times = columns.filter(
    ({ name, dataType }) => /_(at|date)$/.test(name) && dataType !== 'json',
  );
  expect(times.length).toBeGreaterThan(15);
  const others = times.filter(
    (column) => !/^timestamp.* with time zone$/.test(column.getSQLType()),
  );
  expect(others.map(({ name }) => name)).toEqual([]);
});

const aPackage = sql`
  with sender as (
    insert into users (id, email, password_hash, roles, created_at, updated_at)
    values (gen_random_uuid(), gen_random_uuid() || '@kaya.test', '', '{Customer}', now(), now())
    returning id)
  insert into packages (id, sender_id, recipient_name, recipient_phone, description, pickup_address,
    delivery_address, pickup_date, price_kobo, payment_method, created_at, updated_at)
  select gen_random_uuid(), id, 'Musa', '+2348057654321', 'Cloth', 'Here', 'There', now(), 1000, 'cash',
    now(), now() from sender`;

async function packagesIn(db: Database): Promise<RawRow[]> {
  const found = (await db.execute(sql`select * from packages order by number`)) as unknown;
  return (found as { rows: RawRow[] }).rows;
}

test('what a row leaves out has the default of the contract', async () => {
  const { db, close } = await openTestDatabase();
  await db.execute(aPackage);
  const { rows } = (await db.execute(packagesWhere(undefined))) as unknown as { rows: RawRow[] };
  await close();
  const [found] = rows.map(readPackage);
  if (!found) throw new Error('The package is gone.');
  const defaults = Object.entries(packageSchema.entries).flatMap(([name, schema]) =>
    'default' in schema && schema.default !== undefined ? [[name, schema.default]] : [],
  );
  expect(defaults.length).toBeGreaterThan(5);
  // Each has a link for its recipient.
  expect(packageToWire(found.pkg)).toMatchObject({
    ...Object.fromEntries(defaults),
    trackingPath: expect.stringMatching(/^\/t\/[\w-]{22}$/),
  });
});

describe('the next version', () => {
  const invented = 'alter table packages add column invented boolean default false not null';

  test('adds a column: the rows are as they were, and this version still reads and writes them', async () => {
    const { db, again, close } = await openTestDatabase();
    await db.execute(aPackage);
    const before = await packagesIn(db);
    const next = await again({ migrations: await nextMigrations(invented) });
    const after = await packagesIn(next.db);
    expect(before).toHaveLength(1);
    // Devices are told nothing: it has not changed for them.
    expect(after).toEqual(before.map((row) => ({ ...row, invented: false })));
    await next.close();
    // After a rollback, or beside it in a rolling upgrade.
    const ours = await again();
    await ours.db.execute(aPackage);
    expect(await packagesIn(ours.db)).toMatchObject([{ invented: false }, { invented: false }]);
    await ours.close();
    await close();
  });

  test('changes rows: devices get them, and the ledger stays closed', async () => {
    const { db, again, close } = await openTestDatabase();
    await db.execute(aPackage);
    const [before] = await packagesIn(db);
    const next = await again({
      migrations: await nextMigrations(invented, `update packages set invented = true`),
    });
    const [after] = await packagesIn(next.db);
    expect(after).toMatchObject({ invented: true });
    expect(Number(after?.changed_xid)).toBeGreaterThan(Number(before?.changed_xid));
    await expect(next.db.execute(sql`truncate entries`)).rejects.toMatchObject({
      cause: { message: expect.stringMatching(/append-only/) },
    });
    await next.close();
    await close();
  });

  test('fails halfway: the database is as it was, and the mended one applies', async () => {
    const { db, again, close } = await openTestDatabase();
    await db.execute(aPackage);
    const before = await packagesIn(db);
    const broken = await nextMigrations(invented, 'update packages set no_such_column = 1');
    await expect(again({ migrations: broken })).rejects.toThrow();
    expect(await packagesIn(db)).toEqual(before);
    const mended = await again({ migrations: await nextMigrations(invented) });
    expect(await packagesIn(mended.db)).toMatchObject([{ invented: false }]);
    await mended.close();
    await close();
  });
});
