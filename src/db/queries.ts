/**
 * What screens read: mirror ⊕ pending operations, through domain/overlay. Each query reads its
 * tables in one transaction, so that an acknowledgement (row in, operation out) is seen whole.
 */
import type { UserInfo } from '#contract/auth.ts';
import { laneOf, type Operation } from '#domain/operation.ts';
import {
  overlayPackage,
  overlayPackages,
  overlayUser,
  type PackageView,
  type UserView,
} from '#domain/overlay.ts';
import type { Party } from '#domain/user.ts';
import type { UserDatabase } from './user-database.ts';

/** The person at this device as a party on packages: the mirror's row, else what the token said. */
export async function readSelf(db: UserDatabase, userInfo: UserInfo): Promise<Party> {
  const row = await db.users.get(userInfo.id);
  if (row) {
    const { id, firstName, lastName, email, phoneNumber } = row;
    return { id, firstName, lastName, email, phoneNumber };
  }
  const { id, firstName, lastName, email } = userInfo;
  return { id, firstName, lastName, email, phoneNumber: null };
}

/** Every package that this user can see, in no particular order. */
export async function readPackageViews(db: UserDatabase, self: Party): Promise<PackageView[]> {
  const [rows, operations] = await db.transaction('r', [db.packages, db.outbox], () =>
    Promise.all([db.packages.toArray(), db.outbox.toArray()]),
  );
  return overlayPackages(rows, operations, self);
}

/** One package; null: there is none to show. */
export async function readPackageView(
  db: UserDatabase,
  id: string,
  self: Party,
): Promise<PackageView | null> {
  const lane = laneOf({ name: 'editPackage', targetId: id });
  const [row, operations] = await db.transaction('r', [db.packages, db.outbox], () =>
    Promise.all([db.packages.get(id), db.outbox.where('lane').equals(lane).toArray()]),
  );
  return overlayPackage(row ?? null, operations, self);
}

/** One user; null: not in the mirror. */
export async function readUserView(db: UserDatabase, id: string): Promise<UserView | null> {
  const lane = laneOf({ name: 'editProfile', targetId: id });
  const [row, operations] = await db.transaction('r', [db.users, db.outbox], () =>
    Promise.all([db.users.get(id), db.outbox.where('lane').equals(lane).toArray()]),
  );
  return row ? overlayUser(row, operations) : null;
}

/** Every user that this user can see, in no particular order. */
export async function readUsers(db: UserDatabase): Promise<UserView[]> {
  const [rows, operations] = await db.transaction('r', [db.users, db.outbox], () =>
    Promise.all([db.users.toArray(), db.outbox.toArray()]),
  );
  const edits = operations.filter((operation) => operation.name === 'editProfile');
  return rows.map((row) => overlayUser(row, edits));
}

/** The outbox, oldest first. */
export async function readOperations(db: UserDatabase): Promise<Operation[]> {
  return await db.outbox.orderBy('seq').toArray();
}

/** ISO 8601; null: nothing has been pulled into this mirror yet. */
export async function readLastPulledAt(db: UserDatabase): Promise<string | null> {
  return (await db.meta.get('lastPulledAt'))?.value ?? null;
}
