import { sql } from 'drizzle-orm';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createQueueReader, mostCounted } from '#server/modules/metrics/queues.ts';
import { fileStage } from './stage.ts';

const stage = fileStage();

/** An observer, and how often it has queried the database. */
function looking() {
  const { db } = stage().database;
  const asked = vi.spyOn(db._.session, 'prepareQuery');
  return { look: createQueueReader(db, stage().now), asked };
}

afterEach(() => vi.restoreAllMocks());

describe('observing the queues', () => {
  it('shares one query among concurrent readers and queries again for later ones', async () => {
    const { look, asked } = looking();
    const answers = await Promise.all([look(), look(), look()]);
    expect(asked).toHaveBeenCalledTimes(1);
    expect(answers).toEqual(answers.map(() => expect.objectContaining({ topUpsInReview: 0 })));
    await look();
    expect(asked).toHaveBeenCalledTimes(2);
  });

  it('queries again after a failure', async () => {
    const { look, asked } = looking();
    asked.mockImplementationOnce(() => {
      throw new Error('away');
    });
    expect(await look()).toBe(null);
    expect(await look()).toMatchObject({ topUpsInReview: 0 });
  });

  it('counts up to its limit only', async () => {
    const { db } = stage().database;
    const sender = await stage().person('Customer');
    await db.execute(sql`insert into top_ups
        (reference, user_id, provider, requested_kobo, status, created_at)
      select 'reference-' || n, ${sender.id}, 'sandbox', 100, 'review', now()
        from generate_series(1, ${mostCounted + 5}::int) as n`);
    expect(await looking().look()).toMatchObject({ topUpsInReview: mostCounted });
    expect(mostCounted).toBe(10_000);
  });
});
