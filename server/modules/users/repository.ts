/** Rows of users. */
import { and, desc, eq, isNotNull, isNull, ne } from 'drizzle-orm';
import { union } from 'drizzle-orm/pg-core';
import type { Database } from '#server/database/database.ts';
import { packages, users } from '#server/database/schema.ts';

export type UserRow = typeof users.$inferSelect;
export type NewUser = typeof users.$inferInsert;

export async function findUser(db: Database, id: string): Promise<UserRow | null> {
  const rows = await db.select().from(users).where(eq(users.id, id));
  return rows[0] ?? null;
}

export async function findUserByEmail(db: Database, email: string): Promise<UserRow | null> {
  const rows = await db.select().from(users).where(eq(users.email, email));
  return rows[0] ?? null;
}

/** The row, locked until the transaction ends. */
export async function lockUser(tx: Database, id: string): Promise<UserRow | null> {
  const rows = await tx.select().from(users).where(eq(users.id, id)).for('update');
  return rows[0] ?? null;
}

export async function isEmailOfAnother(tx: Database, email: string, id: string): Promise<boolean> {
  const rows = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.email, email), ne(users.id, id)));
  return rows.length > 0;
}

/** Null where the e-mail is taken. */
export async function insertUser(db: Database, row: NewUser): Promise<UserRow | null> {
  const rows = await db
    .insert(users)
    .values(row)
    .onConflictDoNothing({ target: users.email })
    .returning();
  return rows[0] ?? null;
}

/** Undefined leaves a column as it is. */
type UserColumns = { [Column in keyof NewUser]?: NewUser[Column] | undefined };

/** The row as it then is. The caller holds its lock, so it is there. */
export async function updateUser(tx: Database, id: string, changes: UserColumns): Promise<UserRow> {
  const rows = await tx.update(users).set(changes).where(eq(users.id, id)).returning();
  const row = rows[0];
  if (!row) throw new Error('The user was not there to be updated.');
  return row;
}

export function listUsers(db: Database): Promise<UserRow[]> {
  return db.select().from(users).orderBy(desc(users.createdAt), users.id);
}

/** Couriers on the packages `id` sends and senders of those assigned to `id`. */
export function listCounterparts(db: Database, id: string): Promise<UserRow[]> {
  const couriers = db
    .select({ id: packages.courierId })
    .from(packages)
    .where(
      and(eq(packages.senderId, id), isNotNull(packages.courierId), isNull(packages.deletedAt)),
    );
  const senders = db
    .select({ id: packages.senderId })
    .from(packages)
    .where(and(eq(packages.courierId, id), isNull(packages.deletedAt)));
  const counterparts = union(couriers, senders).as('counterparts');
  return db
    .select({ user: users })
    .from(users)
    .innerJoin(counterparts, eq(counterparts.id, users.id))
    .where(ne(users.id, id))
    .orderBy(desc(users.createdAt), users.id)
    .then((rows) => rows.map((row) => row.user));
}
