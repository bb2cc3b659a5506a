import { useAtomValue } from 'jotai';
import { useMemo } from 'react';
import type { UserView } from '#domain/overlay.ts';
import type { Actor } from '#domain/policy.ts';
import { isProfileComplete, roleOf } from '#domain/user.ts';
import { ownUserAtom } from '#state/users.ts';
import { useSignedIn } from './services.ts';

/**
 * Who asks, for domain/policy, by their own row: undefined or null until it is there. Then what the
 * token said counts, which knows no phone number, so that a profile is incomplete until the row is
 * read. What says so to somebody holds back until then, and asks by the very row that it waits for.
 */
export function useActorOf(own: UserView | null | undefined): Actor {
  const { userInfo } = useSignedIn();
  return useMemo(
    () => ({
      id: userInfo.id,
      role: roleOf(own?.roles ?? userInfo.roles),
      isProfileComplete: isProfileComplete(own ?? { ...userInfo, phoneNumber: null }),
    }),
    [userInfo, own],
  );
}

/** By the row that is kept up beside the screens: who they are and what they may do at all. */
export const useActor = (): Actor => useActorOf(useAtomValue(ownUserAtom));
