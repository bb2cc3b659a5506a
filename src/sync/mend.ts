/**
 * Mending a mirror that is damaged (db/mirror-shape.ts), in one transaction under the lease: what
 * cannot be read goes, and the list that it was of is asked for from its beginning. Never the outbox.
 */
import {
  isListState,
  isOwnSteps,
  isPackage,
  isSeen,
  isStoredMoment,
  isUser,
} from '#db/mirror-shape.ts';
import type { ListName, UserDatabase } from '#db/user-database.ts';
import { type Fence, fenced } from './lease.ts';

const lists: readonly ListName[] = ['packages', 'users'];

/** So many rows at once. */
const portion = 1_000;

/** The keys of what is damaged; by the primary keys, since a damaged row may stand under anything. */
async function damagedIn(db: UserDatabase, list: ListName): Promise<string[]> {
  const damaged: string[] = [];
  const isSound = list === 'packages' ? isPackage : isUser;
  const keys = await db[list].toCollection().primaryKeys();
  for (let from = 0; from < keys.length; from += portion) {
    const some = keys.slice(from, from + portion);
    const rows: readonly unknown[] = await db[list].bulkGet(some);
    damaged.push(...some.filter((_, index) => !isSound(rows[index])));
  }
  return damaged;
}

export function mendMirror({ db, fence }: { db: UserDatabase; fence: Fence }): Promise<void> {
  const tables = [db.packages, db.users, db.ownSteps, db.lists, db.seen, db.meta];
  return fenced(db, fence, tables, async () => {
    await db.ownSteps.filter((row) => !isOwnSteps(row)).delete();
    await db.meta.filter(({ value }) => !isStoredMoment(value)).delete();
    const states = await db.lists.toArray();
    const seen = await db.seen.toArray();
    for (const list of lists) {
      const damaged = await damagedIn(db, list);
      await db[list].bulkDelete(damaged);
      const isPlaceSound =
        states.every((state) => state.list !== list || isListState(state)) &&
        seen.every((page) => page.list !== list || isSeen(page));
      if (damaged.length === 0 && isPlaceSound) continue;
      await db.seen.filter((page) => page.list === list).delete();
      await db.lists.delete(list);
    }
  });
}
