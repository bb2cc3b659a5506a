import type { Verdict } from '#domain/outcome.ts';

export interface TokenStore {
  get(): string | null;
  set(token: string | null): void;
}

export interface LockOptions {
  /** Aborts waiting, not holding: `withLock` then rejects. */
  signal?: AbortSignal;
  /** Steals the lock from a frozen holder. Not combinable with `signal`. */
  isStolen?: boolean;
}

/** Runs `work` while holding the exclusive lock `name`, across tabs and workers. */
export interface Locks {
  withLock<T>(name: string, work: () => Promise<T>, options?: LockOptions): Promise<T>;
}

export interface ApiOptions {
  /** '' for the page's origin, or 'http://localhost:3000'; no trailing slash. */
  baseUrl?: string;
  tokenStore: TokenStore;
  locks: Locks;
  /** Called when a refresh needed by a call was refused. */
  onSessionEnded(verdict: Verdict): void;
  /** The server no longer supports this page's contract version (`app_outdated`). */
  onOutdated?(): void;
  /**
   * The user this device acts for, or null. All tabs share one refresh cookie: if another tab
   * signed in another user, a refresh returns their token, which must not be used.
   */
  expectedUserId?(): string | null;
  /**
   * Is this a plain server, with the specification's table only? Then its refusals need no code and
   * its successes no row.
   */
  isPlain?(): Promise<boolean>;
  /** Milliseconds for one request, response body included. */
  timeoutMs?: number;
  /** Milliseconds to wait for another tab's refresh before taking over. */
  refreshWaitMs?: number;
  /** Milliseconds of silence after which a stream is dead. */
  silenceMs?: number;
  fetch?: typeof fetch;
}
