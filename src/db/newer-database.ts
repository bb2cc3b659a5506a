/**
 * A database that a newer version of the app has left, found by one that was set back. Dexie opens it,
 * tables and fields it does not know included, and the outbox puts aside what it cannot read
 * (sync/quarantine.ts). Only where a table has another key is nothing to be done with it: then this
 * version keeps its hands off, and the newer one finds everything as it was.
 */
import type { Dexie } from 'dexie';

/** storageFaultOf knows it by its name: 'newer'. */
export class NewerDatabaseError extends Error {
  override name = 'NewerDatabaseError';
}

/** Throws NewerDatabaseError. `declaredVersion`: of this app, as Dexie counts. */
export function refuseForeignKeys(db: Dexie, declaredVersion: number): void {
  const connection = db.backendDB();
  // Dexie keeps its versions times ten.
  if (connection.version <= declaredVersion * 10) return;
  const names = db.tables.map(({ name }) => name);
  const transaction = connection.transaction(names, 'readonly');
  for (const { name, schema } of db.tables) {
    const { keyPath, autoIncrement } = transaction.objectStore(name);
    const { primKey } = schema;
    const isOwn = String(keyPath) === String(primKey.keyPath) && autoIncrement === primKey.auto;
    if (!isOwn) throw new NewerDatabaseError(`The key of ${name} is that of a newer version.`);
  }
}
