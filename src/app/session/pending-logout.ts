/**
 * An offline log-out: takes effect on this phone immediately, on the server once it is reachable.
 * Until then the browser keeps the refresh cookie, which no script can delete.
 *
 *   logged out ─▶ due ──answered, or replaced by the next sign-in's cookie──▶ done
 *
 * Invariant: the server's log-out and signing in share one lock across tabs, so the response that
 * clears the cookie never clears a newer session's.
 */
import type { Locks } from '#api/ports.ts';
import { storedFlag } from '#state/safe-storage.ts';

const due = storedFlag('logOutDue');
const lockName = 'kaya-log-out-due';

export interface PendingLogoutNeeds {
  locks: Locks;
  isSignedIn(): boolean;
  /** Ends the cookie's session on the server. False: no answer. */
  tell(): Promise<boolean>;
}

export interface PendingLogout {
  /** Forgets the session on this device with `forget`; the server call becomes due. */
  begin(forget: () => Promise<void>): Promise<void>;
  settle(): Promise<void>;
  /** Runs `signIn` after the due call. Rejects as `signIn` does. */
  before<T>(signIn: () => Promise<T>): Promise<T>;
}

export function createPendingLogout({
  locks,
  isSignedIn,
  tell,
}: PendingLogoutNeeds): PendingLogout {
  async function tellIfDue(): Promise<void> {
    if (!due.isSet()) return;
    if (isSignedIn()) return due.clear();
    try {
      if (await tell()) due.clear();
    } catch {
      // Refused or failed: retried later; at the latest, the next sign-in replaces the cookie.
    }
  }

  return {
    begin: (forget) =>
      locks.withLock(lockName, async () => {
        due.set();
        await forget();
      }),
    settle: async () => {
      if (due.isSet()) await locks.withLock(lockName, tellIfDue).catch(() => undefined);
    },
    before: (signIn) =>
      locks.withLock(lockName, async () => {
        await tellIfDue();
        return signIn();
      }),
  };
}
