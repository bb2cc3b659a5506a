/**
 * What the engine needs of the world, and nothing else (HOUSE.md, 'ports injected'): the same
 * engine runs in a page, in the service worker and under fakes.
 */
import type { CreatePackageBody, PatchPackageBody } from '#contract/package.ts';
import type { PatchUserBody } from '#contract/user.ts';
import type { Package } from '#domain/package.ts';
import type { User } from '#domain/user.ts';

/** The calls that the engine makes. Each rejects with ApiFailure (api/failure.ts), never otherwise. */
export interface SyncApi {
  createPackage(body: CreatePackageBody, key: string): Promise<Package>;
  patchPackage(id: string, body: PatchPackageBody, key: string): Promise<Package>;
  deletePackage(id: string, key: string): Promise<void>;
  patchUser(body: PatchUserBody, key: string): Promise<User>;
  listPackages(): Promise<Package[]>;
  listUsers(): Promise<User[]>;
}

/** Runs `work` while holding the exclusive lock `name`, across tabs and workers. */
export interface Locks {
  withLock<T>(name: string, work: () => Promise<T>): Promise<T>;
}

export interface Clock {
  /** Milliseconds since 1970; for people and for waiting, never for order. */
  now(): number;
  /** Calls back after `delayMs`; returns what cancels it. */
  after(delayMs: number, callBack: () => void): () => void;
}

export interface Ports {
  api: SyncApi;
  locks: Locks;
  clock: Clock;
  /** Uniform in [0, 1). */
  random(): number;
  /** A fresh UUID. */
  newId(): string;
}
