/** The migration of a new version beside others who use the database. */
import pg from 'pg';
import { expect, it } from 'vitest';
import { openPostgres } from '#server/database/postgres.ts';
import { makeDatabase } from './databases.ts';
import { nextMigrations } from './next-migration.ts';

it('a migration blocked by a backup delays nobody and completes once the backup ends', async () => {
  const { url, drop } = await makeDatabase('migrated');
  const clientOf = async (timeoutMs: number) => {
    const client = new pg.Client({ connectionString: url, statement_timeout: timeoutMs });
    await client.connect();
    return client;
  };
  const [holder, caller] = [await clientOf(0), await clientOf(10_000)];
  await holder.query('begin');
  await holder.query('select count(*) from push_subscriptions');
  const migrations = await nextMigrations('alter table push_subscriptions add column sound text');
  const opening = openPostgres(url, undefined, migrations);
  const isWaiting = `select 1 from pg_locks where relation = 'push_subscriptions'::regclass and not granted`;
  while ((await caller.query(isWaiting)).rowCount === 0);
  // Queued behind the migration: proceeds when that one gives up, long before its own ten seconds.
  const { rows } = await caller.query('select count(*)::int as there from push_subscriptions');
  expect(rows).toEqual([{ there: 0 }]);
  await holder.query('commit');
  const database = await opening;
  expect((await caller.query('select sound from push_subscriptions')).rowCount).toBe(0);
  await database.close();
  await Promise.all([holder.end(), caller.end()]);
  await drop();
});
