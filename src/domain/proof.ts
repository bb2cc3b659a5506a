/** Proofs of a delivery or a return, and the refusal without one. */
import type { Proof, RecordEventBody } from '#contract/event.ts';
import type { VerifiedBy } from '#contract/package.ts';
import type { StoredPackage } from './package.ts';
import type { Actor, Refusal } from './policy.ts';

/** After this many wrong codes, the code is locked. */
export const maxWrongCodes = 5;

/** Only who knows the package's secrets can compare. */
export interface ProofCheck {
  isLocked: boolean;
  isRight(what: 'dropoffCode' | 'returnCode' | 'dropoffToken', given: string): boolean;
  /** Has this picture arrived? */
  isStored(pictureId: string): boolean;
}

export type ProofReading =
  | { isAllowed: true; verifiedBy: VerifiedBy | null }
  | { isAllowed: false; code: Refusal };

const by = (verifiedBy: VerifiedBy | null): ProofReading => ({ isAllowed: true, verifiedBy });
const no = (code: Refusal): ProofReading => ({ isAllowed: false, code });

/** A photo counts only with a recipient's name and relation. */
export function isShown({ photoIds = [], recipientName, relation }: Proof): boolean {
  return photoIds.length > 0 && recipientName !== undefined && relation !== undefined;
}

/** The ids of all pictures that a proof names. */
export function picturesOf({
  photoIds = [],
  signatureId = null,
}: {
  photoIds?: readonly string[] | undefined;
  signatureId?: string | null | undefined;
}): string[] {
  return [...new Set(signatureId === null ? photoIds : [...photoIds, signatureId])];
}

/** On whose word alone a package counts as delivered or returned; null: the courier's is not enough. */
export function wordOf(
  actor: Pick<Actor, 'id' | 'role'>,
  { senderId }: Pick<StoredPackage, 'senderId'>,
): 'sender' | 'admin' | null {
  if (senderId === actor.id) return 'sender';
  return actor.role === 'Admin' ? 'admin' : null;
}

/** The kind of proof claimed, before it is verified. */
export function claimOf(proof: Proof = {}): VerifiedBy | null {
  if (proof.qr !== undefined) return 'qr';
  if (proof.code !== undefined) return 'code';
  return isShown(proof) ? 'photo' : null;
}

function readCode(given: string, what: 'dropoffCode' | 'returnCode', check: ProofCheck) {
  if (check.isLocked) return no('code_locked');
  return check.isRight(what, given) ? by('code') : no('wrong_code');
}

/** Allowed only if it is proven as this package needs it. */
export function readProof(
  actor: Actor,
  pkg: StoredPackage,
  { type, proof = {} }: Pick<RecordEventBody, 'type' | 'proof'>,
  check: ProofCheck,
): ProofReading {
  if (type !== 'delivered' && type !== 'returned') return by(null);
  const word = wordOf(actor, pkg);
  if (word !== null) return by(word);
  const { code, qr } = proof;
  if (type === 'returned') {
    return code === undefined ? no('proof_required') : readCode(code, 'returnCode', check);
  }
  const shown = by(isShown(proof) ? 'photo' : null);
  if (pkg.handover === 'none') return shown;
  if (qr !== undefined) return check.isRight('dropoffToken', qr) ? by('qr') : no('wrong_code');
  if (code !== undefined) return readCode(code, 'dropoffCode', check);
  return isShown(proof) ? shown : no('proof_required');
}
