/** Who is signed in, as far as the screens need to know. */
import { atom } from 'jotai';
import type { UserInfo } from '#contract/auth.ts';
import { storedFlag } from './safe-storage.ts';

/**
 *   starting ─▶ signedOut ─sign in─▶ signedIn ─sign out─▶ signedOut
 *        │                              ▲  │
 *        ├─▶ signedIn (refreshed, or trusted and opened from local data)
 *        ├─▶ offlineLocked ─try again───┘  │  (not trusted, and no answer from the network)
 *        ├─▶ expired ◀──── refresh refused ┘
 *        └─▶ failed   (what opens the storage did not come)
 */
export type Session =
  | { kind: 'starting' }
  /** `isByChoice`: they have just logged out, so nothing needs saying about protected pages. */
  | { kind: 'signedOut'; isByChoice: boolean }
  /** `message`: the server's sentence. `unsent`: operations that wait for the next sign-in. */
  | { kind: 'expired'; message: string; unsent: number }
  /** `isInMemory`: the browser keeps nothing, so there is nothing to open from. */
  | { kind: 'offlineLocked'; unsent: number; isInMemory: boolean }
  | { kind: 'failed'; error: unknown }
  | { kind: 'signedIn'; userInfo: UserInfo };

export const sessionAtom = atom<Session>({ kind: 'starting' });

/** Local storage keeps the Trust This Device flag under this name. */
export const trustStorageKey = 'persist';

/** There may be a session: without this flag no database is opened. */
export const sessionHint = storedFlag('sessionHeld');
