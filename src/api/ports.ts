/** What the calls need of the place they run in. */
import type { Verdict } from '#domain/outcome.ts';

/** Where the access token lives: in memory, never stored. */
export interface TokenStore {
  get(): string | null;
  set(token: string | null): void;
}

export interface LockOptions {
  /** Ends the waiting, not the holding: `withLock` then rejects. */
  signal?: AbortSignal;
  /** Takes the lock away from whoever holds it, for one that has frozen. Not together with `signal`. */
  isStolen?: boolean;
}

/** Runs `work` while holding the exclusive lock `name`, across tabs and workers. */
export interface Locks {
  withLock<T>(name: string, work: () => Promise<T>, options?: LockOptions): Promise<T>;
}

export interface ApiOptions {
  /** '' for the page's own origin, else for example 'http://localhost:3000'; no slash at the end. */
  baseUrl?: string;
  tokenStore: TokenStore;
  locks: Locks;
  /** Refresh was refused while a call needed it. */
  onSessionEnded(verdict: Verdict): void;
  /** The server does not understand pages as old as this one any more (`app_outdated`). */
  onOutdated?(): void;
  /**
   * The id of the user this device acts for, or null while that is nobody. All tabs share one
   * refresh cookie: where another tab signed somebody else in, a refresh answers for them, and
   * going on would send this user's work under the other's name.
   */
  expectedUserId?(): string | null;
  /** Milliseconds for one request, its whole answer included. */
  timeoutMs?: number;
  /** Milliseconds to wait for another tab's refresh before taking its turn away. */
  refreshWaitMs?: number;
  /** Milliseconds without a byte after which a stream counts as dead. */
  silenceMs?: number;
  fetch?: typeof fetch;
}
