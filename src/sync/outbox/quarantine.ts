/**
 * Sorts an outbox written by another app version before anything is sent, in one fenced transaction.
 *
 *   outbox ──readable──▶ outbox, in today's shape
 *     └──unreadable──▶ quarantine, unchanged; those behind it in its lane ──▶ attention
 *   quarantine ──readable now──▶ outbox, at its old seq, in attention: the user decides
 *
 * Invariant: nothing that was ever queued is dropped, whatever its state.
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
  /** domain/operation-migrations; replaceable in tests. */
  upgrade?: (stored: unknown) => Upgraded;
}

function isBackoff(backoff: unknown): backoff is Backoff {
  if (typeof backoff !== 'object' || backoff === null) return false;
  const { fromMs, untilMs } = backoff as Partial<Backoff>;
  return Number.isFinite(fromMs) && Number.isFinite(untilMs);
}

/** Rebuilds lane and backoff where invalid. */
function rowOf(operation: Operation & { backoff?: unknown }): OutboxRow {
  const { backoff } = operation;
  return { ...operation, lane: laneOf(operation), backoff: isBackoff(backoff) ? backoff : null };
}

const isAsItShouldBe = (row: OutboxRow) =>
  row.lane === laneOf(row) && (row.backoff === null || isBackoff(row.backoff));

/** Reads a field of a possibly damaged row; '' if it is not text. */
const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

function inAttention(
  row: OutboxRow,
  code: string,
  { message, at }: Pick<OperationError, 'message' | 'at'>,
): OutboxRow {
  return { ...row, state: 'attention', lastError: { code, message, status: 0, at }, backoff: null };
}

/** Restores a row this version can read, unless its id is queued again. */
async function release(
  { db, at }: Sorting,
  { seq }: QuarantinedRow,
  upgraded: Upgraded,
): Promise<void> {
  if (!('operation' in upgraded)) return;
  const { operation } = upgraded;
  if ((await db.outbox.where('id').equals(operation.id).count()) > 0) return;
  const message = 'Another version of the app had saved this. It can be read again now.';
  await db.outbox.put(inAttention(rowOf({ ...operation, seq }), readableAgain, { message, at }));
  await db.quarantine.delete(seq);
}

/** Moves the operations behind a quarantined one to `attention`. */
async function takeAside({ db, at }: Sorting, lane: string, seq: number): Promise<OutboxRow[]> {
  const rows = await db.outbox.where('lane').equals(lane).toArray();
  const message = 'It builds on a change that this version of the app cannot read.';
  const behind = rows
    .filter((row) => row.seq > seq && row.state === 'waiting')
    .map((row) => inAttention(row, dependsOnRefused, { message, at }));
  await db.outbox.bulkPut(behind);
  return behind;
}

/** Migrates outbox and quarantine to this version. Returns the operations moved to `attention`. */
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
      unreadable.map((row) => ({ seq: row.seq, id: textOf(row.id), row, at })),
    );
    const moved: OutboxRow[] = [];
    for (const { lane, seq } of unreadable) {
      if (textOf(lane) !== '') moved.push(...(await takeAside(sorting, lane, seq)));
    }
    return moved;
  });
}

/** Deletes a quarantined row, at the user's decision. */
export async function discardQuarantined(db: UserDatabase, seq: number): Promise<void> {
  await db.quarantine.delete(seq);
}
