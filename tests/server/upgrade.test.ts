/** A new version brings the tables up to date while the old one, and whoever reads, goes on. */
import pg from 'pg';
import { expect, it } from 'vitest';
import { openPostgres } from '#server/database/external.ts';
import { makeDatabase } from './databases.ts';

/** As the version before 0005_push_failures left it. */
const backTo0004 = `
  alter table push_subscriptions drop column failures, drop column failing_since, drop column vapid_key;
  delete from drizzle.__drizzle_migrations
    where created_at = (select max(created_at) from drizzle.__drizzle_migrations)`;

it('keeps nobody waiting for a table that a backup holds, and is done once that lets go', async () => {
  const { url, drop } = await makeDatabase('migrated');
  const clientOf = async (timeoutMs: number) => {
    const client = new pg.Client({ connectionString: url, statement_timeout: timeoutMs });
    await client.connect();
    return client;
  };
  const [holder, caller] = [await clientOf(0), await clientOf(10_000)];
  await holder.query(backTo0004);
  await holder.query('begin');
  await holder.query('select count(*) from push_subscriptions');
  const opening = openPostgres(url);
  const isWaiting = `select 1 from pg_locks where relation = 'push_subscriptions'::regclass and not granted`;
  while ((await caller.query(isWaiting)).rowCount === 0);
  // Behind the one that waits: it is let through when that gives up, long before its own ten seconds.
  const { rows } = await caller.query('select count(*)::int as there from push_subscriptions');
  expect(rows).toEqual([{ there: 0 }]);
  await holder.query('commit');
  const database = await opening;
  expect((await caller.query('select failures from push_subscriptions')).rowCount).toBe(0);
  await database.close();
  await Promise.all([holder.end(), caller.end()]);
  await drop();
});
