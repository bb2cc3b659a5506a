/**
 * Migrations and columns. Drizzle runs a migration only if its timestamp is later than that of the
 * last one applied.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { PGlite } from '@electric-sql/pglite';
import { getTableColumns, getTableName, is, sql } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import { drizzle } from 'drizzle-orm/pglite';
import { migrate } from 'drizzle-orm/pglite/migrator';
import { expect, test } from 'vitest';
import { packageSchema } from '#contract/package.ts';
import { isCode } from '#domain/codes.ts';
import { packageToWire } from '#domain/package.ts';
import * as moneySchema from '#server/database/money-schema.ts';
import { openPglite, pgliteParsers } from '#server/database/pglite.ts';
import type { RawRow } from '#server/database/prepared-query.ts';
import * as pushSchema from '#server/database/push-schema.ts';
import * as recipientSchema from '#server/database/recipient-schema.ts';
import * as schema from '#server/database/schema.ts';
import { packagesWhere, readPackage } from '#server/modules/packages/found-package.ts';
import { openTestDatabase } from './databases.ts';
import { migrateTo0004 } from './old-migrations.ts';

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
  ...moneySchema,
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

test('a package of before has the default of each field that came later', async () => {
  const client = await PGlite.create({ parsers: pgliteParsers });
  await migrateTo0004((config) => migrate(drizzle({ client }), config));
  await client.exec(`with sender as (
      insert into users (id, email, password_hash, roles, created_at, updated_at)
      values (gen_random_uuid(), 'amina@kaya.test', '', '{Customer}', now(), now()) returning id)
    insert into packages (id, sender_id, recipient_name, recipient_phone, description, pickup_address,
      delivery_address, pickup_date, price_kobo, payment_method, created_at, updated_at)
    select gen_random_uuid(), id, 'Musa', '08057654321', 'Cloth', 'Here', 'There', now(), 1000, 'cash',
      now(), now() from sender`);
  const kept = 'select version, created_at, updated_at from packages';
  const { rows: before } = await client.query(kept);
  const { db, close } = await openPglite(client);
  // Nothing happened to it: its phones are not told that it changed.
  expect(await db.execute(kept)).toMatchObject({ rows: before });
  const { rows } = (await db.execute(packagesWhere(undefined))) as { rows: RawRow[] };
  const [found] = rows.map(readPackage);
  if (!found) throw new Error('The package is gone.');
  const wire = packageToWire(found.pkg);
  const defaults = Object.entries(packageSchema.entries).flatMap(([name, schema]) =>
    'default' in schema && schema.default !== undefined ? [[name, schema.default]] : [],
  );
  expect(defaults.length).toBeGreaterThan(5);
  // Every package has a code for its return, and an open one a link for its recipient.
  expect(wire).toMatchObject({
    ...Object.fromEntries(defaults),
    returnCode: expect.stringMatching(/^\d{6}$/),
    trackingPath: expect.stringMatching(/^\/t\/[\w-]{22}$/),
  });
  expect(isCode(wire.returnCode ?? '')).toBe(true);
  await close();
});
