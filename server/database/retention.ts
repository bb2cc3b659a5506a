/** Deletes expired rows, at start and once a day. */
import { lt } from 'drizzle-orm';
import { deleteExpiredAccountTokens } from '#server/modules/auth/account-tokens.ts';
import { deleteExpired } from '#server/modules/auth/repository.ts';
import { deleteOldMails } from '#server/modules/mail/repository.ts';
import { removeExpiredProofs } from '#server/modules/proofs/expiry.ts';
import type { PictureStore } from '#server/modules/proofs/picture-store.ts';
import { keyLifetimeMs } from '#server/plugins/idempotency.ts';
import { errorForLog } from '#server/plugins/request-log.ts';
import type { OpenDatabase } from './database.ts';
import { rateLimits } from './schema.ts';

const dayMs = 24 * 3_600_000;
/** Expired tokens are kept for a while, so that their reuse is still detected. */
const expiredTokensMs = 7 * dayMs;
const mailsMs = 30 * dayMs;

interface Log {
  error(details: object, message: string): void;
}

interface Needs {
  database: OpenDatabase;
  store: PictureStore;
  log: Log;
  now: () => Date;
  proofDays: number;
}

/** Returns a function that stops it and resolves when the current run has ended. */
export function startRetention({
  database: { db },
  store,
  log,
  now,
  proofDays,
}: Needs): () => Promise<void> {
  const tidy = async () => {
    const nowMs = now().getTime();
    try {
      await deleteExpired(db, {
        tokenExpiry: new Date(nowMs - expiredTokensMs),
        idempotencyKey: new Date(nowMs - keyLifetimeMs),
      });
      await deleteExpiredAccountTokens(db, new Date(nowMs));
      await deleteOldMails(db, new Date(nowMs - mailsMs));
      await db.delete(rateLimits).where(lt(rateLimits.endsAt, new Date(nowMs)));
      // Last: the store of pictures may be away.
      await removeExpiredProofs(
        { db, store },
        { any: new Date(nowMs - proofDays * dayMs), unnamed: new Date(nowMs - dayMs) },
      );
    } catch (error) {
      if (error instanceof Error)
        log.error({ err: errorForLog(error) }, 'deleting expired rows failed');
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
