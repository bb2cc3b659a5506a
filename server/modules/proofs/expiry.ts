/** Removes pictures that are too old, except those of a package with an open dispute. */
import { and, eq, inArray, isNotNull, isNull, lt, notExists } from 'drizzle-orm';
import { packages, proofs } from '#server/database/schema.ts';
import { keyOf } from './picture-store.ts';
import type { Stores } from './service.ts';

/** Removed at the same time. */
const parallel = 8;

/**
 * Invariant: an object is removed before its row, so that none is left without one. If the store
 * fails, its rows stay for the next time. Throws PictureStoreFailure.
 */
export async function removeExpiredProofs({ db, store }: Stores, before: Date): Promise<void> {
  const ofDispute = db
    .select({ id: packages.id })
    .from(packages)
    .where(and(eq(packages.id, proofs.packageId), isNotNull(packages.dispute)));
  const isExpired = and(lt(proofs.createdAt, before), notExists(ofDispute));
  await db.delete(proofs).where(and(isExpired, isNotNull(proofs.bytes)));
  for (;;) {
    const objects = await db
      .select({ id: proofs.id, storedDigest: proofs.storedDigest })
      .from(proofs)
      .where(and(isExpired, isNull(proofs.bytes)))
      .limit(parallel);
    if (objects.length === 0) return;
    await Promise.all(objects.map((row) => store.remove(keyOf(row))));
    const ids = objects.map(({ id }) => id);
    await db.delete(proofs).where(inArray(proofs.id, ids));
  }
}
