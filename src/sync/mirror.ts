/** Writing rows into the mirror. Invariant: an older version never replaces a newer one. */
import type { Table } from 'dexie';
import type { UserDatabase } from '#db/user-database.ts';
import type { Package } from '#domain/package.ts';
import type { User } from '#domain/user.ts';

async function putNotOlder<R extends Package | User>(
  table: Table<R, string>,
  row: R,
): Promise<R | undefined> {
  const before = await table.get(row.id);
  if (!before || before.version <= row.version) await table.put(row);
  return before;
}

/** To be called within a transaction. Answers the row that was there before. */
export function putPackage(db: UserDatabase, row: Package): Promise<Package | undefined> {
  return putNotOlder(db.packages, row);
}

/** To be called within a transaction. Answers the row that was there before. */
export function putUser(db: UserDatabase, row: User): Promise<User | undefined> {
  return putNotOlder(db.users, row);
}
