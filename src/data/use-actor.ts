import { useAtomValue } from 'jotai';
import { useMemo } from 'react';
import type { UserView } from '#domain/overlay.ts';
import type { Actor } from '#domain/policy.ts';
import { isProfileComplete, roleOf } from '#domain/user.ts';
import { ownUserAtom } from '#state/users.ts';
import { useSignedIn } from './services.ts';

/**
 * The actor for domain/policy. Until their row is loaded the token's claims count, which lack the
 * phone number: callers that warn about an incomplete profile must wait for the row.
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

export const useActor = (): Actor => useActorOf(useAtomValue(ownUserAtom));
