/**
 * Removes pictures that are too old, and after a day those that no event names; but none of a package
 * with an open dispute.
 */
import { and, eq, isNotNull, isNull, lt, notExists, or } from 'drizzle-orm';
import { packages, proofs } from '#server/database/schema.ts';
import { keyOf } from './picture-store.ts';
import { isProof, namingEvents } from './repository.ts';
import type { Stores } from './service.ts';

/** Removed at the same time. */
const parallel = 8;

/**
 * Invariant: an object is removed before its row, so that none is left without one. If the store
 * fails, its rows stay for the next time. Throws PictureStoreFailure.
 */
export async function removeExpiredProofs(
  { db, store }: Stores,
  before: { any: Date; unnamed: Date },
): Promise<void> {
  const ofDispute = db
    .select({ id: packages.id })
    .from(packages)
    .where(and(eq(packages.id, proofs.packageId), isNotNull(packages.dispute)));
  const isUnnamed = and(lt(proofs.createdAt, before.unnamed), notExists(namingEvents(db)));
  const isOld = or(lt(proofs.createdAt, before.any), isUnnamed);
  const isExpired = and(isOld, notExists(ofDispute));
  await db.delete(proofs).where(and(isExpired, isNotNull(proofs.bytes)));
  for (;;) {
    const objects = await db
      .select({ packageId: proofs.packageId, id: proofs.id, storedDigest: proofs.storedDigest })
      .from(proofs)
      .where(and(isExpired, isNull(proofs.bytes)))
      .limit(parallel);
    if (objects.length === 0) return;
    await Promise.all(objects.map((row) => store.remove(keyOf(row))));
    await db.delete(proofs).where(or(...objects.map(isProof)));
  }
}
