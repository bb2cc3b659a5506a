/** IndexedDB in this page's memory. In a chunk of its own: few ever need it. */
import { Dexie } from 'dexie';
import { IDBKeyRange, indexedDB } from 'fake-indexeddb';
import type { ResilientDatabaseOptions } from '#db/resilient-database.ts';

export function keptInMemory(): ResilientDatabaseOptions {
  // Live queries ask Dexie itself, not a database, whether there is anything to read from.
  Object.assign(Dexie.dependencies, { indexedDB, IDBKeyRange });
  return { indexedDB, IDBKeyRange, isInMemory: true };
}
