/** The product's modules, composed as in src/app/session/user-session.ts. */
import { createApi } from '#api/api.ts';
import { newId } from '#data/new-id.ts';
import { openPackageStore, type PackageStore } from '#data/package-store.ts';
import { systemClock } from '#db/clock.ts';
import { UserDatabase } from '#db/user-database.ts';
import type { Intent } from '#domain/operation.ts';
import { createBroadcastChannel } from '#sync/coordination/channel.ts';
import { createLocks } from '#sync/coordination/locks.ts';
import { createSyncEngine, type SyncEngine } from '#sync/engine.ts';
import type { SyncApi } from '#sync/ports.ts';
import { ids, party } from '#tests/builders/package.ts';
import { packageId } from './rows.ts';

export const me = party(ids.courier, 'Sani');
export const userInfo = { ...me, email: 'sani@kaya.test', roles: ['Employee' as const] };

export interface Opened {
  db: UserDatabase;
  engine: SyncEngine;
  store: PackageStore;
  close(): Promise<void>;
}

/** `api`: the product's client to the bench's server, or a stub. */
export function open(name: string, api: SyncApi): Opened {
  const db = new UserDatabase(name);
  const engine = createSyncEngine({
    db,
    ports: {
      api,
      locks: createLocks(),
      clock: systemClock,
      random: Math.random,
      newId,
      channel: createBroadcastChannel(`kaya-sync-${name}`),
    },
    userId: name,
  });
  const store = openPackageStore({ db, userInfo, clock: systemClock });
  return {
    db,
    engine,
    store,
    close: async () => {
      store.close();
      await engine.stop();
      db.close();
    },
  };
}

export async function onFreshDatabase<T>(
  api: SyncApi,
  work: (opened: Opened) => Promise<T>,
): Promise<T> {
  const opened = open('bench', api);
  await opened.db.delete({ disableAutoOpen: false });
  try {
    return await work(opened);
  } finally {
    await opened.close();
    await opened.db.delete();
  }
}

/** `place`: a behaviour of the bench's server (server.mjs), such as '/after/50'. */
export const client = (place: string): SyncApi =>
  createApi({
    baseUrl: `${location.origin}${place}`,
    tokenStore: { get: () => 'token', set: () => undefined },
    locks: createLocks(),
    onSessionEnded: ({ message }) => {
      throw new Error(message);
    },
  });

/** Nothing listens on this port. */
export const nowhere: SyncApi = createApi({
  baseUrl: 'http://127.0.0.1:1',
  tokenStore: { get: () => 'token', set: () => undefined },
  locks: createLocks(),
  onSessionEnded: () => undefined,
});

export const edit = (number: number, text: string): Intent => ({
  name: 'editPackage',
  targetId: packageId(number),
  args: { changes: { notes: text } },
});
