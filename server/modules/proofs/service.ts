/** Photos and signatures of a package: stored by its courier, seen by its sender, courier, admins. */
import { createHash } from 'node:crypto';
import { contentDigest } from '#contract/proof.ts';
import type { Actor } from '#domain/policy.ts';
import type { Database } from '#server/database/database.ts';
import { invalidField, Refusal } from '#server/http/refusal.ts';
import { findPackage } from '#server/modules/packages/repository.ts';
import { type Picture, readPicture } from './picture.ts';
import { digestOf, keyOf, type PictureStore, readBytes } from './picture-store.ts';
import * as repository from './repository.ts';

/** Of one package, which leaves room for several attempts. */
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

type Relation = 'courier' | 'reader' | null;

/**
 * A courier's is the package they have or had last, and each of which they recorded an event with
 * this picture: bytes may come long after.
 */
async function relationOf(db: Database, { actor, packageId, proofId }: ProofCall) {
  const found = await findPackage(db, packageId);
  if (found === null) return null;
  const { sender, courier } = found.pkg;
  const isCourier =
    (actor.role === 'Employee' && courier?.id === actor.id) ||
    (await repository.isNamed(db, { packageId, actorId: actor.id, proofId }));
  const relation: Relation = isCourier
    ? 'courier'
    : sender.id === actor.id || actor.role === 'Admin'
      ? 'reader'
      : null;
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

/** Has this person stored it already? Refuses with `id_taken` if it is another picture. */
async function isStored(db: Database, call: ProofCall, digest: string): Promise<boolean> {
  const kept = await repository.findProof(db, call.proofId);
  if (kept === null) return false;
  const isSame =
    kept.packageId === call.packageId && kept.courierId === call.actor.id && kept.digest === digest;
  if (!isSame) throw new Refusal('id_taken');
  return true;
}

/**
 * Stores a picture without its metadata; the same bytes again change nothing. The bytes are stored
 * first, so a row never waits for them, and outside a transaction, which would hold a connection.
 * Refuses with `not_found`, `forbidden`, `bad_picture`, `id_taken`, or `invalid_state` for too many;
 * throws PictureStoreFailure.
 */
export async function putProof(
  { db, store }: Stores,
  call: ProofCall & { bytes: Buffer; digestHeader: string; now: Date },
): Promise<void> {
  const { actor, packageId, proofId: id } = call;
  const relation = await relationOf(db, call);
  if (relation !== 'courier') throw new Refusal(relation === null ? 'not_found' : 'forbidden');
  const digest = checkedDigest(call.bytes, call.digestHeader);
  const picture = readPicture(call.bytes);
  if (picture === null) throw new Refusal('bad_picture');
  if (await isStored(db, call, digest)) return;
  if ((await repository.countProofs(db, packageId)) >= maxProofs) {
    throw new Refusal('invalid_state');
  }
  const storedDigest = digestOf(picture.bytes);
  const key = keyOf({ id, storedDigest });
  const bytes = await store.put(key, picture.bytes);
  const isInserted = await repository.insertProof(db, {
    id,
    packageId,
    courierId: actor.id,
    type: picture.type,
    digest,
    storedDigest,
    size: picture.bytes.length,
    bytes,
    createdAt: call.now,
  });
  if (isInserted) return;
  // Another call was first, which may have stored the same object.
  const first = await repository.findProof(db, id);
  const isShared = first?.bytes === null && keyOf(first) === key;
  if (bytes === null && !isShared) await store.remove(key);
  if (!(await isStored(db, call, digest))) throw new Refusal('id_taken');
}

/** Refuses with `not_found`, or `picture_missing`; throws PictureStoreFailure. */
export async function getProof({ db, store }: Stores, call: ProofCall): Promise<Picture> {
  const kept = await repository.findProof(db, call.proofId);
  const isIt = kept?.packageId === call.packageId;
  if (!isIt || (await relationOf(db, call)) === null) throw new Refusal('not_found');
  const bytes = await readBytes(store, kept);
  if (bytes === null) throw new Refusal('picture_missing');
  return { type: kept.type, bytes };
}
