/** `npm run audit -- --pictures`: every picture's bytes are there, and are those that were stored. */
import type { Database } from '#server/database/database.ts';
import {
  lostSentence,
  type PictureStore,
  PictureStoreFailure,
  readBytes,
} from './picture-store.ts';
import { type ProofRow, pagesOfProofs } from './repository.ts';

/** Read at the same time. */
const parallel = 8;

export interface PictureAudit {
  /** How many were read. */
  pictures: number;
  /** Violations as sentences. */
  broken: string[];
}

/** Reads all pictures, a few at a time, until the store fails. */
export async function auditPictures(db: Database, store: PictureStore): Promise<PictureAudit> {
  const result: PictureAudit = { pictures: 0, broken: [] };
  const check = async (row: ProofRow) => {
    if ((await readBytes(store, row)) === null) result.broken.push(lostSentence(row));
  };
  for await (const rows of pagesOfProofs(db, parallel)) {
    try {
      await Promise.all(rows.map(check));
    } catch (error) {
      if (!(error instanceof PictureStoreFailure)) throw error;
      result.broken.push(
        `The store of pictures failed, and the rest was not read: ${error.message}`,
      );
      return result;
    }
    result.pictures += rows.length;
  }
  return result;
}
