import { sql } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import type { Database } from '#server/database/database.ts';
import { Refusal } from '#server/refusal.ts';

/** GET /healthz: the process answers. GET /readyz: the database does too, else 503. */
export function addHealth(app: FastifyInstance, db: Database): void {
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async () => {
    try {
      await db.execute(sql`select 1`);
    } catch {
      throw new Refusal('unavailable', { retryAfterSeconds: 5 });
    }
    return { status: 'ok' };
  });
}
