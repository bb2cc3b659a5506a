/** `npm run pictures`: moves the bytes of all pictures to the other place. */
import type { Database } from '#server/database/database.ts';
import { digestOf, keyOf, type PictureStore, readBytes } from './picture-store.ts';
import * as repository from './repository.ts';

/** Moved at the same time. */
const parallel = 8;

export type Place = 'store' | 'database';

/** False: its row is gone, or another run was first. */
async function toStore(db: Database, store: PictureStore, row: repository.ProofRow, bytes: Buffer) {
  const storedDigest = digestOf(bytes);
  const place = { bytes: null, size: bytes.length, storedDigest };
  const key = keyOf({ id: row.id, storedDigest });
  await store.put(key, bytes);
  if (await repository.setPlace(db, row.id, place)) return true;
  // Retention removed the row in between.
  if ((await repository.findProof(db, row.id)) === null) await store.remove(key);
  return false;
}

async function toDatabase(
  db: Database,
  store: PictureStore,
  row: repository.ProofRow,
  bytes: Buffer,
) {
  const place = { bytes, size: bytes.length, storedDigest: digestOf(bytes) };
  const isMoved = await repository.setPlace(db, row.id, place);
  if (isMoved) await store.remove(keyOf(row));
  return isMoved;
}

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
    if (bytes === null) {
      result.lost.push(`Picture ${row.id} of package ${row.packageId} is lost or damaged.`);
      return;
    }
    const isMoved = await (to === 'store' ? toStore : toDatabase)(
      ...([db, store, row, Buffer.from(bytes)] as const),
    );
    if (isMoved) result.moved += 1;
  };
  for await (const rows of repository.pagesOfProofs(db, parallel)) {
    await Promise.all(rows.map(move));
  }
  return result;
}
