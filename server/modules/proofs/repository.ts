/** Rows of photos and signatures. */
import { and, count, eq, gt, isNotNull, isNull, or, sql } from 'drizzle-orm';
import type { Database } from '#server/database/database.ts';
import { packageEvents, proofs } from '#server/database/schema.ts';

export type ProofRow = typeof proofs.$inferSelect;

/** False if the id exists already. */
export async function insertProof(tx: Database, row: ProofRow): Promise<boolean> {
  const rows = await tx.insert(proofs).values(row).onConflictDoNothing().returning({
    id: proofs.id,
  });
  return rows.length > 0;
}

export async function findProof(db: Database, id: string): Promise<ProofRow | null> {
  const [found] = await db.select().from(proofs).where(eq(proofs.id, id));
  return found ?? null;
}

/** All rows as a stream of a few at a time, with their bytes. */
export async function* pagesOfProofs(db: Database, size: number): AsyncGenerator<ProofRow[]> {
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const rows = await db
      .select()
      .from(proofs)
      .where(gt(proofs.id, after))
      .orderBy(proofs.id)
      .limit(size);
    if (rows.length > 0) yield rows;
    if (rows.length < size) return;
    after = rows.at(-1)?.id ?? after;
  }
}

/** Says where the bytes are now; false if the row is gone, or says so already. */
export async function setPlace(
  db: Database,
  id: string,
  place: Pick<ProofRow, 'bytes' | 'size' | 'storedDigest'>,
): Promise<boolean> {
  const isElsewhere = place.bytes === null ? isNotNull(proofs.bytes) : isNull(proofs.bytes);
  const rows = await db
    .update(proofs)
    .set(place)
    .where(and(eq(proofs.id, id), isElsewhere))
    .returning({ id: proofs.id });
  return rows.length > 0;
}

export async function countProofs(db: Database, packageId: string): Promise<number> {
  const [found] = await db
    .select({ count: count() })
    .from(proofs)
    .where(eq(proofs.packageId, packageId));
  return found?.count ?? 0;
}

/** Does an event that this person recorded of the package name it? */
export async function isNamed(
  db: Database,
  { packageId, actorId, proofId }: { packageId: string; actorId: string; proofId: string },
): Promise<boolean> {
  const rows = await db
    .select({ id: packageEvents.id })
    .from(packageEvents)
    .where(
      and(
        eq(packageEvents.packageId, packageId),
        eq(packageEvents.actorId, actorId),
        or(
          sql`${packageEvents.proof} -> 'photoIds' ? ${proofId}`,
          sql`${packageEvents.proof} ->> 'signatureId' = ${proofId}`,
        ),
      ),
    )
    .limit(1);
  return rows.length > 0;
}

export interface PictureTotals {
  place: 'database' | 'object_store';
  count: number;
  bytes: number;
}

/** One for each place. Reads all rows, without their bytes. */
export async function pictureTotals(db: Database): Promise<PictureTotals[]> {
  const isObject = sql<boolean>`${proofs.bytes} is null`;
  const size = sql<number>`coalesce(sum(coalesce(${proofs.size}, octet_length(${proofs.bytes}))), 0)`;
  const rows = await db
    .select({ isObject, count: count(), bytes: size.mapWith(Number) })
    .from(proofs)
    .groupBy(isObject);
  return (['database', 'object_store'] as const).map((place) => ({
    place,
    count: 0,
    bytes: 0,
    ...rows.find((row) => row.isObject === (place === 'object_store')),
  }));
}
