/** The engine's dependencies; they let it run in a page, in the service worker and under fakes. */

import type { PackagesApi } from '#api/packages.ts';
import type { Locks } from '#api/ports.ts';
import type { UsersApi } from '#api/users.ts';
import type { Clock } from '#db/clock.ts';

/** The engine's API calls. Each rejects only with ApiFailure (api/failure.ts). */
export type SyncApi = Omit<PackagesApi, 'replaceTracking' | 'resolveDispute'> &
  Pick<UsersApi, 'pullUsers' | 'patchUser'>;

/** Messages between the tabs and workers of one user; the sender does not receive its own. */
export interface Channel {
  post(message: unknown): void;
  listen(onMessage: (message: unknown) => void): () => void;
}

export interface Ports {
  api: SyncApi;
  locks: Locks;
  channel: Channel;
  clock: Clock;
  /** Uniform in [0, 1). */
  random(): number;
  newId(): string;
  /** Frees storage by deleting caches. False: nothing to delete. */
  makeRoom?(): Promise<boolean>;
}
