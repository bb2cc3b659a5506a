/** The engine of this page, in a chunk of its own: it begins once the first screen stands. */
import type { Api } from '#api/api.ts';
import type { UserDatabase } from '#db/user-database.ts';
import { tileCacheName } from '#domain/tile-cache.ts';
import { newId } from '#live/new-id.ts';
import { createBroadcastChannel } from '#sync/broadcast-channel.ts';
import { createSyncEngine, type SyncEngine } from '#sync/engine.ts';
import { systemClock } from '#sync/system-clock.ts';
import { createLocks } from '#sync/web-locks.ts';

export function createUserEngine(db: UserDatabase, api: Api): SyncEngine {
  return createSyncEngine({
    db,
    ports: {
      ...{ api, locks: createLocks(), clock: systemClock, random: Math.random, newId },
      channel: createBroadcastChannel(`kaya-sync-${db.userId}`),
      makeRoom: () => caches.delete(tileCacheName),
    },
    userId: db.userId,
    // biome-ignore lint/suspicious/noConsole: a fault of the product belongs in the error console.
    onFault: (cause) => console.error(cause),
  });
}
