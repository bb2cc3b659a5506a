/**
 * What the engine needs of the world, and nothing else (HOUSE.md, 'ports injected'): the same
 * engine runs in a page, in the service worker and under fakes.
 */
import type { Locks } from '#api/ports.ts';
import type { PulledPage } from '#api/pulled-page.ts';
import type { Package } from '#domain/package.ts';
import type { User } from '#domain/user.ts';
import type { MutationApi } from './operations/sender.ts';

export type { Locks };

/** The calls that the engine makes. Each rejects with ApiFailure (api/failure.ts), never otherwise. */
export interface SyncApi extends MutationApi {
  pullPackages(since: string): Promise<PulledPage<Package>>;
  pullUsers(since: string): Promise<PulledPage<User>>;
}

export interface Clock {
  /** Milliseconds since 1970; for people and for waiting, never for order. */
  now(): number;
  /** Calls back after `delayMs`; returns what cancels it. */
  after(delayMs: number, callBack: () => void): () => void;
}

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
