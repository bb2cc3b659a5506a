/**
 * Which keys of which tables have just been changed, by this tab or any other tab or worker, as
 * Dexie tells it after each commit. Dexie names the keys of small writes only; of a large one, or of
 * a table that was emptied, it names the whole range.
 */
import { Dexie, type ObservabilitySet } from 'dexie';
import type { UserDatabase } from './user-database.ts';

/** Keys of one table; 'all': it is not said which. */
export type ChangedKeys = ReadonlySet<unknown> | 'all';

/** More than so many are read faster together with all the others. */
const mostKeys = 2_000;

type RangeTree = ObservabilitySet[string];

/** Those that came from another tab are plain objects, without the iterator of Dexie's own. */
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

/**
 * Calls `onChange` after every commit that touched one of `tables`, with the keys of their rows.
 * Returns what ends it.
 */
export function watchChanges<Name extends string>(
  db: Pick<UserDatabase, 'name'>,
  tables: readonly Name[],
  onChange: (changes: ReadonlyMap<Name, ChangedKeys>) => void,
): () => void {
  const listener = (parts: ObservabilitySet) => {
    const changes = new Map<Name, ChangedKeys>();
    for (const table of tables) {
      // Back from the browser's cache of pages, where it heard of nothing.
      if (parts.all) changes.set(table, 'all');
      const tree = parts[`idb://${db.name}/${table}/`];
      const keys = tree ? keysOf(tree) : null;
      if (keys && (keys === 'all' || keys.size > 0)) changes.set(table, keys);
    }
    // Called from within the transaction that has just ended, in which nothing can be read.
    if (changes.size > 0) Dexie.ignoreTransaction(() => onChange(changes));
  };
  Dexie.on('storagemutated', listener);
  return () => Dexie.on.storagemutated.unsubscribe(listener);
}
