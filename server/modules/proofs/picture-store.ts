/**
 * Stores the bytes of pictures in their rows, or as objects of an S3-compatible store. Each row says
 * where its bytes are, so both can be in use while one replaces the other.
 */
import { createHash } from 'node:crypto';
import type { ProofRow } from './repository.ts';

/** The store was not reached, or refused. Its message has no credentials. */
export class PictureStoreFailure extends Error {
  override name = 'PictureStoreFailure';
}

/** All throw PictureStoreFailure. */
export interface PictureStore {
  /** Resolves with the bytes to be kept in the row: null if they are in the store. */
  put(key: string, bytes: Uint8Array): Promise<Uint8Array | null>;
  /** Null: there is no such object. */
  get(key: string): Promise<Uint8Array | null>;
  /** Succeeds also if the picture does not exist. */
  remove(key: string): Promise<void>;
}

/** In hex. */
export const digestOf = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex');

/**
 * An object never has other bytes: a second picture with the same id does not replace the first, and
 * the same one again replaces what an interrupted upload left.
 */
export const keyOf = ({
  packageId,
  id,
  storedDigest,
}: Pick<ProofRow, 'packageId' | 'id' | 'storedDigest'>): string =>
  `${packageId}/${id}/${storedDigest}`;

/** The stored bytes; null if they are lost or damaged. Throws PictureStoreFailure. */
export async function readBytes(
  store: PictureStore,
  row: Pick<ProofRow, 'packageId' | 'id' | 'bytes' | 'storedDigest'>,
): Promise<Uint8Array | null> {
  const bytes = row.bytes ?? (await store.get(keyOf(row)));
  const isWhole = bytes && digestOf(bytes) === row.storedDigest;
  return isWhole ? bytes : null;
}

/** For the operator. */
export const lostSentence = ({ id, packageId }: Pick<ProofRow, 'id' | 'packageId'>): string =>
  `Picture ${id} of package ${packageId} is lost or damaged.`;
