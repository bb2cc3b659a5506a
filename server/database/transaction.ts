import type { Database } from './database.ts';
import { isUndoneForAnother } from './failure.ts';

const tries = 5;

/**
 * Runs `work` in a transaction; again, from its beginning, where PostgreSQL undid it so that
 * another could go on (a deadlock, a serialization failure). So `work` may do nothing but query.
 * Throws what it threw last.
 */
export async function inTransaction<T>(
  db: Database,
  work: (tx: Database) => Promise<T>,
): Promise<T> {
  for (let left = tries - 1; ; left -= 1) {
    try {
      return await db.transaction(work);
    } catch (error) {
      if (left === 0 || !isUndoneForAnother(error)) throw error;
    }
  }
}
