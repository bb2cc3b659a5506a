import { and, desc, eq, ne, type SQL, sql } from 'drizzle-orm';
import type { Actor } from '#domain/policy.ts';
import type { Database } from '#server/database/database.ts';
import { wallets } from '#server/database/money-schema.ts';
import { packages, users } from '#server/database/schema.ts';

export type UserRow = typeof users.$inferSelect;
export type NewUser = typeof users.$inferInsert;

export interface UserWithBalance {
  user: UserRow;
  availableKobo: number;
}

async function selectUser(
  db: Database,
  condition: SQL,
  lock?: 'share' | 'no key update',
): Promise<UserRow | null> {
  const query = db.select().from(users).where(condition);
  const rows = await (lock ? query.for(lock) : query);
  return rows[0] ?? null;
}

export const findUser = (db: Database, id: string) => selectUser(db, eq(users.id, id));

export const findUserByEmail = (db: Database, email: string) =>
  selectUser(db, eq(users.email, email));

/** The current row, which cannot change until the transaction ends. */
export const holdUser = (tx: Database, id: string) => selectUser(tx, eq(users.id, id), 'share');

/** The row, locked until the transaction ends; rows that reference it can still be written. */
export const lockUser = (tx: Database, id: string) =>
  selectUser(tx, eq(users.id, id), 'no key update');

/**
 * Ids of all active admins, locked in one order: of two admins who demote each other, the second
 * sees the first change.
 */
export async function lockActiveAdmins(tx: Database): Promise<string[]> {
  const isAdmin = sql`'Admin' = any(${users.roles})`;
  const rows = await tx
    .select({ id: users.id, isActive: users.isActive, roles: users.roles })
    .from(users)
    .where(isAdmin)
    .orderBy(users.id)
    .for('no key update');
  return rows.filter((row) => row.isActive && row.roles.includes('Admin')).map(({ id }) => id);
}

export async function isEmailOfAnother(tx: Database, email: string, id: string): Promise<boolean> {
  const rows = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.email, email), ne(users.id, id)));
  return rows.length > 0;
}

/** Null if the e-mail is taken. */
export async function insertUser(db: Database, row: NewUser): Promise<UserRow | null> {
  const rows = await db
    .insert(users)
    .values(row)
    .onConflictDoNothing({ target: users.email })
    .returning();
  return rows[0] ?? null;
}

/** Undefined leaves a column unchanged. */
export type UserColumns = { [Column in keyof NewUser]?: NewUser[Column] | undefined };

/** Returns the updated row. The caller holds its lock, so it exists. */
export async function updateUser(tx: Database, id: string, changes: UserColumns): Promise<UserRow> {
  const rows = await tx.update(users).set(changes).where(eq(users.id, id)).returning();
  const row = rows[0];
  if (!row) throw new Error('The user to update does not exist.');
  return row;
}

const availableKobo = sql<number>`coalesce(${wallets.availableKobo}, 0)`.mapWith(Number);

function selectUsers(db: Database, condition: SQL | undefined) {
  return db
    .select({ user: users, availableKobo })
    .from(users)
    .leftJoin(wallets, eq(wallets.userId, users.id))
    .where(condition);
}

export async function findUserWithBalance(
  db: Database,
  id: string,
): Promise<UserWithBalance | null> {
  const rows = await selectUsers(db, eq(users.id, id));
  return rows[0] ?? null;
}

/**
 * Couriers of packages `reader` sends and, for a courier, senders of packages assigned to them, as
 * a condition on users. A former courier no longer sees those senders.
 */
export function isCounterpartOf({ id, role }: Actor): SQL {
  const couriers = sql`select ${packages.courierId} from ${packages}
     where ${packages.senderId} = ${id} and ${packages.courierId} is not null and ${packages.deletedAt} is null`;
  const senders = sql`select ${packages.senderId} from ${packages}
     where ${packages.courierId} = ${id} and ${packages.deletedAt} is null`;
  return sql`${users.id} in (${role === 'Employee' ? sql`${couriers} union ${senders}` : couriers})`;
}

/** The same for few users: looked up for each instead of collected. */
function sharesPackageWith({ id, role }: Actor): SQL<boolean> {
  const isCourier = sql`exists (select 1 from ${packages} where ${packages.senderId} = ${id}
      and ${packages.courierId} = ${users.id} and ${packages.deletedAt} is null)`;
  const isSender = sql`exists (select 1 from ${packages} where ${packages.courierId} = ${id}
      and ${packages.senderId} = ${users.id} and ${packages.deletedAt} is null)`;
  return sql<boolean>`(${role === 'Employee' ? sql`${isCourier} or ${isSender}` : isCourier})`;
}

export function listUsers(db: Database, condition?: SQL): Promise<UserWithBalance[]> {
  return selectUsers(db, condition).orderBy(desc(users.createdAt), users.id);
}

/** By id, at most `limit`, and whether each shares a package with `reader` now. */
export function fetchPage(
  db: Database,
  { condition, limit, reader }: { condition: SQL | undefined; limit: number; reader: Actor },
) {
  const isCounterpart = sharesPackageWith(reader);
  return db
    .select({ user: users, availableKobo, isCounterpart })
    .from(users)
    .leftJoin(wallets, eq(wallets.userId, users.id))
    .where(condition)
    .orderBy(users.id)
    .limit(limit);
}
