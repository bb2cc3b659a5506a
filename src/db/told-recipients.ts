/**
 * The packages whose recipient was sent the link from this phone, or whose reminder was dismissed,
 * and, marked, those whose link was replaced since; kept per user, it outlives a log-out. Ids only: a
 * link is a secret.
 */
import { replacedMark } from '#domain/package.ts';
import type { UserDatabase } from './user-database.ts';

const key = 'toldRecipients';

/** Packages older than the newest of these get no reminder. */
const mostKept = 500;

/** Empty also if the stored value cannot be read. */
export async function readTold(db: UserDatabase): Promise<ReadonlySet<string>> {
  const value = (await db.meta.get(key))?.value ?? '';
  return new Set(value.split(' ').filter(Boolean));
}

/** `isTold` false: the link was replaced, so that the recipient needs the new one. */
export async function writeTold(db: UserDatabase, id: string, isTold: boolean): Promise<void> {
  await db.transaction('rw', [db.meta], async () => {
    const others = [...(await readTold(db))].filter(
      (each) => each !== id && each !== replacedMark(id),
    );
    const ids = [...others, isTold ? id : replacedMark(id)];
    await db.meta.put({ key, value: ids.slice(-mostKept).join(' ') });
  });
}
