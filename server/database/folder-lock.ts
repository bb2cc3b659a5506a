/**
 * Invariant: one process at a time on a data folder. Two on one PGlite folder silently lose rows
 * (DESIGN.md section 8). The lock is the kernel's, on an open file: it goes with the process,
 * however that ends, so a killed server leaves nothing behind that blocks the next one.
 */
/// <reference path="./fs-native-extensions.d.ts" />
import { closeSync, openSync } from 'node:fs';
import { tryLock, unlock } from 'fs-native-extensions';

/** Takes the lock; null where somebody else holds it. The answer gives it back. */
export function lockFile(file: string): (() => void) | null {
  const fd = openSync(file, 'a');
  if (!tryLock(fd)) {
    closeSync(fd);
    return null;
  }
  return () => {
    unlock(fd);
    closeSync(fd);
  };
}
