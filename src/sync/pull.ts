/**
 * Making the mirror equal to what the server shows this user. The server sends full lists for now:
 * what a list does not name is gone, or no longer this user's to see.
 *
 * Invariant: no acknowledgement lands between asking for a list and applying it, because push and
 * pull run in one job under one lock. Otherwise a row that was created meanwhile would look absent
 * and be removed. Whoever separates the two must give every row a version to compare with first.
 */
import type { Table } from 'dexie';
import type { UserDatabase } from '#db/user-database.ts';
import { laneOf, type Operation } from '#domain/operation.ts';
import type { Package } from '#domain/package.ts';
import type { User } from '#domain/user.ts';
import type { Ports } from './ports.ts';
import { type Row, rebased, stepOfPull } from './rebase.ts';

export interface PullPorts {
  db: UserDatabase;
  ports: Ports;
  /** Passes an answer on; rejects instead once the engine has been stopped. */
  unlessStopped<T>(answer: Promise<T>): Promise<T>;
}

interface Replaced {
  before: Row;
  after: Row;
}

/**
 * Rows into a table, absent ones out; answers those that moved to a newer version. Equal rows are
 * not written again: every write wakes the screens that watch the table.
 */
async function replaceAll<R extends Row>(
  table: Table<R, string>,
  rows: readonly R[],
): Promise<Replaced[]> {
  const mirrored = new Map((await table.toArray()).map((row) => [row.id, row]));
  const replaced: Replaced[] = [];
  const changed: R[] = [];
  for (const row of rows) {
    const before = mirrored.get(row.id);
    mirrored.delete(row.id);
    if (before && before.version > row.version) continue;
    if (before && JSON.stringify(before) === JSON.stringify(row)) continue;
    changed.push(row);
    if (before && before.version < row.version) replaced.push({ before, after: row });
  }
  await table.bulkDelete([...mirrored.keys()]);
  await table.bulkPut(changed);
  return replaced;
}

/**
 * Queued edits move to the pulled version where nothing that they edit was changed by others. The
 * head of a lane stays as it is: it may have been sent already, and the server merges it anyway.
 */
async function rebaseQueued(
  db: UserDatabase,
  name: Operation['name'],
  replaced: readonly Replaced[],
): Promise<void> {
  for (const { before, after } of replaced) {
    const lane = laneOf({ name, targetId: after.id });
    const rows = await db.outbox.where('lane').equals(lane).toArray();
    const waiting = rows.filter((row) => row.state === 'waiting');
    for (const [index, row] of waiting.entries()) {
      if (index === 0) continue;
      const moved = rebased(row, [stepOfPull(before, after, waiting.slice(0, index))]);
      if (moved) await db.outbox.put({ ...row, ...moved });
    }
  }
}

async function applyUsers(db: UserDatabase, rows: readonly User[]): Promise<void> {
  await db.transaction('rw', [db.users, db.outbox], async () => {
    await rebaseQueued(db, 'editProfile', await replaceAll(db.users, rows));
  });
}

async function applyPackages(
  db: UserDatabase,
  rows: readonly Package[],
  pulledAt: string,
): Promise<void> {
  const tables = [db.packages, db.outbox, db.ownSteps, db.meta];
  await db.transaction('rw', tables, async () => {
    await rebaseQueued(db, 'editPackage', await replaceAll(db.packages, rows));
    await db.meta.put({ key: 'lastPulledAt', value: pulledAt });
  });
}

/** Both lists, one transaction each. Rejects with ApiFailure; what was applied by then stays. */
export async function pull({ db, ports, unlessStopped }: PullPorts): Promise<void> {
  const users = await unlessStopped(ports.api.listUsers());
  await applyUsers(db, users);
  const packages = await unlessStopped(ports.api.listPackages());
  await applyPackages(db, packages, new Date(ports.clock.now()).toISOString());
}
