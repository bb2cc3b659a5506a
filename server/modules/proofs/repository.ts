/** Rows of photos and signatures. */
import { and, count, eq, inArray, isNotNull, isNull, ne, or, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Database } from '#server/database/database.ts';
import { packageEvents, proofs } from '#server/database/schema.ts';
import { sumOf } from '#server/database/sums.ts';

export type ProofRow = typeof proofs.$inferSelect;

export type ProofKey = Pick<ProofRow, 'packageId' | 'id'>;

export const isProof = ({ packageId, id }: ProofKey) =>
  and(eq(proofs.packageId, packageId), eq(proofs.id, id));

/** False if the package has one of this id already. */
export async function insertProof(tx: Database, row: ProofRow): Promise<boolean> {
  const rows = await tx.insert(proofs).values(row).onConflictDoNothing().returning({
    id: proofs.id,
  });
  return rows.length > 0;
}

export async function findProof(db: Database, key: ProofKey): Promise<ProofRow | null> {
  const [found] = await db.select().from(proofs).where(isProof(key));
  return found ?? null;
}

/** All rows as a stream of a few at a time, with their bytes. */
export async function* pagesOfProofs(db: Database, size: number): AsyncGenerator<ProofRow[]> {
  for (let last: ProofKey | undefined; ; ) {
    const rows = await db
      .select()
      .from(proofs)
      .where(
        last &&
          sql`(${proofs.packageId}, ${proofs.id}) > (${last.packageId}::uuid, ${last.id}::uuid)`,
      )
      .orderBy(proofs.packageId, proofs.id)
      .limit(size);
    if (rows.length > 0) yield rows;
    if (rows.length < size) return;
    last = rows.at(-1);
  }
}

/** Says where the bytes are now; false if the row is gone, or says so already. */
export async function setPlace(
  db: Database,
  key: ProofKey,
  place: Pick<ProofRow, 'bytes' | 'size' | 'storedDigest'>,
): Promise<boolean> {
  const isElsewhere = place.bytes === null ? isNotNull(proofs.bytes) : isNull(proofs.bytes);
  const rows = await db
    .update(proofs)
    .set(place)
    .where(and(isProof(key), isElsewhere))
    .returning({ id: proofs.id });
  return rows.length > 0;
}

/** Counts the pictures that one person has added to this package. */
export function countProofs(
  db: Database,
  { packageId, courierId }: Pick<ProofRow, 'packageId' | 'courierId'>,
): Promise<number> {
  return db.$count(proofs, and(eq(proofs.packageId, packageId), eq(proofs.courierId, courierId)));
}

/** Does an event name this picture? */
const names = (id: SQL | string) =>
  or(
    sql`${packageEvents.proof} -> 'photoIds' ? ${id}`,
    sql`${packageEvents.proof} ->> 'signatureId' = ${id}`,
  );

/** The events of its package that name a picture, for a query over pictures. */
export const namingEvents = (db: Database) =>
  db
    .select({ id: packageEvents.id })
    .from(packageEvents)
    .where(and(eq(packageEvents.packageId, proofs.packageId), names(sql`${proofs.id}::text`)));

/** The authors of the events that name it; null: none does. */
export async function authorOf(db: Database, { packageId, id }: ProofKey): Promise<string | null> {
  const [named] = await db
    .select({ actorId: packageEvents.actorId })
    .from(packageEvents)
    .where(and(eq(packageEvents.packageId, packageId), names(id)))
    .orderBy(packageEvents.seq)
    .limit(1);
  return named?.actorId ?? null;
}

/**
 * Is one of these pictures named by an event of the package already? Who takes back their own may use its
 * pictures again.
 */
export async function areNamed(
  db: Database,
  { packageId, actorId }: { packageId: string; actorId: string },
  ids: readonly string[],
): Promise<boolean> {
  if (ids.length === 0) return false;
  const corrections = alias(packageEvents, 'corrections');
  const rows = await db
    .select({ id: packageEvents.id })
    .from(packageEvents)
    .leftJoin(corrections, eq(corrections.corrects, packageEvents.id))
    .where(
      and(
        eq(packageEvents.packageId, packageId),
        or(...ids.map(names)),
        or(ne(packageEvents.actorId, actorId), isNull(corrections.id)),
      ),
    )
    .limit(1);
  return rows.length > 0;
}

/** Returns which of these pictures the package has. */
export async function storedOf(
  db: Database,
  packageId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .select({ id: proofs.id })
    .from(proofs)
    .where(and(eq(proofs.packageId, packageId), inArray(proofs.id, [...ids])));
  return new Set(rows.map(({ id }) => id));
}

export interface PictureTotals {
  place: 'database' | 'object_store';
  count: number;
  bytes: number;
}

/** One for each place. Reads all rows, without their bytes. */
export async function pictureTotals(db: Database): Promise<PictureTotals[]> {
  const isObject = sql<boolean>`${proofs.bytes} is null`;
  const rows = await db
    .select({ isObject, count: count(), bytes: sumOf(proofs.size) })
    .from(proofs)
    .groupBy(isObject);
  return (['database', 'object_store'] as const).map((place) => ({
    place,
    count: 0,
    bytes: 0,
    ...rows.find((row) => row.isObject === (place === 'object_store')),
  }));
}
