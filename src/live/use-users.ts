import { readUsers, readUserView } from '#db/queries.ts';
import type { UserView } from '#domain/overlay.ts';
import { useSignedIn } from './services.ts';
import { useLive } from './use-live.ts';

/** One user under their own pending edits; undefined while loading, null: not on this device. */
export function useUser(id: string): UserView | null | undefined {
  const { db } = useSignedIn();
  return useLive(`${db.name}/${id}`, () => readUserView(db, id));
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
