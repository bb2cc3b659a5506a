/** Who is signed in, as far as the screens need to know (DESIGN.md section 2, 'On load'). */
import { atom } from 'jotai';
import type { UserInfo } from '#contract/auth.ts';

/**
 *   starting ─▶ signedOut ─sign in─▶ signedIn ─sign out─▶ signedOut
 *        │                              ▲  │
 *        ├─▶ signedIn (refreshed, or trusted and opened from local data)
 *        ├─▶ offlineLocked ─try again───┘  │  (not trusted, and no answer from the network)
 *        └─▶ expired ◀──── refresh refused ┘
 */
export type Session =
  | { kind: 'starting' }
  /** `isByChoice`: they have just logged out, so nothing needs saying about protected pages. */
  | { kind: 'signedOut'; isByChoice: boolean }
  /** `message`: the server's sentence. */
  | { kind: 'expired'; message: string }
  | { kind: 'offlineLocked' }
  | { kind: 'signedIn'; userInfo: UserInfo };

export const sessionAtom = atom<Session>({ kind: 'starting' });

/** SPEC.md section 2: the Trust This Device flag is kept in local storage under this name. */
export const trustStorageKey = 'persist';
