/** IndexedDB in this page's memory. A separate chunk, because it is rarely needed. */
import { Dexie } from 'dexie';
import { IDBKeyRange, indexedDB } from 'fake-indexeddb';
import type { ResilientDatabaseOptions } from '#db/resilient-database.ts';

export function keptInMemory(): ResilientDatabaseOptions {
  // Live queries read Dexie's global dependencies, not those of a database.
  Object.assign(Dexie.dependencies, { indexedDB, IDBKeyRange });
  return { indexedDB, IDBKeyRange, isInMemory: true };
}
