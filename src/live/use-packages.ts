import { readPackageView, readPackageViews, readSelf } from '#db/queries.ts';
import type { PackageView } from '#domain/overlay.ts';
import { useSignedIn } from './services.ts';
import { useLive } from './use-live.ts';

/** Every package that the signed-in user can see, pending operations laid over; undefined while loading. */
export function usePackageViews(): PackageView[] | undefined {
  const { db, userInfo } = useSignedIn();
  return useLive(db.name, async () => readPackageViews(db, await readSelf(db, userInfo)));
}

/** One package; undefined while loading, null: there is none to show. */
export function usePackageView(id: string): PackageView | null | undefined {
  const { db, userInfo } = useSignedIn();
  return useLive(`${db.name}/${id}`, async () =>
    readPackageView(db, id, await readSelf(db, userInfo)),
  );
}
