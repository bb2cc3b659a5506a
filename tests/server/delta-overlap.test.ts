/** Late commits are not skipped: overlapping transactions on a database with connections. */
import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { headers } from '#contract/headers.ts';
import type { WirePackage } from '#contract/package.ts';
import { testDatabase } from './databases.ts';
import { createdPackage, fileStage, type Person } from './stage.ts';

const stage = fileStage();

async function pull(who: Person, since: string) {
  const path = `/api/packages?since=${encodeURIComponent(since)}`;
  const answer = await stage().send<WirePackage[]>(who, 'GET', path);
  expect(answer.status, answer.text).toBe(200);
  return {
    ids: answer.body.map(({ _id }) => _id),
    cursor: String(answer.headers[headers.syncCursor]),
  };
}

describe.runIf(testDatabase === 'postgres')('overlapping transactions', () => {
  it('a transaction that began first and commits last comes with the next pull', async () => {
    const sender = await stage().person('Customer');
    const slow = await createdPackage(stage(), sender);
    const quick = await createdPackage(stage(), sender);
    const begin = await pull(sender, '');

    let commit = () => {};
    const mayCommit = new Promise<void>((resolve) => {
      commit = resolve;
    });
    let wrote = () => {};
    const hasWritten = new Promise<void>((resolve) => {
      wrote = resolve;
    });
    const first = stage().database.db.transaction(async (tx) => {
      await tx.execute(sql`update packages set notes = 'late' where id = ${slow._id}`);
      wrote();
      await mayCommit;
    });
    await hasWritten;
    const body = { notes: 'early' };
    await stage().send(sender, 'PATCH', `/api/packages/${quick._id}`, { body });

    const between = await pull(sender, begin.cursor);
    expect(between.ids).toEqual([quick._id]);
    // While it is open nothing is sent twice.
    const idle = await pull(sender, between.cursor);
    expect(idle.ids).toEqual([]);
    commit();
    await first;
    const late = await pull(sender, idle.cursor);
    expect(late.ids).toEqual([slow._id]);
    expect((await pull(sender, late.cursor)).ids).toEqual([]);
  });
});
