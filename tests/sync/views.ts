/** What screens should show, computed from scratch from stored data: the store's oracle. */
import type { UserDatabase } from '#db/user-database.ts';
import type { Operation } from '#domain/operation.ts';
import { overlayPackage, overlayPackages, type PackageView } from '#domain/overlay.ts';
import type { Self } from '#domain/user.ts';

/** Every package, in no particular order. */
export async function readPackageViews(db: UserDatabase, self: Self): Promise<PackageView[]> {
  const [rows, operations] = await db.transaction('r', [db.packages, db.outbox], () =>
    Promise.all([db.packages.toArray(), db.outbox.toArray()]),
  );
  return overlayPackages(rows, operations, self);
}

/** One package; null: there is none to show. */
export async function readPackageView(
  db: UserDatabase,
  id: string,
  self: Self,
): Promise<PackageView | null> {
  const [row, operations] = await db.transaction('r', [db.packages, db.outbox], () =>
    Promise.all([db.packages.get(id), db.outbox.toArray()]),
  );
  const own = operations.filter(({ name, targetId }) => name !== 'editProfile' && targetId === id);
  return overlayPackage(row ?? null, own, self);
}

/** The outbox, oldest first. */
export async function readOperations(db: UserDatabase): Promise<Operation[]> {
  return await db.outbox.orderBy('seq').toArray();
}
