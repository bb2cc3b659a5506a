/**
 * Migrations and columns. Drizzle runs a migration only if its timestamp is later than that of the
 * last one applied.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { getTableColumns, is } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import { expect, test } from 'vitest';
import * as moneySchema from '#server/database/money-schema.ts';
import * as pushSchema from '#server/database/push-schema.ts';
import * as schema from '#server/database/schema.ts';

const folder = 'server/migrations';
const { entries }: { entries: { tag: string; when: number }[] } = JSON.parse(
  readFileSync(`${folder}/meta/_journal.json`, 'utf8'),
);

test('migrations have increasing timestamps, none in the future', () => {
  const moments = [...entries.map(({ when }) => when), Date.now()];
  expect(moments).toEqual([...new Set(moments)].sort((a, b) => a - b));
});

test('every SQL file is in the journal, in order', () => {
  const files = readdirSync(folder).filter((name) => name.endsWith('.sql'));
  expect(entries.map(({ tag }) => `${tag}.sql`)).toEqual(files.sort());
});

test('columns of times are timestamptz', () => {
  const tables = Object.values({ ...schema, ...moneySchema, ...pushSchema });
  const columns = tables.flatMap((table) =>
    is(table, PgTable) ? Object.values(getTableColumns(table)) : [],
  );
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
