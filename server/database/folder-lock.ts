/**
 * Invariant: one process per data folder, since two PGlite on one folder silently lose rows. The
 * kernel lock ends with the process, so a killed server never blocks the next
 * (docs/decisions/0005-folder-lock.md).
 */
/// <reference path="./fs-native-extensions.d.ts" />
import { closeSync, openSync } from 'node:fs';
import { tryLock, unlock } from 'fs-native-extensions';

/** Takes the lock and returns its release; null if another process holds it. */
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
