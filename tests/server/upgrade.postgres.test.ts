/** A new version migrates the tables, of whatever is in them, while other readers continue. */
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import { expect, it } from 'vitest';
import { readPhone } from '#contract/phone.ts';
import { openPostgres } from '#server/database/postgres.ts';
import { makeDatabase } from './databases.ts';
import { migrateTo0004 } from './old-migrations.ts';

it('a migration blocked by a backup delays nobody and completes once the backup ends', async () => {
  const { url, drop } = await makeDatabase('empty');
  const clientOf = async (timeoutMs: number) => {
    const client = new pg.Client({ connectionString: url, statement_timeout: timeoutMs });
    await client.connect();
    return client;
  };
  const [holder, caller] = [await clientOf(0), await clientOf(10_000)];
  await migrateTo0004((config) => migrate(drizzle({ client: holder }), config));
  await holder.query('begin');
  await holder.query('select count(*) from push_subscriptions');
  const opening = openPostgres(url);
  const isWaiting = `select 1 from pg_locks where relation = 'push_subscriptions'::regclass and not granted`;
  while ((await caller.query(isWaiting)).rowCount === 0);
  // Queued behind the migration: proceeds when that one gives up, long before its own ten seconds.
  const { rows } = await caller.query('select count(*)::int as there from push_subscriptions');
  expect(rows).toEqual([{ there: 0 }]);
  await holder.query('commit');
  const database = await opening;
  expect((await caller.query('select failures from push_subscriptions')).rowCount).toBe(0);
  await database.close();
  await Promise.all([holder.end(), caller.end()]);
  await drop();
});

it('phone numbers of before are stored as E.164, but for what is none', async () => {
  const { url, drop } = await makeDatabase('empty');
  const old = new pg.Client({ connectionString: url });
  await old.connect();
  await migrateTo0004((config) => migrate(drizzle({ client: old }), config));
  const numbers = [
    ...['0803 123 4567', '(0803) 123-4567', '803.123.4567', '2348031234567', '+234 803 123 4567'],
    ...['+234 (0) 803 123 4567', '00234 803 123 4567', '0201 270 1234', '+227 90 12 34 56'],
    ...['+44 (0)20 7946 0958', '0044 20 7946 0958', '0803 123 456', '112', '+234 803', '123456'],
  ];
  await old.query(
    `insert into users (id, email, password_hash, roles, phone_number, created_at, updated_at)
      select gen_random_uuid(), number || '@kaya.test', '', '{Customer}', number, now(), now()
      from unnest($1::text[]) as number`,
    [numbers],
  );
  const database = await openPostgres(url);
  const { rows } = await old.query('select email, phone_number from users');
  const stored = new Map(rows.map((row) => [row.email, row.phone_number]));
  for (const number of numbers) {
    expect(stored.get(`${number}@kaya.test`), number).toBe(readPhone(number) ?? number);
  }
  await database.close();
  await old.end();
  await drop();
});
