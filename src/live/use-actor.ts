import { useMemo } from 'react';
import type { Actor } from '#domain/policy.ts';
import { isProfileComplete, roleOf } from '#domain/user.ts';
import { useSignedIn } from './services.ts';
import { useOwnUser } from './use-users.ts';

/**
 * Who asks, for domain/policy: the own row with pending edits, until it is there what the token
 * said. The token knows no phone number, so a profile counts as incomplete until the row is read:
 * screens that say so wait for `useOwnUser` first.
 */
export function useActor(): Actor {
  const { userInfo } = useSignedIn();
  const own = useOwnUser();
  return useMemo(
    () => ({
      id: userInfo.id,
      role: roleOf(own?.roles ?? userInfo.roles),
      isProfileComplete: isProfileComplete(own ?? { ...userInfo, phoneNumber: null }),
    }),
    [userInfo, own],
  );
}
