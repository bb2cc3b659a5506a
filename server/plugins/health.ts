import { sql } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import type { Database } from '#server/database/database.ts';
import { Refusal } from '#server/refusal.ts';

const freshMs = 1000;

/**
 * GET /healthz: the process answers. GET /readyz: the database does too, else 503. Anybody may ask,
 * so the database is asked once at a time and once a second; that it is away is said no longer than
 * it is so.
 */
export function addHealth(app: FastifyInstance, db: Database, now: () => Date): void {
  let answered = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | undefined;
  const ask = async () => {
    try {
      await db.execute(sql`select 1`);
      answered = now().getTime();
    } finally {
      asking = undefined;
    }
  };
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async () => {
    try {
      const age = now().getTime() - answered;
      // Below zero the clock was set back.
      if (age >= 0 && age < freshMs) return { status: 'ok' };
      asking ??= ask();
      await asking;
    } catch {
      throw new Refusal('unavailable', { retryAfterSeconds: 5 });
    }
    return { status: 'ok' };
  });
}
