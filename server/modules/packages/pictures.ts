/** The effect of an arrived picture on the delivery that names it. */
import { isShown, picturesOf } from '#domain/proof.ts';
import type { Database } from '#server/database/database.ts';
import { inTransaction } from '#server/database/transaction.ts';
import { storedOf } from '#server/modules/proofs/repository.ts';
import { lastDelivery } from './event-rules.ts';
import { readPast } from './package-events.ts';
import type { MoneyTerms } from './package-money.ts';
import { settleChange } from './package-payment.ts';
import { lockPackage, updatePackage } from './repository.ts';

interface Needs {
  db: Database;
  now: () => Date;
  terms: MoneyTerms;
}

/**
 * Recounts missing pictures after one was stored. Under the package's lock: of a picture and the
 * delivery that names it, whichever commits last sees the other. The last picture proves the
 * delivery and schedules its payout.
 */
export function pictureArrived({ db, now, terms }: Needs, packageId: string): Promise<void> {
  return inTransaction(db, async (tx) => {
    const row = await lockPackage(tx, packageId);
    if (!row || row.photosMissing === 0) return;
    const delivery = lastDelivery(await readPast(tx, packageId));
    if (!delivery?.proof) return;
    const { recipientName, relation, photoIds, signatureId } = delivery.proof;
    const named = picturesOf({ photoIds, signatureId });
    const photosMissing = named.length - (await storedOf(tx, packageId, named)).size;
    if (photosMissing === row.photosMissing) return;
    const isProof =
      recipientName !== null &&
      relation !== null &&
      isShown({ photoIds: [...photoIds], recipientName, relation: relation as never });
    const isProven = photosMissing === 0 && isProof && row.verifiedBy === null;
    const at = now();
    const after = {
      ...row,
      photosMissing,
      wanted: undefined,
      isVerified: false,
      isDeleted: false,
    };
    const money = await settleChange(tx, { row, after, actorId: null, now: at, terms });
    await updatePackage(tx, packageId, {
      ...money,
      photosMissing,
      ...(isProven ? { verifiedBy: 'photo' as const } : {}),
      version: row.version + 1,
      updatedAt: at,
    });
  });
}
