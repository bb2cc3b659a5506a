/** Validates the form at the door and derives its proof. Pure. */
import { type Proof, type Relation, relations } from '#contract/event.ts';
import { codeDigits, isCode } from '#domain/codes.ts';
import type { ProofPicture } from '#domain/proof-picture.ts';
import { proof as words } from '#messages/en/proof.ts';
import type { DeliveryDraft } from '#state/delivery-draft.ts';

export interface Needs {
  /** 'code': the recipient's; 'return': the sender's; 'none': any proof is optional. */
  handover: 'none' | 'code' | 'return';
  isCashDue: boolean;
}

type Pictures = readonly Pick<ProofPicture, 'id' | 'kind'>[];

export const relationOf = ({ relation }: Pick<DeliveryDraft, 'relation'>): Relation | undefined =>
  relations.find((each) => each === relation);

/** The complaint about a code as far as it is typed; undefined: none yet. */
export function codeComplaint(code: string): string | undefined {
  return code.length < codeDigits || isCode(code) ? undefined : words.code.wrongDigit;
}

function missingCode({ code }: DeliveryDraft): Record<string, string> {
  if (isCode(code)) return {};
  return { code: codeComplaint(code) ?? words.code.missing };
}

function missingShown(draft: DeliveryDraft, pictures: Pictures): Record<string, string> {
  const hasPhoto = pictures.some(({ kind }) => kind === 'photo');
  return {
    ...(hasPhoto ? {} : { photo: words.photos.needed }),
    ...(relationOf(draft) ? {} : { relation: words.who.noRelation }),
    ...(draft.recipientName.trim() ? {} : { recipientName: words.who.noName }),
  };
}

/** Complaints by field. */
export function missingOf(
  draft: DeliveryDraft,
  pictures: Pictures,
  { handover, isCashDue }: Needs,
): Record<string, string> {
  const isByCode = handover === 'return' || (handover === 'code' && draft.way !== 'photo');
  const proof = isByCode
    ? draft.qr === '' && missingCode(draft)
    : handover === 'code' && missingShown(draft, pictures);
  return {
    ...(isCashDue && draft.isCashCollected === null ? { cash: words.cash.missing } : {}),
    ...proof,
  };
}

/** With nothing missing. Pictures taken before the code was found go along. */
export function proofGiven(draft: DeliveryDraft, pictures: Pictures, { handover }: Needs): Proof {
  const { qr, code, recipientName } = draft;
  if (handover === 'return') return { code };
  const isByCode = handover === 'code' && draft.way !== 'photo';
  const photoIds = pictures.filter(({ kind }) => kind === 'photo').map(({ id }) => id);
  const signatureId = pictures.find(({ kind }) => kind === 'signature')?.id;
  const relation = relationOf(draft);
  return {
    ...(isByCode && (qr ? { qr } : { code })),
    ...(recipientName.trim() && { recipientName: recipientName.trim() }),
    ...(relation && { relation }),
    ...(photoIds.length > 0 && { photoIds }),
    ...(signatureId && { signatureId }),
  };
}
