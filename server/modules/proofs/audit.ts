/** `npm run audit -- --pictures`: every picture's bytes are there, and are those that were stored. */
import { gt } from 'drizzle-orm';
import type { Database } from '#server/database/database.ts';
import { proofs } from '#server/database/schema.ts';
import { type PictureStore, PictureStoreFailure, readBytes } from './picture-store.ts';

/** Read at the same time. */
const parallel = 8;

const columns = {
  id: proofs.id,
  packageId: proofs.packageId,
  bytes: proofs.bytes,
  storedDigest: proofs.storedDigest,
};

export interface PictureAudit {
  /** How many were read. */
  pictures: number;
  /** Violations as sentences. */
  broken: string[];
}

/** Reads all pictures, a few at a time, until the store fails. */
export async function auditPictures(db: Database, store: PictureStore): Promise<PictureAudit> {
  const result: PictureAudit = { pictures: 0, broken: [] };
  const check = async (row: Parameters<typeof readBytes>[1] & { packageId: string }) => {
    if ((await readBytes(store, row)) !== null) return;
    result.broken.push(`Picture ${row.id} of package ${row.packageId} is lost or damaged.`);
  };
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const rows = await db
      .select(columns)
      .from(proofs)
      .where(gt(proofs.id, after))
      .orderBy(proofs.id)
      .limit(parallel);
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
    after = rows.at(-1)?.id ?? after;
    if (rows.length < parallel) return result;
  }
}
