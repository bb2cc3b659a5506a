/** The session's state for the screens. */
import { atom } from 'jotai';
import type { UserInfo } from '#contract/auth.ts';
import { storedFlag } from './safe-storage.ts';

/**
 *   starting ─▶ signedOut ─sign in─▶ signedIn ─sign out─▶ signedOut
 *        │                              ▲  │
 *        ├─▶ signedIn (refreshed, or trusted and opened from local data)
 *        ├─▶ offlineLocked ─try again───┘  │  (not trusted, and no answer from the network)
 *        ├─▶ expired ◀──── refresh refused ┘
 *        └─▶ failed   (the code that opens the storage failed to load)
 */
export type Session =
  | { kind: 'starting' }
  /** `isByChoice`: just logged out, so no hint about protected pages. */
  | { kind: 'signedOut'; isByChoice: boolean }
  /**
   * `message`: the server's sentence. `unsent`: operations waiting for the next sign-in. `deleted`:
   * forms and pictures that were not kept for it.
   */
  | { kind: 'expired'; message: string; unsent: number; deleted: number }
  /** `isInMemory`: the browser stores nothing to open from. */
  | { kind: 'offlineLocked'; unsent: number; isInMemory: boolean }
  | { kind: 'failed'; error: unknown }
  | { kind: 'signedIn'; userInfo: UserInfo };

export const sessionAtom = atom<Session>({ kind: 'starting' });

/** Local storage key of Trust This Device. Specified name; do not rename. */
export const trustStorageKey = 'persist';

/** There may be a session: without this flag no database is opened. */
export const sessionHint = storedFlag('sessionHeld');
