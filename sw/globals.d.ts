import type { PrecacheEntry } from 'workbox-precaching';

declare global {
  interface ServiceWorkerGlobalScope {
    /** Written by the build: every file of the shell with its revision. */
    __WB_MANIFEST: (PrecacheEntry | string)[];
  }
}
