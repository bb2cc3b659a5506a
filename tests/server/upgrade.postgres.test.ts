/** A new version migrates the tables, of whatever is in them, while other readers continue. */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import { expect, it } from 'vitest';
import { packageSchema } from '#contract/package.ts';
import { readPhone } from '#contract/phone.ts';
import { isCode } from '#domain/codes.ts';
import { packageToWire } from '#domain/package.ts';
import { openPostgres } from '#server/database/postgres.ts';
import type { RawRow } from '#server/database/prepared-query.ts';
import { packagesWhere, readPackage } from '#server/modules/packages/found-package.ts';
import { makeDatabase } from './databases.ts';

const ours = 'server/migrations';

/** The tables of the version before 0005_push_failures. */
async function migrateTo0004(client: pg.Client): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'kaya-migrations-'));
  await cp(ours, folder, { recursive: true });
  const journal = path.join(folder, 'meta/_journal.json');
  const { entries, ...rest } = JSON.parse(await readFile(journal, 'utf8'));
  await writeFile(journal, JSON.stringify({ ...rest, entries: entries.slice(0, 5) }));
  await migrate(drizzle({ client }), { migrationsFolder: folder });
  await rm(folder, { recursive: true });
}

it('a migration blocked by a backup delays nobody and completes once the backup ends', async () => {
  const { url, drop } = await makeDatabase('empty');
  const clientOf = async (timeoutMs: number) => {
    const client = new pg.Client({ connectionString: url, statement_timeout: timeoutMs });
    await client.connect();
    return client;
  };
  const [holder, caller] = [await clientOf(0), await clientOf(10_000)];
  await migrateTo0004(holder);
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
  await migrateTo0004(old);
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

it('a package of before has the default of each field that came later', async () => {
  const { url, drop } = await makeDatabase('empty');
  const old = new pg.Client({ connectionString: url });
  await old.connect();
  await migrateTo0004(old);
  await old.query(`with sender as (
      insert into users (id, email, password_hash, roles, created_at, updated_at)
      values (gen_random_uuid(), 'amina@kaya.test', '', '{Customer}', now(), now()) returning id)
    insert into packages (id, sender_id, recipient_name, recipient_phone, description, pickup_address,
      delivery_address, pickup_date, price_kobo, payment_method, created_at, updated_at)
    select gen_random_uuid(), id, 'Musa', '08057654321', 'Cloth', 'Here', 'There', now(), 1000, 'cash',
      now(), now() from sender`);
  const database = await openPostgres(url);
  const { rows } = (await database.db.execute(packagesWhere(undefined))) as { rows: RawRow[] };
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
  await database.close();
  await old.end();
  await drop();
});
