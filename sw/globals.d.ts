import type { PrecacheEntry } from 'workbox-precaching';

declare global {
  /** Background Sync, missing from TypeScript's lib. */
  interface SyncEvent extends ExtendableEvent {
    readonly tag: string;
    readonly lastChance: boolean;
  }

  interface ExtendableEvent {
    /** Static routing in the install event (Chromium 123), missing from TypeScript's lib. */
    addRoutes?(
      rules: readonly {
        condition: { urlPattern: { pathname: string } };
        source: 'network' | 'fetch-event' | { cacheName: string };
      }[],
    ): Promise<void>;
  }

  interface PushSubscriptionChangeEvent extends ExtendableEvent {
    readonly oldSubscription: PushSubscription | null;
    readonly newSubscription: PushSubscription | null;
  }

  interface ServiceWorkerGlobalScopeEventMap {
    sync: SyncEvent;
  }

  interface ServiceWorkerGlobalScope {
    /** Injected by the build: the files of the shell with their revisions. */
    __WB_MANIFEST: (PrecacheEntry | string)[];
  }
}
