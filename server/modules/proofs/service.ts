/** Photos and signatures of a package: stored by its courier, seen by its sender, courier, admins. */
import { createHash } from 'node:crypto';
import { contentDigest } from '#contract/proof.ts';
import type { Actor } from '#domain/policy.ts';
import type { Database } from '#server/database/database.ts';
import { invalidField, Refusal } from '#server/http/refusal.ts';
import { findPackage } from '#server/modules/packages/repository.ts';
import { type Picture, readPicture } from './picture.ts';
import * as repository from './repository.ts';

/** Of one package, which leaves room for several attempts. */
const maxProofs = 40;

export interface ProofCall {
  actor: Actor;
  packageId: string;
  proofId: string;
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

/** Refuses with `invalid_fields`, or with `malformed` what was damaged on its way. */
function checkedDigest(bytes: Buffer, header: string): string {
  if (!header.includes('sha-256=:')) {
    throw invalidField('Content-Digest', 'Must have the SHA-256 of the bytes.');
  }
  const digest = createHash('sha256').update(bytes).digest('base64');
  if (!header.includes(contentDigest(digest))) throw new Refusal('malformed');
  return digest;
}

/**
 * Stores a picture without its metadata; the same bytes again change nothing. Refuses with
 * `not_found`, `forbidden`, `bad_picture`, `id_taken`, or `invalid_state` for too many.
 */
export async function putProof(
  tx: Database,
  call: ProofCall & { bytes: Buffer; digestHeader: string; now: Date },
): Promise<void> {
  const { actor, packageId, proofId: id, bytes, now } = call;
  const relation = await relationOf(tx, call);
  if (relation !== 'courier') throw new Refusal(relation === null ? 'not_found' : 'forbidden');
  const digest = checkedDigest(bytes, call.digestHeader);
  const picture = readPicture(bytes);
  if (picture === null) throw new Refusal('bad_picture');
  if ((await repository.countProofs(tx, packageId)) >= maxProofs) {
    throw new Refusal('invalid_state');
  }
  const owner = { packageId, courierId: actor.id };
  if (await repository.insertProof(tx, { id, ...owner, ...picture, digest, createdAt: now }))
    return;
  const kept = await repository.findProof(tx, id);
  const isSame =
    kept?.packageId === packageId && kept.courierId === actor.id && kept.digest === digest;
  if (!isSame) throw new Refusal('id_taken');
}

/** Refuses with `not_found`. */
export async function getProof(db: Database, call: ProofCall): Promise<Picture> {
  const kept = await repository.findProof(db, call.proofId);
  const isIt = kept?.packageId === call.packageId;
  if (!isIt || (await relationOf(db, call)) === null) throw new Refusal('not_found');
  return { type: kept.type, bytes: kept.bytes };
}
