/** Rows of packages. Only inserts and deltas see deleted ones. */
import { and, eq, isNull, lte, ne, or, type SQL, sql } from 'drizzle-orm';
import type { Actor } from '#domain/policy.ts';
import type { Database } from '#server/database/database.ts';
import { preparedQuery, preparedQueryPer } from '#server/database/prepared-query.ts';
import { type NewPackage, type PackageRow, packages } from '#server/database/schema.ts';
import { type FoundPackage, packagesWhere, readPackage } from './found-package.ts';

const isThere = isNull(packages.deletedAt);
export const reader = sql.placeholder('reader');

/** A superset of the rows that the policy lets `reader` see, so that fewer are fetched in vain. */
export function worthFetchingFor(role: Actor['role']): SQL | undefined {
  if (role === 'Admin') return undefined;
  const isSender = eq(packages.senderId, reader);
  if (role === 'Customer') return isSender;
  const isOnOffer = and(eq(packages.status, 'pending'), isNull(packages.courierId));
  return or(isSender, eq(packages.courierId, reader), isOnOffer);
}

const listFor = preparedQueryPer((role: Actor['role']) =>
  packagesWhere(and(isThere, worthFetchingFor(role))),
);

/** Newest first. */
export async function listPackagesFor(db: Database, actor: Actor): Promise<FoundPackage[]> {
  const rows = await listFor(actor.role)(db, { reader: actor.id });
  return rows.map(readPackage);
}

const byId = preparedQuery(() =>
  packagesWhere(and(isThere, eq(packages.id, sql.placeholder('id')))),
);

export async function findPackage(db: Database, id: string): Promise<FoundPackage | null> {
  const [found] = await byId(db, { id });
  return found ? readPackage(found) : null;
}

/** The row, locked until the transaction ends. */
export async function lockPackage(tx: Database, id: string): Promise<PackageRow | null> {
  const rows = await tx
    .select()
    .from(packages)
    .where(and(eq(packages.id, id), isNull(packages.deletedAt)))
    .for('update');
  return rows[0] ?? null;
}

/** False if the id exists already. */
export async function insertPackage(tx: Database, row: NewPackage): Promise<boolean> {
  const rows = await tx
    .insert(packages)
    .values(row)
    .onConflictDoNothing({ target: packages.id })
    .returning({ id: packages.id });
  return rows.length > 0;
}

export interface Acceptance {
  id: string;
  courierId: string;
  baseVersion: number | undefined;
  now: Date;
}

const acceptance = preparedQuery((builder) =>
  builder
    .update(packages)
    .set({
      courierId: sql`${sql.placeholder('courierId')}`,
      status: 'in-transit',
      progress: 'accepted',
      version: sql`${packages.version} + 1`,
      updatedAt: sql`${sql.param(sql.placeholder('now'), packages.updatedAt)}`,
    })
    .where(
      and(
        eq(packages.id, sql.placeholder('id')),
        eq(packages.status, 'pending'),
        isNull(packages.courierId),
        isNull(packages.deletedAt),
        ne(packages.senderId, sql.placeholder('courierId')),
        lte(packages.version, sql.placeholder('newestSeen')),
      ),
    )
    .returning({ id: packages.id }),
);

/** PostgreSQL's largest integer. */
const newestVersion = 2 ** 31 - 1;

/**
 * In one statement: of concurrent couriers one wins. False: not on offer to this courier, or
 * changed since `baseVersion`.
 */
export async function acceptPackage(
  tx: Database,
  { id, courierId, baseVersion, now }: Acceptance,
): Promise<boolean> {
  // A newer version is checked under a lock: the change may not concern the courier.
  const newestSeen = baseVersion ?? newestVersion;
  const rows = await acceptance(tx, { id, courierId, newestSeen, now });
  return rows.length > 0;
}

const carried = preparedQuery(() => {
  const isCarried = and(
    eq(packages.courierId, sql.placeholder('courierId')),
    eq(packages.status, sql`'in-transit'`),
    isThere,
  );
  return sql`select count(*)::integer as count from ${packages} where ${isCarried}`;
});

/** How many packages in transit this courier has. */
export async function countCarried(tx: Database, courierId: string): Promise<number> {
  const [found] = await carried(tx, { courierId });
  return Number(found?.count);
}

/** The caller holds the row's lock. */
export async function updatePackage(
  tx: Database,
  id: string,
  changes: Partial<NewPackage>,
): Promise<void> {
  await tx.update(packages).set(changes).where(eq(packages.id, id));
}
