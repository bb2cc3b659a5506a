/** The package store over a real (in-memory) database with another writer. */
import { expect } from 'vitest';
import { openPackageStore, type PackageStore, type StoreState } from '#data/package-store.ts';
import { UserDatabase } from '#db/user-database.ts';
import type { PackageView } from '#domain/overlay.ts';
import type { Package } from '#domain/package.ts';
import { aPackage, aUser } from '#tests/builders/package.ts';
import { createFakeClock } from '#tests/fakes/fake-clock.ts';
import { me, packageId } from './device.ts';
import { readOperations, readPackageViews } from './views.ts';

export const userInfo = {
  id: me.id,
  email: me.email ?? '',
  roles: ['Employee' as const],
  firstName: me.firstName,
  lastName: me.lastName,
};
export const error = {
  code: 'conflict',
  message: 'No.',
  status: 409,
  at: '2026-11-21T10:00:00.000Z',
};
export const fence = 1;

let names = 0;
const closing: (() => void)[] = [];

/** Closes everything that was opened. */
export function closeAll(): void {
  for (const close of closing.splice(0)) close();
}

/** A separate database over two connections: `db` writes, the store reads. */
export async function opened(rows: readonly Package[] = []) {
  names += 1;
  const name = `store-${names}`;
  const [db, reader] = [new UserDatabase(name), new UserDatabase(name)];
  await db.lease.put({ key: 'lease', fence, beat: 0 });
  await db.users.put(aUser(me));
  await db.packages.bulkPut([...rows]);
  const clock = createFakeClock();
  const store = openPackageStore({ db: reader, userInfo, clock, pauseMs: 0 });
  const states: StoreState[] = [];
  store.subscribe(() => states.push(store.state()));
  closing.push(() => {
    store.close();
    db.close();
    reader.close();
  });
  return { db, reader, store, states, clock };
}

export function numbered(number: number, changes: Partial<Package> = {}): Package {
  const minute = String(number % 60).padStart(2, '0');
  const hour = String(Math.floor(number / 60)).padStart(2, '0');
  const createdAt = `2026-11-20T${hour}:${minute}:00.000Z`;
  return aPackage({ id: packageId(number), createdAt, ...changes });
}

export const rowsTo = (count: number) =>
  Array.from({ length: count }, (_, index) => numbered(index + 1));
export const byId = (views: readonly PackageView[] | undefined) =>
  new Map(views?.map((view) => [view.id, view]));

export async function insistOnTruth(db: UserDatabase, store: PackageStore) {
  await store.settled();
  const self = (await db.users.get(me.id)) ?? { ...me, phoneNumber: null };
  const { id, firstName, lastName, email, phoneNumber } = self;
  const truth = await readPackageViews(db, { id, firstName, lastName, email, phoneNumber });
  const { views, operations, isWhole, failure } = store.state();
  expect({ isWhole, failure }).toEqual({ isWhole: true, failure: null });
  expect(byId(views)).toEqual(byId(truth));
  expect(operations).toEqual(await readOperations(db));
  for (const view of truth) expect(store.view(view.id)).toEqual(view);
}
