/** A new version migrates the tables while the old one and other readers continue. */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import { expect, it } from 'vitest';
import { openPostgres } from '#server/database/postgres.ts';
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
