/**
 * The browser's storage, for what is good to have. Where it is blocked with the cookies, or full, it
 * throws at every access: there the page's memory replaces it.
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

/** An atom in local storage; what another version of the app left, or anybody else, is `initial`. */
export function storedAtom<T>(key: string, initial: T, isValid: (stored: unknown) => stored is T) {
  const storage = createJSONStorage(() => safeLocalStorage);
  return atomWithStorage(key, initial, withStorageValidator(isValid)(storage), {
    getOnInit: true,
  });
}

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
