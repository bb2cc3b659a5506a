import type { Database } from './database.ts';
import { isTransactionConflict } from './database-failure.ts';

const tries = 5;

/**
 * Runs `work` in a transaction, again after a deadlock or serialization failure: it must only
 * query.
 */
export async function inTransaction<T>(
  db: Database,
  work: (tx: Database) => Promise<T>,
): Promise<T> {
  for (let left = tries - 1; ; left -= 1) {
    try {
      return await db.transaction(work);
    } catch (error) {
      if (left === 0 || !isTransactionConflict(error)) throw error;
    }
  }
}
