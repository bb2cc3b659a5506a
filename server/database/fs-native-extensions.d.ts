declare module 'fs-native-extensions' {
  /** Takes an exclusive kernel lock on the open file; false if another descriptor holds it. */
  export function tryLock(fd: number): boolean;
  export function unlock(fd: number): void;
}
