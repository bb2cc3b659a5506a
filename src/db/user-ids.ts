/** Whose databases are on this device. Without Dexie: a page without any needs no more. */

export const userDatabasePrefix = 'kaya-user-';

/** Rejects if the browser's storage fails. */
export async function readUserIds(): Promise<string[]> {
  const names = (await indexedDB.databases()).map(({ name = '' }) => name);
  return names
    .filter((name) => name.startsWith(userDatabasePrefix))
    .map((name) => name.slice(userDatabasePrefix.length));
}
