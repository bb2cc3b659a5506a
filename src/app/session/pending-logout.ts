/**
 * A log-out without a network: it ends the session on this phone at once, and on the server when
 * there is one again. The refresh cookie, which no script can delete, stays in the browser till then.
 *
 *   logged out here ─▶ due ──the server answers──▶ told
 *                       └──somebody signs in: the server is told first, in any case the cookie is
 *                          theirs from then on──▶ nothing to tell any more
 *
 * Invariant: the server is told under one lock with signing in, in all tabs: what clears the cookie
 * never meets the cookie of whoever came after.
 */
import type { Locks } from '#api/ports.ts';
import { storedFlag } from '#state/safe-storage.ts';

const due = storedFlag('logOutDue');
const lockName = 'kaya-log-out-due';

export interface PendingLogoutNeeds {
  locks: Locks;
  /** Somebody is signed in on this device. */
  isSignedIn(): boolean;
  /** Ends the session of the cookie. False: nobody answered. */
  tell(): Promise<boolean>;
}

export interface PendingLogout {
  /** Forgets the session on this device by `forget`; the server is to be told. */
  begin(forget: () => Promise<void>): Promise<void>;
  /** Tells the server, if that is due. Never rejects. */
  settle(): Promise<void>;
  /** Signs in by `signIn`, after what is due. Rejects as that does. */
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
      // Refused or broken: asked again, and at the latest the next sign-in takes the cookie's place.
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
