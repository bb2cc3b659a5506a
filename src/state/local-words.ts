/** Local storage that falls back to memory, since every access throws if cookies are blocked. */
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
      // Blocked, so nothing is stored.
    }
  },
};

/** Whether `kept` is a record with a string under each name. */
export function hasTexts(kept: unknown, names: readonly string[]): boolean {
  const record = (kept ?? {}) as Record<string, unknown>;
  return names.every((name) => typeof record[name] === 'string');
}

/** The same, but names may be missing: older app versions had fewer. */
export function hasOnlyTexts(kept: unknown, names: readonly string[]): boolean {
  if (typeof kept !== 'object' || kept === null) return false;
  return hasTexts(
    kept,
    names.filter((name) => Object.hasOwn(kept, name)),
  );
}
