import type { PrecacheEntry } from 'workbox-precaching';

declare global {
  /** Background Sync, which TypeScript does not know. */
  interface SyncEvent extends ExtendableEvent {
    readonly tag: string;
    /** The browser will not wake the worker again for this tag. */
    readonly lastChance: boolean;
  }

  interface ExtendableEvent {
    /** Of an install event: static routing (Chromium 123), which TypeScript does not know. */
    addRoutes?(rule: {
      condition: { urlPattern: { pathname: string } };
      source: 'network';
    }): Promise<void>;
  }

  interface PushSubscriptionChangeEvent extends ExtendableEvent {
    readonly oldSubscription: PushSubscription | null;
    readonly newSubscription: PushSubscription | null;
  }

  interface ServiceWorkerGlobalScopeEventMap {
    sync: SyncEvent;
  }

  interface ServiceWorkerGlobalScope {
    /** Written by the build: every file of the shell with its revision. */
    __WB_MANIFEST: (PrecacheEntry | string)[];
  }
}
