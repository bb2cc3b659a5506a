/** `npm run pictures`: moves the bytes of all pictures to the other place. */
import type { Database } from '#server/database/database.ts';
import { untilAllEnded } from '#server/http/until-all-ended.ts';
import { digestOf, keyOf, lostSentence, type PictureStore, readBytes } from './picture-store.ts';
import * as repository from './repository.ts';

/** Moved at the same time. */
const parallel = 8;

export type Place = 'store' | 'database';

/**
 * The bytes are in the new place before the row says so, and removed from the old one after: servers
 * run beside it, and an interrupted run is continued by the next. Throws PictureStoreFailure.
 */
export async function movePictures(
  { db, store }: { db: Database; store: PictureStore },
  to: Place,
): Promise<{ moved: number; lost: string[] }> {
  const result = { moved: 0, lost: [] as string[] };
  const move = async (row: repository.ProofRow) => {
    if ((row.bytes === null) === (to === 'store')) return;
    const bytes = await readBytes(store, row);
    if (bytes === null) return void result.lost.push(lostSentence(row));
    const storedDigest = digestOf(bytes);
    const key = keyOf({ ...row, storedDigest });
    const kept = to === 'store' ? await store.put(key, bytes) : bytes;
    const place = { bytes: kept, size: bytes.length, storedDigest };
    const isMoved = await repository.setPlace(db, row, place);
    if (isMoved) result.moved += 1;
    // If it was not moved, another run was faster, or retention removed the row in between.
    const isGone = !isMoved && (await repository.findProof(db, row)) === null;
    if (isGone || (isMoved && to === 'database')) await store.remove(key);
  };
  for await (const rows of repository.pagesOfProofs(db, parallel)) {
    // Reports a failure only after all moves ended: the caller then closes the database.
    await untilAllEnded(rows.map(move));
  }
  return result;
}
