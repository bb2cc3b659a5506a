/** Forgets, at start and once a day, what nobody can use any more. */
import { lt } from 'drizzle-orm';
import { forgetOld } from '#server/modules/auth/repository.ts';
import { keyLifetimeMs } from '#server/plugins/idempotency.ts';
import { errorForLog } from '#server/plugins/request-log.ts';
import type { OpenDatabase } from './database.ts';
import { rateLimits } from './schema.ts';

const dayMs = 24 * 3_600_000;
/** Expired tokens stay a little, so that a late reuse is still recognised as such. */
const expiredTokensMs = 7 * dayMs;

interface Log {
  error(details: object, message: string): void;
}

/** Returns what stops it, once what it has begun is over. */
export function keepTidy({ db }: OpenDatabase, log: Log, now: () => Date): () => Promise<void> {
  const tidy = async () => {
    const nowMs = now().getTime();
    try {
      await forgetOld(db, {
        tokenExpiry: new Date(nowMs - expiredTokensMs),
        idempotencyKey: new Date(nowMs - keyLifetimeMs),
      });
      await db.delete(rateLimits).where(lt(rateLimits.endsAt, new Date(nowMs)));
    } catch (error) {
      if (error instanceof Error) log.error({ err: errorForLog(error) }, 'tidying up failed');
    }
  };
  let underWay = tidy();
  const timer = setInterval(() => {
    underWay = tidy();
  }, dayMs);
  timer.unref();
  return () => {
    clearInterval(timer);
    return underWay;
  };
}
