/** Writing rows into the mirror. Invariant: an older version never replaces a newer one. */
import type { Table } from 'dexie';
import type { ListName, UserDatabase } from '#db/user-database.ts';
import type { Package } from '#domain/package.ts';
import type { User } from '#domain/user.ts';

export type Row = Package | User;

/** What one acknowledgement named while a full list is under way must not be missed at its end. */
const acknowledgedPage = -1;

/** The tables that `putRow` writes. */
export const rowTables = (db: UserDatabase) => [db.packages, db.users, db.lists, db.seen];

async function noteSeen(db: UserDatabase, list: ListName, id: string): Promise<void> {
  const page = acknowledgedPage;
  const ids = (await db.seen.get([list, page]))?.ids ?? [];
  await db.seen.put({ list, page, ids: [...ids, id] });
}

/** A row that came with an answer. */
export interface Answered {
  row: Row;
  /** A pull may have taken the row away since the server made this answer. */
  isOvertaken: boolean | undefined;
}

/** What the mirror has of a row that came with an answer. */
export interface Found {
  before: Row | undefined;
  /** The answer's row is to be put. */
  isNews: boolean;
}

/**
 * To be called within a transaction over `rowTables`, before the row is put; notes its id as seen.
 *
 * Of two rows of one version the mirror's stays: what came with an answer may be what the server
 * kept under the key, and the people on a package change without its version. An overtaken answer
 * must not bring back what is gone for good, nor does it prove that its row is there; but until a
 * full list has come to its end, which takes away whatever it did not name, it is the last thing
 * known.
 */
export async function findBefore(db: UserDatabase, { row, isOvertaken }: Answered): Promise<Found> {
  const list = 'sender' in row ? 'packages' : 'users';
  const [before, state] = await Promise.all([db[list].get(row.id), db.lists.get(list)]);
  const isUnderWay = state !== undefined && state.fullPages !== null;
  if (isUnderWay && !isOvertaken) await noteSeen(db, list, row.id);
  const isNewer = before === undefined || before.version < row.version;
  const isListToCome = isUnderWay || state === undefined;
  return { before, isNews: isNewer && (isListToCome || !isOvertaken) };
}

export function put(db: UserDatabase, row: Row): Promise<unknown> {
  return 'sender' in row ? db.packages.put(row) : db.users.put(row);
}

/** One row that came with an answer, to be called within a transaction over `rowTables`. */
export async function putRow(db: UserDatabase, answered: Answered): Promise<void> {
  if ((await findBefore(db, answered)).isNews) await put(db, answered.row);
}

export interface Replaced {
  before: Row;
  after: Row;
}

/** Of larger writes Dexie says only that something changed, and whoever watches reads it all again. */
const namedAtOnce = 49;

/**
 * Rows of a page into their table; answers those that moved to a newer version. Equal rows are not
 * written again: every write wakes the screens that watch the table.
 */
export async function putRows<R extends Row>(
  table: Table<R, string>,
  rows: readonly R[],
): Promise<Replaced[]> {
  const found = await table.bulkGet(rows.map((row) => row.id));
  const replaced: Replaced[] = [];
  const changed: R[] = [];
  for (const [index, row] of rows.entries()) {
    const before = found[index];
    if (before && before.version > row.version) continue;
    const isSameVersion = before?.version === row.version;
    if (isSameVersion && JSON.stringify(before) === JSON.stringify(row)) continue;
    changed.push(row);
    if (before && before.version < row.version) replaced.push({ before, after: row });
  }
  const portions: Promise<unknown>[] = [];
  for (let from = 0; from < changed.length; from += namedAtOnce) {
    portions.push(table.bulkPut(changed.slice(from, from + namedAtOnce)));
  }
  await Promise.all(portions);
  return replaced;
}
