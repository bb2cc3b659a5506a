/** A transaction that was undone so that another could go on is run again, from its beginning. */
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

/** As the database itself would say it. */
const fail = (tx: Database, state: string) =>
  tx.execute(sql.raw(`do $$ begin raise exception 'no' using errcode = '${state}'; end $$`));

describe(`on ${testDatabase}`, () => {
  it.each([
    '40P01',
    '40001',
  ])('of four failures with %s nothing is left, and the fifth run counts', async (state) => {
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

  it('is given up after five runs, with what the last one said', async () => {
    let runs = 0;
    const failure = await inTransaction(database.db, async (tx) => {
      runs += 1;
      await fail(tx, '40P01');
    }).catch((error) => error);
    expect([runs, failure.cause.code]).toEqual([5, '40P01']);
  });

  it('that failed for anything else is not run again', async () => {
    let runs = 0;
    const failure = await inTransaction(database.db, async (tx) => {
      runs += 1;
      await fail(tx, '22012');
    }).catch((error) => error);
    expect([runs, failure.cause.code]).toEqual([1, '22012']);
  });
});
