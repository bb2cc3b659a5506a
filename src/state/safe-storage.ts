/**
 * The browser's storage, for dispensable state. Blocked with the cookies, or full, it throws at
 * every access: then the page's memory replaces it.
 */
import {
  atomWithStorage,
  createJSONStorage,
  unstable_withStorageValidator as withStorageValidator,
} from 'jotai/utils';

type SafeStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

function safe(storage: () => Storage): SafeStorage {
  const memory = new Map<string, string>();
  return {
    getItem(key) {
      const stored = memory.get(key);
      if (stored !== undefined) return stored;
      try {
        return storage().getItem(key);
      } catch {
        return null;
      }
    },
    setItem(key, value) {
      try {
        storage().setItem(key, value);
        memory.delete(key);
      } catch {
        memory.set(key, value);
      }
    },
    removeItem(key) {
      memory.delete(key);
      try {
        storage().removeItem(key);
      } catch {
        // Nothing was stored there.
      }
    },
  };
}

export const safeLocalStorage = safe(() => localStorage);
export const safeSessionStorage = safe(() => sessionStorage);

/** A yes that outlives the page. */
export function storedFlag(key: string, storage: SafeStorage = safeLocalStorage) {
  return {
    isSet: () => storage.getItem(key) !== null,
    set: () => storage.setItem(key, 'true'),
    clear: () => storage.removeItem(key),
  };
}

/** An atom in local storage; an invalid value, as of another app version, reads as `initial`. */
export function storedAtom<T>(key: string, initial: T, isValid: (stored: unknown) => stored is T) {
  const storage = createJSONStorage(() => safeLocalStorage);
  return atomWithStorage(key, initial, withStorageValidator(isValid)(storage), {
    getOnInit: true,
  });
}

/** The stored value, also if another tab wrote it; null: none, or unreadable. */
export function readStored(key: string): unknown {
  try {
    return JSON.parse(safeLocalStorage.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}

/** True for a record with a text under each of these names. */
export function hasTexts(kept: unknown, names: readonly string[]): boolean {
  const record = (kept ?? {}) as Record<string, unknown>;
  return names.every((name) => typeof record[name] === 'string');
}

/**
 * Each of these values that is kept is of the same type. A former version of the app knew fewer of
 * them.
 */
export function isLike(kept: unknown, values: object): boolean {
  if (typeof kept !== 'object' || kept === null) return false;
  const record = kept as Record<string, unknown>;
  return Object.entries(values).every(
    ([name, value]) => !Object.hasOwn(record, name) || typeof record[name] === typeof value,
  );
}
