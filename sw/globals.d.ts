import type { PrecacheEntry } from 'workbox-precaching';

declare global {
  /** Background Sync, which TypeScript does not know. */
  interface SyncEvent extends ExtendableEvent {
    readonly tag: string;
    /** The browser will not wake the worker again for this tag. */
    readonly lastChance: boolean;
  }

  /** Static routing (Chromium 123), which TypeScript does not know. */
  interface InstallEvent extends ExtendableEvent {
    addRoutes?(rule: {
      condition: { urlPattern: { pathname: string } };
      source: 'network';
    }): Promise<void>;
  }

  interface ServiceWorkerGlobalScopeEventMap {
    install: InstallEvent;
    sync: SyncEvent;
  }

  interface ServiceWorkerGlobalScope {
    /** Written by the build: every file of the shell with its revision. */
    __WB_MANIFEST: (PrecacheEntry | string)[];
  }
}
