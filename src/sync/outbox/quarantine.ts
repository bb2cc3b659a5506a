/**
 * Sorting the outbox that another version of the app has left,
 * before anything of it is sent. In one transaction under the lease, so that a kill leaves it as it
 * was or as it is to be.
 *
 *   outbox ──readable──▶ outbox, in today's shape
 *     └──not to be read──▶ quarantine, as found; those behind it in its lane ──▶ attention
 *   quarantine ──readable by now──▶ outbox, at its old place, in attention: the person decides
 *
 * Invariant: nothing that was ever queued is dropped, whatever state it is found in.
 */
import type { Backoff, OutboxRow, QuarantinedRow, UserDatabase } from '#db/user-database.ts';
import {
  dependsOnRefused,
  laneOf,
  type Operation,
  type OperationError,
  readableAgain,
} from '#domain/operation.ts';
import { type Upgraded, upgradeOperation } from '#domain/operation-migrations.ts';
import { type Fence, fenced } from '#sync/coordination/lease.ts';

export interface Sorting {
  db: UserDatabase;
  fence: Fence;
  /** ISO 8601. */
  at: string;
  /** domain/operation-migrations; tests bring steps of their own. */
  upgrade?: (stored: unknown) => Upgraded;
}

/** Up to version 4 of the database, `backoff` was `hold` and `isServerRequested` was `isFirm`. */
interface StoredBackoff {
  backoff?: unknown;
  hold?: { isFirm?: unknown };
}

function isBackoff(backoff: unknown): backoff is Backoff {
  if (typeof backoff !== 'object' || backoff === null) return false;
  const { fromMs, untilMs } = backoff as Partial<Backoff>;
  return Number.isFinite(fromMs) && Number.isFinite(untilMs);
}

/** With what the outbox keeps beside the operation, repaired where it is malformed. */
function rowOf({ hold, ...operation }: Operation & StoredBackoff): OutboxRow {
  const {
    backoff = isBackoff(hold) ? { ...hold, isServerRequested: hold.isFirm === true } : null,
  } = operation;
  return { ...operation, lane: laneOf(operation), backoff: isBackoff(backoff) ? backoff : null };
}

const isAsItShouldBe = (row: OutboxRow) =>
  row.lane === laneOf(row) && (row.backoff === null || isBackoff(row.backoff));

/** The lane of something that cannot be read, as far as it says so itself. */
function laneAsFound(stored: unknown): string | null {
  const lane = (stored as { lane?: unknown } | null)?.lane;
  return typeof lane === 'string' ? lane : null;
}

function idAsFound(stored: unknown): string {
  const id = (stored as { id?: unknown } | null)?.id;
  return typeof id === 'string' ? id : '';
}

function errorWith(code: string, message: string, at: string): OperationError {
  return { code, message, status: 0, at };
}

/** Puts back what this version can read. Its id may be queued again by now: then it stays away. */
async function release(
  { db, at }: Sorting,
  { seq }: QuarantinedRow,
  upgraded: Upgraded,
): Promise<void> {
  if (!('operation' in upgraded)) return;
  const { operation } = upgraded;
  if ((await db.outbox.where('id').equals(operation.id).count()) > 0) return;
  const message = 'Another version of the app had saved this. It can be read again now.';
  await db.outbox.put({
    ...rowOf({ ...operation, seq }),
    state: 'attention',
    lastError: errorWith(readableAgain, message, at),
    backoff: null,
  });
  await db.quarantine.delete(seq);
}

/** Those that wait behind a quarantined one in its lane. */
async function takeAside({ db, at }: Sorting, lane: string, seq: number): Promise<OutboxRow[]> {
  const rows = await db.outbox.where('lane').equals(lane).toArray();
  const message = 'It builds on a change that this version of the app cannot read.';
  const behind = rows
    .filter((row) => row.seq > seq && row.state === 'waiting')
    .map(
      (row): OutboxRow => ({
        ...row,
        state: 'attention',
        lastError: errorWith(dependsOnRefused, message, at),
        backoff: null,
      }),
    );
  await db.outbox.bulkPut(behind);
  return behind;
}

/**
 * Reads every row of outbox and quarantine with the eyes of this version. Answers the operations
 * that came to `attention` because they stood behind one that cannot be read.
 */
export function sortOutbox(sorting: Sorting): Promise<Operation[]> {
  const { db, fence, at, upgrade = upgradeOperation } = sorting;
  return fenced(db, fence, [db.outbox, db.quarantine], async () => {
    for (const quarantined of await db.quarantine.orderBy('seq').toArray()) {
      await release(sorting, quarantined, upgrade(quarantined.row));
    }
    const unreadable: OutboxRow[] = [];
    for (const row of await db.outbox.orderBy('seq').toArray()) {
      const upgraded = upgrade(row);
      if ('unreadable' in upgraded) unreadable.push(row);
      else if (upgraded.operation !== row || !isAsItShouldBe(row)) {
        await db.outbox.put(rowOf(upgraded.operation));
      }
    }
    await db.outbox.bulkDelete(unreadable.map(({ seq }) => seq));
    await db.quarantine.bulkPut(
      unreadable.map((row) => ({ seq: row.seq, id: idAsFound(row), row, at })),
    );
    const asides: OutboxRow[] = [];
    for (const row of unreadable) {
      const lane = laneAsFound(row);
      if (lane !== null) asides.push(...(await takeAside(sorting, lane, row.seq)));
    }
    return asides;
  });
}

/** Drops a quarantined row: the person's decision. */
export async function discardQuarantined(db: UserDatabase, seq: number): Promise<void> {
  await db.quarantine.delete(seq);
}
