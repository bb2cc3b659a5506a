/**
 * The known capabilities of this user's server: the extensions, or only the specification's table.
 * Stored beside the outbox, because they decide how it is sent before the next pull.
 */
import { noVersion } from '#contract/version.ts';
import type { UserDatabase } from './user-database.ts';

const key = 'backend';

/** False also where nothing is known. */
export async function readIsPlain(db: UserDatabase): Promise<boolean> {
  return (await db.meta.get(key))?.value === 'plain';
}

/**
 * Learns from a page of a list. A version on a row is the surest sign: something on the way may take
 * a header away, nothing gives a row another's version.
 */
export async function noteBackend(
  db: UserDatabase,
  { cursor, rows }: { cursor: string | null; rows: readonly { version: number }[] },
): Promise<void> {
  const known = (await db.meta.get(key))?.value;
  const isExtended = cursor !== null || rows.some(({ version }) => version !== noVersion);
  // A list of nothing may have lost its header.
  if (!isExtended && rows.length === 0 && known !== undefined) return;
  const value = isExtended ? 'extended' : 'plain';
  if (value !== known) await db.meta.put({ key, value });
}
