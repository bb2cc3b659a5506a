/**
 * Writes rows into the mirror. Invariant: an older version never replaces a newer one, except from
 * a full list, because the server may have been restored from a backup.
 */
import { Dexie, type Table } from 'dexie';
import type { Area } from '#contract/area.ts';
import { noVersion } from '#contract/version.ts';
import type { ListName, SeenIds, UserDatabase } from '#db/user-database.ts';
import type { Package } from '#domain/package.ts';
import { isOnOffer } from '#domain/package-state.ts';
import { factsOf } from '#domain/policy.ts';
import type { User } from '#domain/user.ts';
import { isElsewhere } from '#domain/within-area.ts';

export type Row = Package | User;

/** The `page` of ids acknowledged during a full list, so that its end does not delete them. */
const acknowledgedPage = -1;

/** The tables that `putRow` writes. */
export const rowTables = (db: UserDatabase) => [db.packages, db.users, db.lists, db.seen, db.meta];

/** Ids seen in the running full list: its pages, and acknowledgements since it began. */
export const pagesOf = (db: UserDatabase, list: ListName) =>
  db.seen.where('[list+page]').between([list, Dexie.minKey], [list, Dexie.maxKey]);

const idsOf = (pages: readonly SeenIds[]) => new Set(pages.flatMap(({ ids }) => ids));

/** Acknowledged since the running full list began, so newer than its pages. */
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
 * Whether a response's row replaces the mirrored one, by version. Call within a transaction over
 * `rowTables`, before the write; marks the id as seen.
 *
 * On equal versions the mirrored row stays: a profile response may be a replay. During a full list,
 * a mirrored row that no page has named yet predates it and loses, whatever its version.
 */
export async function isNewer(db: UserDatabase, row: Row): Promise<boolean> {
  const list = 'sender' in row ? 'packages' : 'users';
  const [before, state] = await Promise.all([db[list].get(row.id), db.lists.get(list)]);
  const isUnderWay = state !== undefined && state.fullPages !== null;
  const isNamed = isUnderWay && idsOf(await pagesOf(db, list).toArray()).has(row.id);
  if (isUnderWay) await noteSeen(db, list, row.id);
  const isOutdated = isUnderWay && !isNamed;
  const isUnordered = row.version === noVersion;
  return before === undefined || isOutdated || isUnordered || before.version < row.version;
}

/** Responses bring offers outside the working area too, pages do not: see `dropStrays`. */
export function put(db: UserDatabase, row: Row): Promise<unknown> {
  if (!('sender' in row)) return db.users.put(row);
  const isNoted = isOnOffer(factsOf(row)) && db.meta.put({ key: 'mayHaveStrays', value: '' });
  return Promise.all([db.packages.put(row), isNoted]);
}

/**
 * Deletes offers outside the working area, of whose changes the server no longer tells, except those
 * `kept`; forgets of these what is no such offer. Call within a transaction over `rowTables`.
 */
export async function dropStrays(db: UserDatabase, area: Area, kept: Set<string>): Promise<void> {
  if (!(await db.meta.get('mayHaveStrays'))) return;
  const self = { id: db.userId };
  const strays = (await db.packages.toArray()).flatMap((row) =>
    isElsewhere(self, area, factsOf(row), row.pickupLocation) ? row.id : [],
  );
  await db.packages.bulkDelete(strays.filter((id) => !kept.has(id)));
  for (const id of kept) if (!strays.includes(id)) kept.delete(id);
  if (kept.size === 0) await db.meta.delete('mayHaveStrays');
}

/** Puts a response's row if it is newer, within a transaction over `rowTables`. */
export async function putRow(db: UserDatabase, row: Row): Promise<void> {
  if (await isNewer(db, row)) await put(db, row);
}

/** Dexie reports larger writes without keys, and observers then re-read the whole table. */
const namedAtOnce = 49;

/**
 * Puts a page's rows, skipping equal ones, since every write wakes the observers of the table.
 * `mayTakeBack`: whether an older version may replace a newer one.
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
