/**
 * What the engine needs of the world, and nothing else: the same
 * engine runs in a page, in the service worker and under fakes.
 */

import type { PackagesApi } from '#api/packages.ts';
import type { Locks } from '#api/ports.ts';
import type { UsersApi } from '#api/users.ts';
import type { Clock } from '#db/clock.ts';

/** The calls that the engine makes. Each rejects with ApiFailure (api/failure.ts), never otherwise. */
export type SyncApi = PackagesApi & Pick<UsersApi, 'pullUsers' | 'patchUser'>;

/** Words between the tabs and workers of one user; what one says the others hear, not itself. */
export interface Channel {
  post(message: unknown): void;
  /** Returns what ends it. */
  listen(onMessage: (message: unknown) => void): () => void;
}

export interface Ports {
  api: SyncApi;
  locks: Locks;
  channel: Channel;
  clock: Clock;
  /** Uniform in [0, 1). */
  random(): number;
  /** A fresh UUID. */
  newId(): string;
  /** Gives up what a full phone can do without. False: there was nothing. */
  makeRoom?(): Promise<boolean>;
}
