import { readUsers, readUserView } from '#db/queries.ts';
import type { UserView } from '#domain/overlay.ts';
import type { User } from '#domain/user.ts';
import { useSignedIn } from './services.ts';
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
