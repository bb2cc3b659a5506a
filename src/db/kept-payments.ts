/**
 * A courier's balance, history and payouts as last heard, as text, for a phone without a network.
 * They are no rows of the mirror, but are wiped with it (wipe.ts).
 */
import type { UserDatabase } from './user-database.ts';

const key = 'payments';

/** Null: none kept. */
export async function readKeptPayments(db: UserDatabase): Promise<string | null> {
  return (await db.meta.get(key))?.value ?? null;
}

export async function keepPayments(db: UserDatabase, value: string): Promise<void> {
  await db.meta.put({ key, value });
}
