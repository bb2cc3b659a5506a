/** Removes pictures that are too old. */
import { and, inArray, isNotNull, isNull, lt } from 'drizzle-orm';
import { proofs } from '#server/database/schema.ts';
import { keyOf } from './picture-store.ts';
import type { Stores } from './service.ts';

/** Removed at the same time. */
const parallel = 8;

/**
 * Invariant: an object is removed before its row, so that none is left without one. If the store
 * fails, its rows stay for the next time. Throws PictureStoreFailure.
 */
export async function removeExpiredProofs({ db, store }: Stores, before: Date): Promise<void> {
  const isExpired = lt(proofs.createdAt, before);
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
