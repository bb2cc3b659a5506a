/** A transaction aborted in favour of another runs again from its start. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database, OpenDatabase } from '#server/database/database.ts';
import { serverSettings } from '#server/database/schema.ts';
import { inTransaction } from '#server/database/transaction.ts';
import { openTestDatabase, testDatabase } from './databases.ts';

let database: OpenDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

/** The database's own error. */
const fail = (tx: Database, state: string) =>
  tx.execute(sql.raw(`do $$ begin raise exception 'no' using errcode = '${state}'; end $$`));

describe(`on ${testDatabase}`, () => {
  it.each([
    '40P01',
    '40001',
  ])('four failures with %s leave no trace, and the fifth run commits', async (state) => {
    let runs = 0;
    const given = await inTransaction(database.db, async (tx) => {
      runs += 1;
      await tx.insert(serverSettings).values({ name: `run ${state}`, value: String(runs) });
      if (runs < 5) await fail(tx, state);
      return runs;
    });
    expect([given, runs]).toEqual([5, 5]);
    const rows = await database.db.select().from(serverSettings);
    const left = rows.filter(({ name }) => name === `run ${state}`).map(({ value }) => value);
    expect(left).toEqual(['5']);
  });

  it.each([
    ['gives up after five runs with the last error', '40P01', 5],
    ['does not retry other errors', '22012', 1],
  ])('%s', async (_, state, expected) => {
    let runs = 0;
    const failure = await inTransaction(database.db, async (tx) => {
      runs += 1;
      await fail(tx, state);
    }).catch((error) => error);
    expect([runs, failure.cause.code]).toEqual([expected, state]);
  });
});
