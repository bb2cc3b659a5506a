import { sql } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { type OpenDatabase, selectScalar } from '#server/database/database.ts';
import { Refusal } from '#server/http/refusal.ts';

const freshMs = 1000;

/** 'on' on a standby, or if configured. */
const readOnly = sql<string>`current_setting('transaction_read_only')`;

async function canWrite({ db, hasRoom }: OpenDatabase): Promise<boolean> {
  return (await selectScalar(db, readOnly)) === 'off' && (await hasRoom?.()) !== false;
}

/**
 * GET /healthz: the process responds. GET /readyz: the database does too and accepts writes, else
 * 503. Public, so one query at a time and one per second; failures are not cached.
 */
export function addHealth(app: FastifyInstance, database: OpenDatabase, now: () => Date): void {
  let answered = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | undefined;
  const ask = async () => {
    try {
      if (!(await canWrite(database))) throw new Refusal('unavailable', { retryAfterSeconds: 5 });
      answered = now().getTime();
    } finally {
      asking = undefined;
    }
  };
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async () => {
    try {
      const age = now().getTime() - answered;
      // Negative: the clock was set back.
      if (age >= 0 && age < freshMs) return { status: 'ok' };
      asking ??= ask();
      await asking;
    } catch {
      throw new Refusal('unavailable', { retryAfterSeconds: 5 });
    }
    return { status: 'ok' };
  });
}
