/** Photos and signatures of a package: stored by who recorded with them, seen by its sender, courier, admins. */
import { createHash } from 'node:crypto';
import { contentDigest } from '#contract/proof.ts';
import type { Actor } from '#domain/policy.ts';
import type { Database } from '#server/database/database.ts';
import { inTransaction } from '#server/database/transaction.ts';
import { invalidField, Refusal } from '#server/http/refusal.ts';
import { findPackage, lockPackage } from '#server/modules/packages/repository.ts';
import type { RateLimits } from '#server/plugins/rate-limits.ts';
import { type Picture, readPicture } from './picture.ts';
import { digestOf, keyOf, type PictureStore, readBytes } from './picture-store.ts';
import * as repository from './repository.ts';

/** Pictures per person and package: enough for several attempts. */
const maxProofs = 40;

export interface ProofCall {
  actor: Actor;
  packageId: string;
  proofId: string;
}

export interface Stores {
  db: Database;
  store: PictureStore;
}

type Relation = 'author' | 'reader' | null;

/**
 * Only the author of an event stores the pictures it names, possibly long after it. A picture that no
 * event names yet may come from the package's current courier, or its last one.
 */
async function relationOf(db: Database, { actor, packageId, proofId }: ProofCall) {
  const found = await findPackage(db, packageId);
  if (found === null) return null;
  const { sender, courier } = found.pkg;
  const isCourier = actor.role === 'Employee' && courier?.id === actor.id;
  const author = await repository.authorOf(db, { packageId, id: proofId });
  const isAuthor = author === null ? isCourier : author === actor.id;
  const isReader = isCourier || sender.id === actor.id || actor.role === 'Admin';
  const relation: Relation = isAuthor ? 'author' : isReader ? 'reader' : null;
  return relation;
}

/** Refuses with `invalid_fields` or `picture_damaged`. */
function checkedDigest(bytes: Buffer, header: string): string {
  if (!header.includes('sha-256=:')) {
    throw invalidField('Content-Digest', 'Must have the SHA-256 of the bytes.');
  }
  const digest = createHash('sha256').update(bytes).digest('base64');
  if (!header.includes(contentDigest(digest))) throw new Refusal('picture_damaged');
  return digest;
}

/** Refuses with `invalid_state` who has stored `tooMany` or more of the package. */
async function requireRoom(
  db: Database,
  by: Parameters<typeof repository.countProofs>[1],
  tooMany: number,
): Promise<void> {
  const count = await repository.countProofs(db, by);
  if (count >= tooMany) throw new Refusal('invalid_state');
}

/** Has this person stored it already? Refuses with `id_taken` if it is another picture. */
async function isStored(db: Database, call: ProofCall, digest: string): Promise<boolean> {
  const kept = await repository.findProof(db, { packageId: call.packageId, id: call.proofId });
  if (kept === null) return false;
  const isSame = kept.courierId === call.actor.id && kept.digest === digest;
  if (!isSame) throw new Refusal('id_taken');
  return true;
}

/**
 * Stores a picture without its metadata; the same bytes again change nothing. The bytes are stored
 * first, so a row never waits for them, and outside a transaction, which would hold a connection.
 * Refuses with `not_found`, `forbidden`, `bad_picture`, `id_taken`, `rate_limited`, or `invalid_state`
 * for too many of one person and package; throws PictureStoreFailure.
 */
export async function putProof(
  { db, store, limits }: Stores & { limits: Pick<RateLimits, 'storePicture'> },
  call: ProofCall & { bytes: Buffer; digestHeader: string; now: Date },
): Promise<void> {
  const { actor, packageId, proofId: id } = call;
  const relation = await relationOf(db, call);
  if (relation !== 'author') throw new Refusal(relation === null ? 'not_found' : 'forbidden');
  const digest = checkedDigest(call.bytes, call.digestHeader);
  const picture = readPicture(call.bytes);
  if (picture === null) throw new Refusal('bad_picture');
  if (await isStored(db, call, digest)) return;
  const size = picture.bytes.length;
  await limits.storePicture(null, actor.id, size);
  const by = { packageId, courierId: actor.id };
  await requireRoom(db, by, maxProofs);
  const storedDigest = digestOf(picture.bytes);
  const key = keyOf({ packageId, id, storedDigest });
  const bytes = await store.put(key, picture.bytes);
  const row = {
    id,
    ...by,
    type: picture.type,
    digest,
    storedDigest,
    size,
    bytes,
    createdAt: call.now,
  };
  // A refusal here means that other uploads came in between, after the first check. The object of a
  // refused upload stays behind, like that of an interrupted one.
  const isInserted = await inTransaction(db, async (tx) => {
    if (!(await lockPackage(tx, packageId))) throw new Refusal('not_found');
    const isNew = await repository.insertProof(tx, row);
    if (isNew) await requireRoom(tx, by, maxProofs + 1);
    if (isNew) await limits.storePicture(tx, actor.id, size);
    return isNew;
  });
  if (isInserted) return;
  // Another call was first, which may have stored the same object.
  const first = await repository.findProof(db, row);
  const isShared = first?.bytes === null && keyOf(first) === key;
  if (bytes === null && !isShared) await store.remove(key);
  if (!(await isStored(db, call, digest))) throw new Refusal('id_taken');
}

/** Refuses with `not_found`, or `picture_missing`; throws PictureStoreFailure. */
export async function getProof({ db, store }: Stores, call: ProofCall): Promise<Picture> {
  const kept = await repository.findProof(db, { packageId: call.packageId, id: call.proofId });
  if (kept === null || (await relationOf(db, call)) === null) throw new Refusal('not_found');
  const bytes = await readBytes(store, kept);
  if (bytes === null) throw new Refusal('picture_missing');
  return { type: kept.type, bytes };
}
