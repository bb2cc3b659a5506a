import { safeSessionStorage, storedFlag } from './safe-storage.ts';

/** Whether this tab has shown the splash; without sessionStorage, whether this page has. */
export const splashFlag = storedFlag('splashSeen', safeSessionStorage);
