import { readUsers, readUserView } from '#db/queries.ts';
import type { Failure } from '#domain/outcome.ts';
import type { UserView } from '#domain/overlay.ts';
import type { User } from '#domain/user.ts';
import { useSignedIn } from './services.ts';
import { useSyncStatus } from './use-connection.ts';
import { useLive } from './use-live.ts';

/** One user under their own pending edits; undefined while loading, null: not on this device. */
export function useUser(id: string): UserView | null | undefined {
  const { db } = useSignedIn();
  return useLive(`${db.name}/${id}`, () => readUserView(db, id));
}

/** The server's last word on a user, nothing laid over; undefined while loading, null: not here. */
export function useMirroredUser(id: string): User | null | undefined {
  const { db } = useSignedIn();
  return useLive(`${db.name}/${id}/mirrored`, async () => (await db.users.get(id)) ?? null);
}

/** The signed-in user; null until the first pull has brought them. */
export function useOwnUser(): UserView | null | undefined {
  return useUser(useSignedIn().userInfo.id);
}

/** Every user that the signed-in user can see; undefined while loading. */
export function useUsers(): UserView[] | undefined {
  const { db } = useSignedIn();
  return useLive(db.name, () => readUsers(db));
}

/** How complete the users on this device are: who is not here may yet come until all have been. */
export interface UsersPull {
  /** The server's list has been here whole; false while that is not known. */
  isWhole: boolean;
  /** Why the last try failed; null: it did not. Without a message where another call failed. */
  failure: Failure | null;
}

export function useUsersPull(): UsersPull {
  const { db } = useSignedIn();
  const { lastFailure, usersFailure } = useSyncStatus();
  const isWhole = useLive(`${db.name}/pulled`, async () => {
    const state = await db.lists.get('users');
    return state !== undefined && state.fullPages === null;
  });
  const failure = usersFailure ?? (lastFailure && { ...lastFailure, message: '' });
  return { isWhole: isWhole ?? false, failure };
}
