/**
 * The screens' queries: mirror ⊕ pending operations, through domain/overlay and
 * domain/package-views. Each query is one transaction, so that an acknowledgement (row in,
 * operation out) is atomic.
 */
import type { UserInfo } from '#contract/auth.ts';
import { laneOf, type Operation } from '#domain/operation.ts';
import { readableOperations } from '#domain/operation-migrations.ts';
import { overlayUser, type UserView } from '#domain/overlay.ts';
import type { Package } from '#domain/package.ts';
import {
  groupByLane,
  type LaneContents,
  packageLane,
  packageOfLane,
} from '#domain/package-views.ts';
import type { Self } from '#domain/user.ts';
import { isMoment } from './mirror-shape.ts';
import type { History, OutboxRow, QuarantinedRow, UserDatabase } from './user-database.ts';

/** The signed-in user: the mirrored row, or else the token's claims. */
export async function readSelf(db: UserDatabase, userInfo: UserInfo): Promise<Self> {
  const row = await db.users.get(userInfo.id);
  const { id, firstName, lastName, email, phoneNumber, roles } = row ?? {
    ...userInfo,
    phoneNumber: null,
  };
  return { id, firstName, lastName, email, phoneNumber, roles };
}

export interface ReadLanes {
  lanes: LaneContents[];
  self: Self;
}

export interface ReadAll {
  rows: Package[];
  operations: Operation[];
  self: Self;
}

const readable = async (found: PromiseLike<OutboxRow[]>) => readableOperations(await found);

const readTables = (db: UserDatabase) => [db.packages, db.outbox, db.users];

const rowsByLane = (rows: readonly (Package | undefined)[]) =>
  new Map(rows.flatMap((row) => (row ? [[packageLane(row.id), row] as const] : [])));

/**
 * All operations, the newest rows and packages created here: what a list shows first. Everything if
 * there are no more rows.
 */
export function readNewestPackages(
  db: UserDatabase,
  count: number,
  userInfo: UserInfo,
): Promise<ReadLanes | ReadAll> {
  return db.transaction('r', readTables(db), async () => {
    const [newest, operations, self] = await Promise.all([
      db.packages.orderBy('createdAt').reverse().limit(count).toArray(),
      readable(db.outbox.toArray()),
      readSelf(db, userInfo),
    ]);
    if (newest.length < count) return { rows: newest, operations, self };
    const creates = operations.filter(({ name }) => name === 'createPackage');
    const ids = [...new Set(creates.map(({ targetId }) => targetId))];
    const rows = rowsByLane([...newest, ...(await db.packages.bulkGet(ids))]);
    const asked = new Set(ids.map(packageLane));
    const byLane = groupByLane(operations);
    const lanes = [...new Set([...rows.keys(), ...byLane.keys()])].map((lane) => ({
      lane,
      row: rows.get(lane) ?? (asked.has(lane) ? null : undefined),
      operations: byLane.get(lane) ?? [],
    }));
    return { lanes, self };
  });
}

/** Rows per read, small enough not to block a slow phone noticeably. */
const portion = 1_000;

/** Everything, read in portions within one transaction. */
export function readAllPackages(db: UserDatabase, userInfo: UserInfo): Promise<ReadAll> {
  return db.transaction('r', readTables(db), async () => {
    const [operations, self] = await Promise.all([
      readable(db.outbox.toArray()),
      readSelf(db, userInfo),
    ]);
    const rows: Package[] = [];
    for (let lastId = ''; ; ) {
      const next = await db.packages.where('id').above(lastId).limit(portion).toArray();
      rows.push(...next);
      lastId = next.at(-1)?.id ?? '';
      if (next.length < portion) return { rows, operations, self };
    }
  });
}

/** One query per lane: `anyOf` would use a cursor, one row at a time. */
async function readLanesOfOutbox(db: UserDatabase, lanes: readonly string[]): Promise<OutboxRow[]> {
  const found = await Promise.all(
    lanes.map((lane) => db.outbox.where('lane').equals(lane).toArray()),
  );
  return found.flat();
}

/** Above this, reading the whole outbox is faster. */
const fewLanes = 8;

/** These packages with all of their operations, plus the lanes of operations numbered `seqs`. */
export function readChangedPackages(
  db: UserDatabase,
  changed: { ids: Iterable<string>; lanes: Iterable<string>; seqs: Iterable<number> },
  userInfo: UserInfo,
): Promise<ReadLanes> {
  return db.transaction('r', readTables(db), async () => {
    const [numbered, self] = await Promise.all([
      db.outbox.bulkGet([...changed.seqs]),
      readSelf(db, userInfo),
    ]);
    const names = new Set([...changed.lanes, ...[...changed.ids].map(packageLane)]);
    for (const row of readableOperations(numbered.filter((each) => each !== undefined))) {
      names.add(row.lane);
    }
    const [rows, operations] = await Promise.all([
      db.packages.bulkGet([...names].flatMap((lane) => packageOfLane(lane) ?? [])),
      names.size > fewLanes
        ? readable(db.outbox.toArray())
        : readable(readLanesOfOutbox(db, [...names])),
    ]);
    const [byLane, found] = [groupByLane(operations), rowsByLane(rows)];
    const lanes = [...names].map((lane) => ({
      lane,
      row: found.get(lane) ?? null,
      operations: byLane.get(lane) ?? [],
    }));
    return { lanes, self };
  });
}

/** Null: not in the mirror. */
export async function readUserView(db: UserDatabase, id: string): Promise<UserView | null> {
  const lane = laneOf({ name: 'editProfile', targetId: id });
  const [row, operations] = await db.transaction('r', [db.users, db.outbox], () =>
    Promise.all([db.users.get(id), readable(db.outbox.where('lane').equals(lane).toArray())]),
  );
  return row ? overlayUser(row, operations) : null;
}

/** Every visible user, unordered. */
export async function readUsers(db: UserDatabase): Promise<UserView[]> {
  const [rows, operations] = await db.transaction('r', [db.users, db.outbox], () =>
    Promise.all([db.users.toArray(), readable(db.outbox.toArray())]),
  );
  const edits = operations.filter((operation) => operation.name === 'editProfile');
  return rows.map((row) => overlayUser(row, edits));
}

/** A package's events; undefined: not read yet. */
export function readHistory(db: UserDatabase, packageId: string): Promise<History | undefined> {
  return db.events.get(packageId);
}

/** ISO 8601; null: nothing pulled yet. */
export async function readLastPulledAt(db: UserDatabase): Promise<string | null> {
  const value = (await db.meta.get('lastPulledAt'))?.value;
  return isMoment(value) ? value : null;
}

/** Rows that this app version cannot read, oldest first. */
export async function readQuarantine(db: UserDatabase): Promise<QuarantinedRow[]> {
  const rows = await db.quarantine.orderBy('seq').toArray();
  // A damaged row must not hide the others.
  return rows.map(({ seq, id, row, at }) => ({
    seq,
    row,
    id: typeof id === 'string' ? id : '',
    at: isMoment(at) ? at : new Date(0).toISOString(),
  }));
}

/** Operations the server has not applied, refused and unreadable ones included. */
export async function countPending(db: UserDatabase): Promise<number> {
  return (await db.outbox.count()) + (await db.quarantine.count());
}
