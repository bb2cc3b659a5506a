/** What waits in the database, for whichever process takes it. */
import { sql } from 'drizzle-orm';
import type { Database } from '#server/database/database.ts';
import { topUps } from '#server/database/money-schema.ts';
import { patiently } from '#server/database/patience.ts';
import { pushNews } from '#server/database/push-schema.ts';
import { packages } from '#server/database/schema.ts';
import { writtenOnce } from '#server/database/written.ts';

/** Counted no further: a look at the queues must not become dear when they are long. */
export const mostCounted = 10_000;
/** A scrape is given up after ten seconds, and says of a database that is away that it is. */
const patienceMs = 2_000;

export interface Queues {
  /** News of packages that no process has taken yet. */
  pushNews: number;
  /** How old the oldest of it is; 0 where there is none. */
  pushNewsAgeSeconds: number;
  /** Top-ups whose outcome is not known. */
  topUpsOpen: number;
  /** Top-ups that a dispatcher has to look at. */
  topUpsInReview: number;
  /** Packages that no courier has accepted. */
  packagesOnOffer: number;
}

const atMost = (from: ReturnType<typeof sql>) =>
  sql`(select count(*)::int from (select 1 from ${from} limit ${sql.raw(String(mostCounted))}) as counted)`;

// Each goes by an index of just these rows (money-schema, schema); news is deleted as it is taken.
const look = writtenOnce(
  () => sql`select
    ${atMost(sql`${pushNews}`)} as news,
    (select extract(epoch from ${pushNews.createdAt})::float8 from ${pushNews}
      order by ${pushNews.id} limit 1) as oldest,
    ${atMost(sql`${topUps} where status in ('pending', 'failed')`)} as open,
    ${atMost(sql`${topUps} where status = 'review'`)} as review,
    ${atMost(sql`${packages} where status = 'pending' and courier_id is null and deleted_at is null`)} as offers`,
);

async function ask(db: Database, now: () => Date): Promise<Queues> {
  const [row] = await look(db);
  const oldest = row?.oldest;
  const age = typeof oldest === 'number' ? Math.max(0, now().getTime() / 1000 - oldest) : 0;
  return {
    pushNews: Number(row?.news),
    pushNewsAgeSeconds: age,
    topUpsOpen: Number(row?.open),
    topUpsInReview: Number(row?.review),
    packagesOnOffer: Number(row?.offers),
  };
}

/** Answers what waits, or null where the database does not say. Asked once at a time. */
export function createLookAtQueues(db: Database, now: () => Date): () => Promise<Queues | null> {
  let asking: Promise<Queues> | undefined;
  return async () => {
    asking ??= ask(db, now).finally(() => {
      asking = undefined;
    });
    const answer = asking;
    try {
      return await patiently(
        patienceMs,
        () => answer,
        () => new Error('the database gave no answer in time'),
      );
    } catch {
      return null;
    }
  };
}
