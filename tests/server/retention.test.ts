import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { headers } from '#contract/headers.ts';
import { idempotencyKeys, rateLimits, refreshTokens, sessions } from '#server/database/schema.ts';
import { barrier } from './barrier.ts';
import { tidy } from './package-calls.ts';
import { fileStage, type Person, packageBody } from './stage.ts';

const stage = fileStage();
const longMs = 200 * 24 * 3_600_000;
/** Signed in, called with a key, counted against a limit. */
async function trace(): Promise<Person> {
  const person = await stage().person('Customer');
  const keyed = { body: packageBody(), headers: { [headers.idempotencyKey]: randomUUID() } };
  expect((await stage().send(person, 'POST', '/api/packages', keyed)).status).toBe(201);
  const endsAt = new Date(stage().now().getTime() + 60_000);
  await stage().db.insert(rateLimits).values({ key: person.id, count: 1, endsAt });
  return person;
}

/** Row counts: sessions, their tokens, keys, limits. */
async function tracesOf({ id }: Person): Promise<number[]> {
  const { db } = stage().database;
  const own = db.select({ id: sessions.id }).from(sessions).where(eq(sessions.userId, id));
  return Promise.all([
    db.$count(sessions, eq(sessions.userId, id)),
    db.$count(refreshTokens, sql`${refreshTokens.sessionId} in ${own}`),
    db.$count(idempotencyKeys, eq(idempotencyKeys.userId, id)),
    db.$count(rateLimits, eq(rateLimits.key, id)),
  ]);
}

describe('sessions, tokens, keys and limits', () => {
  it('are deleted when expired, not before', async () => {
    const early = await trace();
    stage().pass(longMs);
    const late = await trace();
    const before = await tracesOf(late);
    expect(Math.min(...before)).toBeGreaterThan(0);
    expect(await tidy(stage())).toEqual([]);
    expect(await tracesOf(early)).toEqual([0, 0, 0, 0]);
    expect(await tracesOf(late)).toEqual(before);
  });

  it('are deleted completely by a server stopping at the same time', async () => {
    const early = await trace();
    stage().pass(longMs);
    const [locked, over] = [barrier(), barrier()];
    const holder = stage().db.transaction(async (tx) => {
      await tx.execute(sql`lock table refresh_tokens in access exclusive mode`);
      locked.open();
      await over.passed;
    });
    await locked.passed;
    const stopped = tidy(stage());
    over.open();
    const [, complaints] = await Promise.all([holder, stopped]);
    expect(await tracesOf(early)).toEqual([0, 0, 0, 0]);
    expect(complaints).toEqual([]);
  });
});
