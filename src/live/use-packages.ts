import { readPackageView, readPackageViews, readSelf } from '#db/queries.ts';
import type { PackageView } from '#domain/overlay.ts';
import type { Package } from '#domain/package.ts';
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

/** The server's last word on these packages, by id, nothing laid over; undefined while loading. */
export function useMirroredPackages(ids: readonly string[]): Map<string, Package> | undefined {
  const { db } = useSignedIn();
  const key = [...new Set(ids)].sort();
  return useLive(`${db.name}/${key.join()}`, async () => {
    const rows = await db.packages.bulkGet(key);
    return new Map(rows.flatMap((row) => (row ? [[row.id, row] as const] : [])));
  });
}
