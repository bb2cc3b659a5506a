import { readUsers, readUserView } from '#db/queries.ts';
import type { Failure } from '#domain/outcome.ts';
import type { UserView } from '#domain/overlay.ts';
import type { User } from '#domain/user.ts';
import { useSignedIn } from './services.ts';
import { useSyncStatus } from './use-connection.ts';
import { useLive } from './use-live.ts';

/** With pending edits applied; undefined while loading, null: not on this device. */
export function useUser(id: string): UserView | null | undefined {
  const { db } = useSignedIn();
  return useLive(`${db.name}/${id}`, () => readUserView(db, id));
}

/** The mirrored row; undefined while loading, null: not on this device. */
export function useMirroredUser(id: string): User | null | undefined {
  const { db } = useSignedIn();
  return useLive(`${db.name}/${id}/mirrored`, async () => (await db.users.get(id)) ?? null);
}

/** Null until the first pull. */
export function useOwnUser(): UserView | null | undefined {
  return useUser(useSignedIn().userInfo.id);
}

/** All visible users; undefined while loading. */
export function useUsers(): UserView[] | undefined {
  const { db } = useSignedIn();
  return useLive(db.name, () => readUsers(db));
}

export interface UsersPull {
  /** The whole list has been pulled at least once. */
  isWhole: boolean;
  /** Why the last try failed; null: it did not. Has no message if another request failed. */
  failure: Failure | null;
  /** Failure of the list's own request. */
  ownFailure: Failure | null;
}

export function useUsersPull(): UsersPull {
  const { db } = useSignedIn();
  const { lastFailure, usersFailure } = useSyncStatus();
  const isWhole = useLive(`${db.name}/pulled`, async () => {
    const state = await db.lists.get('users');
    return state !== undefined && state.fullPages === null;
  });
  const failure = usersFailure ?? (lastFailure && { ...lastFailure, message: '' });
  return { isWhole: isWhole ?? false, failure, ownFailure: usersFailure };
}
