/**
 * The browser's local storage, for words that are good to have. Where it is blocked with the
 * cookies, or full, it throws at every touch: there the page's memory stands in.
 */
const memory = new Map<string, string>();

export const localWords: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> = {
  getItem(key) {
    const kept = memory.get(key);
    if (kept !== undefined) return kept;
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  },
  setItem(key, value) {
    try {
      localStorage.setItem(key, value);
      memory.delete(key);
    } catch {
      memory.set(key, value);
    }
  },
  removeItem(key) {
    memory.delete(key);
    try {
      localStorage.removeItem(key);
    } catch {
      // Nothing was kept there.
    }
  },
};

/** What is kept is a record with a text under each of these names. */
export function hasTexts(kept: unknown, names: readonly string[]): boolean {
  const record = (kept ?? {}) as Record<string, unknown>;
  return names.every((name) => typeof record[name] === 'string');
}

/** Under none of these names is anything but text. An older version of the app knew fewer of them. */
export function hasOnlyTexts(kept: unknown, names: readonly string[]): boolean {
  if (typeof kept !== 'object' || kept === null) return false;
  return hasTexts(
    kept,
    names.filter((name) => Object.hasOwn(kept, name)),
  );
}
