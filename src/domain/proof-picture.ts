/** A picture that proves a delivery, as a phone keeps it until the server has it. */
export type ProofKind = 'photo' | 'signature';

export interface ProofPicture {
  /** The client's own UUID, also its name on the server. */
  id: string;
  packageId: string;
  kind: ProofKind;
  /** 'image/webp', 'image/jpeg' or 'image/png'. */
  type: string;
  bytes: ArrayBuffer;
  /** SHA-256 of the bytes, in base64. */
  digest: string;
  /** ISO 8601. */
  createdAt: string;
}

/** Lane of the upload. Here because the first screen loads no operations. */
export const proofLane = (proofId: string): string => `proof:${proofId}`;
