/**
 * The outbox's life: in, held, refused, retried, dropped. Each is one transaction, so that a kill
 * at any instant leaves either the state before or the state after; nothing is ever stored as
 * 'being sent', so nothing can be stuck there.
 * The other choices of a person are in sync/outbox/resolution.ts.
 *
 *   enqueue ─▶ waiting ──ok──▶ (gone, its row in the mirror)
 *               │ │  ▲ └──no answer, try later──▶ waiting, held
 *               │ │  └──retry, replace (a new operation)──┐
 *               │ └──refused──▶ attention ────────────────┤
 *               │      with those behind it in its lane   └──discard──▶ (gone)
 *               └──cancelled, never sent──▶ (gone)
 */
import { Dexie } from 'dexie';
import * as v from 'valibot';
import { isErrorCode } from '#contract/errors.ts';
import { outboxIdSchema, type Writer } from '#contract/writer.ts';
import type { NewOutboxRow, OutboxRow, UserDatabase } from '#db/user-database.ts';
import {
  dependsOnRefused,
  type Intent,
  laneOf,
  type Operation,
  type OperationError,
  onVersion,
} from '#domain/operation.ts';
import { operationSchemaVersion } from '#domain/operation-names.ts';
import { type Fence, fenced } from '#sync/coordination/lease.ts';
import type { Applied } from '#sync/operations.ts';
import { isNewer, put, putRow, type Row, rowTables } from '#sync/pull/mirror.ts';

/** The database as the holder of the lease writes it. */
interface Fenced {
  db: UserDatabase;
  fence: Fence;
}

/**
 * Adds the intent, durable when this resolves. `nowMs` is for people only. Rejects with the
 * database's error, and then nothing was added.
 */
export function addOperation(
  db: UserDatabase,
  intent: Intent,
  { id, nowMs }: { id: string; nowMs: number },
): Promise<Operation> {
  return db.transaction('rw', [db.outbox], async () => {
    const row: NewOutboxRow = {
      ...intent,
      id,
      lane: laneOf(intent),
      schemaVersion: operationSchemaVersion,
      state: 'waiting',
      createdAt: new Date(nowMs).toISOString(),
      tries: 0,
      lastError: null,
      backoff: null,
    };
    const seq = await db.outbox.add(row);
    return { ...row, seq };
  });
}

/** Null: there is none of this id. */
export async function findOperation(db: UserDatabase, id: string): Promise<Operation | null> {
  return (await db.outbox.where('id').equals(id).first()) ?? null;
}

/** More refused ones than this seldom stand in one lane. */
const fewRows = 4;

const isWaiting = (row: OutboxRow) => row.state === 'waiting';

/** The next operation of a lane to be sent; undefined: none. */
export async function headOf(db: UserDatabase, lane: string): Promise<OutboxRow | undefined> {
  // Entries of one lane come in the order of seq, the primary key. Read in one go, since going from
  // one to the next by a cursor takes many times as long.
  const inLane = () => db.outbox.where('lane').equals(lane);
  const first = await inLane().limit(fewRows).toArray();
  const head = first.find(isWaiting);
  if (head || first.length < fewRows) return head;
  return (await inLane().toArray()).find(isWaiting);
}

/** The head of every lane that has something waiting, in the order of intent. */
export async function readHeads(db: UserDatabase): Promise<OutboxRow[]> {
  const heads = new Map<string, OutboxRow>();
  for (const row of await db.outbox.orderBy('seq').toArray()) {
    if (isWaiting(row) && !heads.has(row.lane)) heads.set(row.lane, row);
  }
  return [...heads.values()];
}

/**
 * The server has done it: its row into the mirror and the operation out of the outbox, in one
 * transaction, so that no screen sees the effect twice or not at all. Killed before this, the
 * operation goes out again under its key. Takes `operation` out and what the server made of it in. Answers what is next in its lane, as of
 * the same moment: to a cancellation, which is either behind this one or sent.
 */
export function acknowledge(
  { db, fence }: Fenced,
  operation: Operation,
  applied: Applied,
): Promise<OutboxRow | undefined> {
  return fenced(db, fence, [...rowTables(db), db.outbox], async () => {
    // First all reads, then all writes and the commit: waiting for one after the other is most of
    // the time that this takes. The fence is asked for before them, so it is known by the commit.
    const isOut = db.outbox.delete(operation.seq);
    const [next, isWritten] = await Promise.all([
      headOf(db, laneOf(operation)),
      applied.kind === 'row' && isNewer(db, applied.row),
      applied.kind === 'packageGone' && db.packages.delete(applied.id),
      isOut,
    ]);
    if (applied.kind !== 'row') return next;
    const written = isWritten && put(db, applied.row);
    Dexie.currentTransaction.idbtrans.commit();
    await written;
    return next;
  });
}

/**
 * The id of this outbox, which the server keeps beside each field it wrote (contract/writer): no
 * edit is stale over an earlier one of the same outbox. Made at the first push; it outlives the mirror, since what is queued
 * does too.
 */
export function readOutboxId(db: UserDatabase, newId: () => string): Promise<string> {
  return db.transaction('rw', [db.meta], async () => {
    const stored = (await db.meta.get('outboxId'))?.value;
    if (v.is(outboxIdSchema, stored)) return stored;
    const value = newId();
    await db.meta.put({ key: 'outboxId', value });
    return value;
  });
}

/** `seq` grows with each operation of an outbox and is never given twice. */
export const writerOf = (outboxId: string, { seq, order = seq }: OutboxRow): Writer => ({
  outboxId,
  order,
});

/** Another try failed without a refusal: counted, explained, and left alone until `untilMs`. */
export async function backOffOperation(
  { db, fence }: Fenced,
  operation: Operation,
  error: OperationError,
  backoff: NonNullable<OutboxRow['backoff']>,
): Promise<void> {
  const change = { tries: operation.tries + 1, lastError: error, backoff };
  await fenced(db, fence, [db.outbox], () => db.outbox.update(operation.seq, change));
}

/**
 * Takes a refused operation and everything behind it in its lane out of the queue and out of the
 * overlay, and puts the server's row, where it sent one, into the mirror. Answers all that are now
 * in `attention` by this, the refused one first.
 */
export function refuseOperation(
  { db, fence }: Fenced,
  operation: Operation,
  error: OperationError,
  current: Row | undefined,
): Promise<Operation[]> {
  return fenced(db, fence, [...rowTables(db), db.outbox], async () => {
    if (current) await putRow(db, current);
    const lane = await db.outbox.where('lane').equals(laneOf(operation)).toArray();
    const affected: OutboxRow[] = [];
    // The fields are the refused one's alone.
    const { fields: _, ...reason } = error;
    for (const row of lane) {
      if (row.state !== 'waiting' || row.seq < operation.seq) continue;
      const isRefused = row.seq === operation.seq;
      affected.push({
        ...row,
        state: 'attention',
        backoff: null,
        tries: row.tries + (isRefused ? 1 : 0),
        lastError: isRefused ? error : { ...reason, code: dependsOnRefused, status: 0 },
      });
    }
    await db.outbox.bulkPut(affected);
    return affected;
  });
}

/** The operation and its dependents: they follow it in its lane, up to the next refusal. */
export async function withDependents(db: UserDatabase, operationId: string): Promise<OutboxRow[]> {
  const first = await db.outbox.where('id').equals(operationId).first();
  if (first?.state !== 'attention') return [];
  const lane = await db.outbox.where('lane').equals(first.lane).toArray();
  const later = lane.filter((row) => row.seq > first.seq && row.state === 'attention');
  const end = later.findIndex((row) => row.lastError?.code !== dependsOnRefused);
  return [first, ...(end < 0 ? later : later.slice(0, end))];
}

/** What is retried was decided on with the server's present row in sight. */
export async function onMirroredVersion(
  db: UserDatabase,
  { order: _, ...row }: OutboxRow,
): Promise<OutboxRow> {
  const rows = row.name === 'editProfile' ? db.users : db.packages;
  const mirrored = await rows.get(row.targetId);
  return mirrored ? onVersion(row, mirrored.version) : row;
}

/**
 * Whether it is certain that the operation had no effect: the server itself refused it, or it was
 * never sent. A gateway may say no to the repeat of what the server has done already; and what such
 * a no has put behind others may then lean on one of them that is refused.
 */
export function isRefusedForSure({ lastError, tries }: OutboxRow): boolean {
  const code = lastError?.code ?? '';
  return code === dependsOnRefused ? tries === 0 : isErrorCode(code);
}

/** Under all of its ids. */
export const allTries = ({ tries, triesBefore = 0 }: Operation) => tries + triesBefore;

/**
 * The operation once more: under a new id, because the server keeps a refusal under its Idempotency-Key
 * and would only repeat it. Where the refusal is not certain it stays the same request under the
 * same key, so that what was done is not done twice.
 */
async function triedAnew(db: UserDatabase, row: OutboxRow, newId: () => string) {
  // The person decides on it now: nothing that they have made since comes after it.
  const fresh = isRefusedForSure(row)
    ? { ...(await onMirroredVersion(db, row)), id: newId(), tries: 0, triesBefore: allTries(row) }
    : { ...row, tries: Math.max(row.tries, 1) };
  const { seq: _, order: __, ...again } = fresh;
  return { ...again, state: 'waiting' as const, lastError: null, backoff: null };
}

/**
 * Puts a refused operation, with its dependents, back at the end of its lane: whatever was
 * decided since has perhaps been sent, and must neither be overtaken nor be drawn into another
 * refusal.
 */
export async function retryOperation(
  db: UserDatabase,
  operationId: string,
  newId: () => string,
): Promise<void> {
  await db.transaction('rw', [db.outbox, db.packages, db.users], async () => {
    for (const row of await withDependents(db, operationId)) {
      const again = await triedAnew(db, row, newId);
      await db.outbox.delete(row.seq);
      await db.outbox.add(again);
    }
  });
}

/** Drops a refused operation with the dependents: the person's decision. */
export async function discardOperation(db: UserDatabase, operationId: string): Promise<void> {
  await db.transaction('rw', [db.outbox], async () => {
    const rows = await withDependents(db, operationId);
    await db.outbox.bulkDelete(rows.map((row) => row.seq));
  });
}
