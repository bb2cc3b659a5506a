import { sql } from 'drizzle-orm';
import { withTimeout } from '#server/config/timeouts.ts';
import { mails } from '#server/database/account-schema.ts';
import type { Database } from '#server/database/database.ts';
import { topUps } from '#server/database/money-schema.ts';
import { payouts } from '#server/database/payout-schema.ts';
import { preparedQuery } from '#server/database/prepared-query.ts';
import { notificationQueue } from '#server/database/push-schema.ts';
import { texts } from '#server/database/recipient-schema.ts';
import { packages } from '#server/database/schema.ts';

/** Counting stops here, so that a scrape stays cheap. */
export const mostCounted = 10_000;
/** A scrape times out after ten seconds, and must report a database that is away. */
const timeoutMs = 2_000;

export interface Queues {
  notificationQueue: number;
  /** Age of the oldest; 0 if there is none. */
  oldestNotificationSeconds: number;
  topUpsOpen: number;
  topUpsInReview: number;
  /** Pending for more than a day. */
  payoutsLate: number;
  payoutsInReview: number;
  /** Held money that is due; more than a minute's is a problem. */
  releasesDue: number;
  /** Text messages that should have been sent; more than a minute's is a problem. */
  textsDue: number;
  /** Mails that should have been sent; more than a minute's is a problem. */
  mailsDue: number;
  packagesOnOffer: number;
}

const atMost = (from: ReturnType<typeof sql>) =>
  sql`(select count(*)::int from (select 1 from ${from} limit ${sql.raw(String(mostCounted))}) as counted)`;

// Each uses a partial index (money-schema, payout-schema, schema); taken notifications are deleted.
const look = preparedQuery(
  () => sql`select
    ${atMost(sql`${notificationQueue}`)} as news,
    (select extract(epoch from ${notificationQueue.createdAt})::float8 from ${notificationQueue}
      order by ${notificationQueue.id} limit 1) as oldest,
    ${atMost(sql`${topUps} where status in ('pending', 'failed')`)} as open,
    ${atMost(sql`${topUps} where status = 'review'`)} as review,
    ${atMost(sql`${payouts} where status = 'pending' and created_at < ${sql.placeholder('now')}::timestamptz - interval '1 day'`)} as late,
    ${atMost(sql`${payouts} where problem is not null`)} as problems,
    ${atMost(sql`${packages} where release_at <= ${sql.placeholder('now')}::timestamptz`)} as due,
    ${atMost(sql`${texts} where status = 'waiting' and due_at <= ${sql.placeholder('now')}::timestamptz`)} as texts,
    ${atMost(sql`${mails} where status = 'waiting' and due_at <= ${sql.placeholder('now')}::timestamptz`)} as mails,
    ${atMost(sql`${packages} where status = 'pending' and courier_id is null and deleted_at is null`)} as offers`,
);

export async function readQueues(db: Database, now: () => Date): Promise<Queues> {
  const [row] = await look(db, { now: now().toISOString() });
  const oldest = row?.oldest;
  const age = typeof oldest === 'number' ? Math.max(0, now().getTime() / 1000 - oldest) : 0;
  return {
    notificationQueue: Number(row?.news),
    oldestNotificationSeconds: age,
    topUpsOpen: Number(row?.open),
    topUpsInReview: Number(row?.review),
    payoutsLate: Number(row?.late),
    payoutsInReview: Number(row?.problems),
    releasesDue: Number(row?.due),
    textsDue: Number(row?.texts),
    mailsDue: Number(row?.mails),
    packagesOnOffer: Number(row?.offers),
  };
}

interface Pace {
  now: () => Date;
  everyMs: number;
}

/** As `createReader`, and null where its last answer is not `everyMs` old. */
export function createSlowReader<T>(ask: () => Promise<T>, { now, everyMs }: Pace) {
  const read = createReader(ask);
  let readAtMs = Number.NEGATIVE_INFINITY;
  return async (): Promise<T | null> => {
    if (now().getTime() - readAtMs < everyMs) return null;
    const answer = await read();
    if (answer !== null) readAtMs = now().getTime();
    return answer;
  };
}

/** Null if the database does not respond. One query at a time. */
export function createReader<T>(ask: () => Promise<T>): () => Promise<T | null> {
  let asking: Promise<T> | undefined;
  return async () => {
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    const answer = asking;
    try {
      return await withTimeout(
        timeoutMs,
        () => answer,
        () => new Error('the database did not respond in time'),
      );
    } catch {
      return null;
    }
  };
}
