/**
 * Pictures that prove a delivery: kept here from the moment they are taken until the server has
 * them. One that no operation uploads yet belongs to the draft of its package's delivery. Bytes, not
 * a Blob: WebKit cannot store one in every mode.
 */
import { type ProofPicture, proofLane } from '#domain/proof-picture.ts';
import type { UserDatabase } from './user-database.ts';

/** A draft that was never delivered with, as the package went to another or was cancelled. */
const draftDays = 7;

const isDraft = async (db: UserDatabase, { id }: ProofPicture) =>
  (await db.outbox.where('lane').equals(proofLane(id)).count()) === 0;

/** Durable once resolved. */
export function addProof(db: UserDatabase, proof: ProofPicture): Promise<void> {
  return db.transaction('rw', [db.proofs, db.outbox], async () => {
    await dropDrafts(db, new Date(Date.parse(proof.createdAt) - draftDays * 86_400_000));
    await db.proofs.add(proof);
  });
}

/** Pictures taken for the delivery of this package and not yet used, oldest first. */
export function readDraftProofs(db: UserDatabase, packageId: string): Promise<ProofPicture[]> {
  return db.transaction('r', [db.proofs, db.outbox], async () => {
    const rows = await db.proofs.where('packageId').equals(packageId).sortBy('createdAt');
    const areDrafts = await Promise.all(rows.map((row) => isDraft(db, row)));
    return rows.filter((_, at) => areDrafts[at]);
  });
}

/** Counts pictures without an upload, which a sign-out deletes (`dropDrafts`). */
export function countDraftProofs(db: UserDatabase): Promise<Record<ProofPicture['kind'], number>> {
  return db.transaction('r', [db.proofs, db.outbox], async () => {
    const ids = await db.proofs.toCollection().primaryKeys();
    const queued = await Promise.all(
      ids.map((id) => db.outbox.where('lane').equals(proofLane(id)).count()),
    );
    const drafts = await db.proofs.bulkGet(ids.filter((_, at) => queued[at] === 0));
    const count = (kind: ProofPicture['kind']) =>
      drafts.filter((draft) => draft?.kind === kind).length;
    return { photo: count('photo'), signature: count('signature') };
  });
}

/** Within a transaction. `before`: only those taken before it. */
export async function dropDrafts(db: UserDatabase, before?: Date): Promise<void> {
  const at = before?.toISOString();
  // Keys only: the bytes of dozens of pictures stay on the disk.
  const ids = await (at === undefined
    ? db.proofs.toCollection()
    : db.proofs.where('createdAt').below(at)
  ).primaryKeys();
  const lanes = await Promise.all(
    ids.map((id) => db.outbox.where('lane').equals(proofLane(id)).count()),
  );
  await db.proofs.bulkDelete(ids.filter((_, index) => lanes[index] === 0));
}
