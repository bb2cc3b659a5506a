/**
 * Writing rows into the mirror. Invariant: an older version never replaces a newer one, except where
 * a full list says so: a server that was restored from a backup has no other way to be believed.
 */
import { Dexie, type Table } from 'dexie';
import type { ListName, SeenIds, UserDatabase } from '#db/user-database.ts';
import type { Package } from '#domain/package.ts';
import type { User } from '#domain/user.ts';

export type Row = Package | User;

/** What one acknowledgement named while a full list is under way must not be missed at its end. */
const acknowledgedPage = -1;

/** The tables that `putRow` writes. */
export const rowTables = (db: UserDatabase) => [db.packages, db.users, db.lists, db.seen];

/** What the pages of a full list under way, and the acknowledgements since its begin, have named. */
export const pagesOf = (db: UserDatabase, list: ListName) =>
  db.seen.where('[list+page]').between([list, Dexie.minKey], [list, Dexie.maxKey]);

const idsOf = (pages: readonly SeenIds[]) => new Set(pages.flatMap(({ ids }) => ids));

/** Acknowledged since the full list under way began: what its pages do not make older again. */
export async function readAcknowledged(
  db: UserDatabase,
  list: ListName,
): Promise<ReadonlySet<string>> {
  return idsOf((await db.seen.where({ list, page: acknowledgedPage }).toArray()) as SeenIds[]);
}

async function noteSeen(db: UserDatabase, list: ListName, id: string): Promise<void> {
  const page = acknowledgedPage;
  const ids = (await db.seen.get([list, page]))?.ids ?? [];
  await db.seen.put({ list, page, ids: [...ids, id] });
}

/**
 * Whether the row of an answer replaces the mirror's, by version. Called within a transaction over
 * `rowTables`, before the write; notes the id as seen.
 *
 * Of two rows of one version the mirror's stays: a profile's answer may be a replay. During a full
 * list, a row that no page has named yet dates from before it and is older, whatever its version.
 */
export async function isNewer(db: UserDatabase, row: Row): Promise<boolean> {
  const list = 'sender' in row ? 'packages' : 'users';
  const [before, state] = await Promise.all([db[list].get(row.id), db.lists.get(list)]);
  const isUnderWay = state !== undefined && state.fullPages !== null;
  const isNamed = isUnderWay && idsOf(await pagesOf(db, list).toArray()).has(row.id);
  if (isUnderWay) await noteSeen(db, list, row.id);
  const isOutdated = isUnderWay && !isNamed;
  return before === undefined || isOutdated || before.version < row.version;
}

export function put(db: UserDatabase, row: Row): Promise<unknown> {
  return 'sender' in row ? db.packages.put(row) : db.users.put(row);
}

/** Puts the row of an answer if it is newer, within a transaction over `rowTables`. */
export async function putRow(db: UserDatabase, row: Row): Promise<void> {
  if (await isNewer(db, row)) await put(db, row);
}

/** Of larger writes Dexie says only that something changed, and its watchers read all of it again. */
const namedAtOnce = 49;

/**
 * Rows of a page into their table. Equal rows are not written again: every write wakes the screens
 * that watch the table. `mayTakeBack`: whether an older version takes the place of a newer one.
 */
export async function putRows<R extends Row>(
  table: Table<R, string>,
  rows: readonly R[],
  mayTakeBack: (id: string) => boolean = () => false,
): Promise<void> {
  const found = await table.bulkGet(rows.map((row) => row.id));
  const changed: R[] = [];
  for (const [index, row] of rows.entries()) {
    const before = found[index];
    if (before && before.version > row.version && !mayTakeBack(row.id)) continue;
    const isSameVersion = before?.version === row.version;
    if (isSameVersion && JSON.stringify(before) === JSON.stringify(row)) continue;
    changed.push(row);
  }
  const portions: Promise<unknown>[] = [];
  for (let from = 0; from < changed.length; from += namedAtOnce) {
    portions.push(table.bulkPut(changed.slice(from, from + namedAtOnce)));
  }
  await Promise.all(portions);
}
