/** Queries for the page of a link. */
import { createHash } from 'node:crypto';
import { and, desc, eq, inArray, isNull } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { eventsPerPage } from '#contract/event.ts';
import { trackedTypes } from '#contract/tracking.ts';
import type { Database } from '#server/database/database.ts';
import { positions, replacedLinks } from '#server/database/recipient-schema.ts';
import {
  type PackageRow,
  packageEvents,
  packages,
  proofs,
  users,
} from '#server/database/schema.ts';
import type { PositionRow } from '#server/modules/positions/repository.ts';

export interface Found {
  row: PackageRow;
  courier: { firstName: string; vehicle: string | null; phoneNumber: string | null } | null;
  position: PositionRow | null;
  /** The newest that a recipient reads of, oldest first, without what was taken back. */
  events: (typeof packageEvents.$inferSelect)[];
  /** The pictures that events name and the server has. */
  storedIds: ReadonlySet<string>;
}

/** Also finds a deleted package, whose link has ended. Null: no such link. */
export async function findTracked(db: Database, token: string): Promise<Found | null> {
  const [found] = await db
    .select({
      row: packages,
      courier: {
        firstName: users.firstName,
        vehicle: users.vehicle,
        phoneNumber: users.phoneNumber,
      },
      position: positions,
    })
    .from(packages)
    .leftJoin(users, eq(users.id, packages.courierId))
    .leftJoin(positions, eq(positions.courierId, packages.courierId))
    .where(eq(packages.trackingToken, token));
  if (!found) return null;
  const corrections = alias(packageEvents, 'corrections');
  const rows = await db
    .select({ event: packageEvents })
    .from(packageEvents)
    .leftJoin(corrections, eq(corrections.corrects, packageEvents.id))
    .where(
      and(
        eq(packageEvents.packageId, found.row.id),
        inArray(packageEvents.type, [...trackedTypes]),
        isNull(corrections.id),
      ),
    )
    .orderBy(desc(packageEvents.seq))
    .limit(eventsPerPage);
  const events = rows.toReversed().map(({ event }) => event);
  const named = events.flatMap(({ proof }) => proof?.photoIds ?? []);
  return { ...found, events, storedIds: new Set(await storedOf(db, found.row.id, named)) };
}

async function storedOf(db: Database, packageId: string, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .select({ id: proofs.id })
    .from(proofs)
    .where(and(eq(proofs.packageId, packageId), inArray(proofs.id, ids)));
  return rows.map(({ id }) => id);
}

/** The row, locked until the transaction ends; also of a deleted package. */
export async function lockTracked(tx: Database, token: string): Promise<PackageRow | null> {
  const [row] = await tx
    .select()
    .from(packages)
    .where(eq(packages.trackingToken, token))
    .for('update');
  return row ?? null;
}

/** Positions of those of these couriers who share theirs. */
export async function positionsOf(db: Database, courierIds: string[]): Promise<PositionRow[]> {
  return db.select().from(positions).where(inArray(positions.courierId, courierIds));
}

const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url');

/** Keeps only the token's hash, since a replaced link may be in the wrong hands. */
export async function noteReplaced(tx: Database, token: string, at: Date): Promise<void> {
  await tx.insert(replacedLinks).values({ tokenHash: hashOf(token), at });
}

export async function isReplaced(db: Database, token: string): Promise<boolean> {
  return (await db.$count(replacedLinks, eq(replacedLinks.tokenHash, hashOf(token)))) > 0;
}
