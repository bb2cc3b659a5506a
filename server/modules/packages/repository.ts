/** Rows of packages. Only inserts and deltas see deleted ones. */
import { and, eq, getTableColumns, isNull, lte, ne, or, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Actor } from '#domain/policy.ts';
import type { Party } from '#domain/user.ts';
import type { Database } from '#server/database/database.ts';
import {
  preparedQuery,
  preparedQueryPer,
  type RawRow,
  selectionOf,
} from '#server/database/prepared-query.ts';
import { packages, users } from '#server/database/schema.ts';

export type PackageRow = typeof packages.$inferSelect;
export type NewPackage = typeof packages.$inferInsert;

const { fieldVersions, fieldWriters, heldKobo, paidOutAt, changedXid, ...shownColumns } =
  getTableColumns(packages);

export interface PackageWithParties {
  row: Pick<PackageRow, keyof typeof shownColumns>;
  sender: Party;
  courier: Party | null;
}

const couriers = alias(users, 'couriers');

type PartyColumn = 'id' | 'firstName' | 'lastName' | 'email' | 'phoneNumber';

function partyColumns<Table extends Record<PartyColumn, unknown>>(
  table: Table,
): Pick<Table, PartyColumn> {
  const { id, firstName, lastName, email, phoneNumber } = table;
  return { id, firstName, lastName, email, phoneNumber };
}

const selection = selectionOf({
  row: shownColumns,
  sender: partyColumns(users),
  courier: partyColumns(couriers),
});
const people = sql`from ${packages}
  inner join ${users} on ${users.id} = ${packages.senderId}
  left join ${users} as couriers on ${couriers.id} = ${packages.courierId}`;

/**
 * Packages with their people, newest first; includes deleted ones if `condition` does. `more`: a
 * further column.
 */
export function packagesWhere(condition: SQL | undefined, more?: SQL): SQL {
  const columns = more ? sql`${selection.columns}, ${more}` : selection.columns;
  return sql`select ${columns} ${people} where ${condition ?? sql`true`} order by ${packages.number} desc`;
}

/** A row of `packagesWhere`. */
export function readPackage(raw: RawRow): PackageWithParties {
  const { row, sender, courier } = selection.read(raw);
  return { row, sender, courier: row.courierId === null ? null : courier };
}

const isThere = isNull(packages.deletedAt);
export const reader = sql.placeholder('reader');

/** What the policy may let `reader` see, so that fewer rows are fetched and discarded. */
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
export async function listPackagesFor(db: Database, actor: Actor): Promise<PackageWithParties[]> {
  const rows = await listFor(actor.role)(db, { reader: actor.id });
  return rows.map(readPackage);
}

const byId = preparedQuery(() =>
  packagesWhere(and(isThere, eq(packages.id, sql.placeholder('id')))),
);

export async function findPackage(db: Database, id: string): Promise<PackageWithParties | null> {
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
  const isIt = and(
    eq(packages.courierId, sql.placeholder('courierId')),
    eq(packages.status, sql`'in-transit'`),
    isThere,
  );
  return sql`select count(*)::integer as count from ${packages} where ${isIt}`;
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
