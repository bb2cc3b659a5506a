/**
 * Watches which keys of which tables change, in this tab or another, as reported by Dexie after
 * each commit. Dexie names keys for small writes only, otherwise the whole range.
 */
import { Dexie, type ObservabilitySet } from 'dexie';
import type { UserDatabase } from './user-database.ts';

export type ChangedKeys = ReadonlySet<unknown> | 'all';

/** More keys than this are read faster as a whole table. */
const mostKeys = 2_000;

type RangeTree = ObservabilitySet[string];

/** Ranges from another tab are plain objects, without the iterator of Dexie's class. */
function keysOf(tree: RangeTree): ChangedKeys {
  const keys = new Set<unknown>();
  const open = [tree];
  for (let node = open.pop(); node; node = open.pop()) {
    if (!('from' in node)) continue;
    if (node.from !== node.to || keys.size === mostKeys) return 'all';
    keys.add(node.from);
    if (node.l) open.push(node.l);
    if (node.r) open.push(node.r);
  }
  return keys;
}

/** Calls `onChange` after every commit to one of `tables`. Returns unsubscribe. */
export function watchChanges<Name extends string>(
  db: Pick<UserDatabase, 'name'>,
  tables: readonly Name[],
  onChange: (changes: ReadonlyMap<Name, ChangedKeys>) => void,
): () => void {
  const listener = (parts: ObservabilitySet) => {
    const changes = new Map<Name, ChangedKeys>();
    for (const table of tables) {
      // Restored from the back/forward cache, where changes went unnoticed.
      if (parts.all) changes.set(table, 'all');
      const tree = parts[`idb://${db.name}/${table}/`];
      const keys = tree ? keysOf(tree) : null;
      if (keys && (keys === 'all' || keys.size > 0)) changes.set(table, keys);
    }
    // Dexie calls this inside the transaction that has just ended, where nothing can be read.
    if (changes.size > 0) Dexie.ignoreTransaction(() => onChange(changes));
  };
  Dexie.on('storagemutated', listener);
  return () => Dexie.on.storagemutated.unsubscribe(listener);
}
