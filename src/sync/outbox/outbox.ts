/**
 * The outbox's state changes, each one transaction, so that a kill leaves either the old or the new
 * state. 'Being sent' is never stored, so nothing can be stuck in it. A user's other decisions are
 * in sync/outbox/resolution.ts.
 *
 *   enqueue ─▶ waiting ──ok──▶ (deleted, its row in the mirror)
 *               │ │  ▲ └──no answer, try later──▶ waiting, backed off
 *               │ │  └──retry, replace (a new operation)──┐
 *               │ └──refused──▶ attention ────────────────┤
 *               │      with those behind it in its lane   └──discard──▶ (deleted)
 *               └──cancelled, never sent──▶ (deleted)
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
  proofIdsOf,
} from '#domain/operation.ts';
import { operationSchemaVersion } from '#domain/operation-names.ts';
import { proofLane } from '#domain/proof-picture.ts';
import { type Fence, fenced } from '#sync/coordination/lease.ts';
import { type Applied, isRenamed } from '#sync/operations.ts';
import { isNewer, put, putRow, type Row, rowTables } from '#sync/pull/mirror.ts';
import { inRoom, isFull, type RoomNeeds } from '#sync/room.ts';

interface Fenced extends RoomNeeds {
  db: UserDatabase;
  fence: Fence;
}

/** Durable once resolved. `nowMs` is for display. Rejects with the database error if not added. */
export function addOperation(
  db: UserDatabase,
  intent: Intent,
  { id, nowMs }: { id: string; nowMs: number },
): Promise<Operation> {
  const rowOf = (each: Intent, rowId: string): NewOutboxRow => ({
    ...each,
    id: rowId,
    lane: laneOf(each),
    schemaVersion: operationSchemaVersion,
    state: 'waiting',
    createdAt: new Date(nowMs).toISOString(),
    tries: 0,
    lastError: null,
    backoff: null,
  });
  return db.transaction('rw', [db.outbox, db.proofs], async () => {
    const row = rowOf(intent, id);
    const seq = await db.outbox.add(row);
    // With it or not at all: a kill in between would leave pictures that are never sent.
    for (const upload of await uploadsOf(db, intent)) {
      await db.outbox.add(rowOf(upload, upload.args.proofId));
    }
    return { ...row, seq };
  });
}

type Upload = Extract<Intent, { name: 'uploadProof' }>;

/** Uploads for the intent's pictures that are stored here and not queued yet. */
async function uploadsOf(db: UserDatabase, intent: Intent): Promise<Upload[]> {
  const uploads: Upload[] = [];
  for (const proofId of proofIdsOf(intent)) {
    const picture = await db.proofs.get(proofId);
    if (!picture || (await db.outbox.where('lane').equals(proofLane(proofId)).count()) > 0)
      continue;
    const { targetId, subject } = intent;
    const args = { proofId, kind: picture.kind, digest: picture.digest };
    const about = subject === undefined ? {} : { subject };
    uploads.push({ name: 'uploadProof', targetId, args, ...about });
  }
  return uploads;
}

/**
 * Deletes operations that are not sent. Pictures of a delivery go back to its draft; one whose
 * sending is given up is deleted.
 */
export async function dropOperations(
  db: UserDatabase,
  dropped: readonly OutboxRow[],
): Promise<void> {
  const lanes = dropped.flatMap(proofIdsOf).map(proofLane);
  const uploads = await db.outbox.where('lane').anyOf(lanes).primaryKeys();
  await db.outbox.bulkDelete([...uploads, ...dropped.map(({ seq }) => seq)]);
  const pictures = dropped.flatMap((row) => (row.name === 'uploadProof' ? row.args.proofId : []));
  await db.proofs.bulkDelete(pictures);
}

/** Null: no such id. */
export async function findOperation(db: UserDatabase, id: string): Promise<Operation | null> {
  return (await db.outbox.where('id').equals(id).first()) ?? null;
}

const fewRows = 4;

const isWaiting = (row: OutboxRow) => row.state === 'waiting';

/** Retry state a full phone could not store, by the operation's `seq`; lives with the engine. */
export type Unstored = Map<number, Pick<OutboxRow, 'tries' | 'lastError' | 'backoff'>>;

export const withUnstored = <Found extends OutboxRow | undefined>(
  row: Found,
  unstored: Unstored,
): Found => (row ? { ...row, ...unstored.get(row.seq) } : row);

/** The lane's next operation to send; undefined: none. */
export async function headOf(db: UserDatabase, lane: string): Promise<OutboxRow | undefined> {
  // In bulk, ordered by seq (the primary key); a cursor is many times slower.
  const inLane = () => db.outbox.where('lane').equals(lane);
  const first = await inLane().limit(fewRows).toArray();
  const head = first.find(isWaiting);
  if (head || first.length < fewRows) return head;
  return (await inLane().toArray()).find(isWaiting);
}

/** The head of every lane with waiting operations, by seq. */
export async function readHeads(db: UserDatabase, unstored: Unstored): Promise<OutboxRow[]> {
  const heads = new Map<string, OutboxRow>();
  for (const row of await db.outbox.orderBy('seq').toArray()) {
    if (isWaiting(row) && !heads.has(row.lane)) heads.set(row.lane, row);
  }
  return [...heads.values()].map((row) => withUnstored(row, unstored));
}

/** Retargets operations queued for a package to the id that the server assigned. */
async function renameTarget(db: UserDatabase, from: string, to: string): Promise<void> {
  const rows = await db.outbox.filter(({ targetId }) => targetId === from).toArray();
  const moved = rows.map((row) => ({ ...row, targetId: to }));
  await db.outbox.bulkPut(moved.map((row) => ({ ...row, lane: laneOf(row) })));
  await db.proofs.filter(({ packageId }) => packageId === from).modify({ packageId: to });
}

/**
 * Applies the server's result and deletes the operation in one transaction, so that no screen sees
 * the effect twice or not at all. Returns the lane's next head as of the same moment, which
 * `cancelOperation` relies on. On a full phone only deletes: the next pull brings the row, and an
 * operation that stayed would be sent for ever.
 */
export async function acknowledge(
  context: Fenced,
  operation: Operation,
  applied: Applied,
): Promise<OutboxRow | undefined> {
  try {
    return await inRoom(context, () => writeAnswer(context, operation, applied));
  } catch (cause) {
    if (!isFull(cause)) throw cause;
    return await writeAnswer(context, operation, { kind: 'unstored' });
  }
}

function writeAnswer(
  { db, fence }: Fenced,
  operation: Operation,
  applied: Applied | { kind: 'unstored' },
): Promise<OutboxRow | undefined> {
  return fenced(db, fence, [...rowTables(db), db.outbox, db.proofs], async () => {
    // Issue all reads, then all writes: awaiting them one by one dominates the duration. The fence
    // check comes first, so it is settled before the commit.
    const isOut = db.outbox.delete(operation.seq);
    if (applied.kind === 'row' && isRenamed(operation, applied)) {
      const { id } = applied.row;
      await isOut;
      await renameTarget(db, operation.targetId, id);
      await put(db, applied.row);
      return headOf(db, laneOf({ ...operation, targetId: id }));
    }
    const [next, isWritten] = await Promise.all([
      headOf(db, laneOf(operation)),
      applied.kind === 'row' && isNewer(db, applied.row),
      applied.kind === 'packageGone' && db.packages.delete(applied.id),
      applied.kind === 'stored' && db.proofs.delete(applied.proofId),
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
 * The outbox id that the server stores with each field it writes (contract/writer): an edit never
 * conflicts with an earlier one of its outbox. Created at the first push; outlives the mirror.
 */
export async function readOutboxId(needs: RoomNeeds, newId: () => string): Promise<string> {
  const { db } = needs;
  const value = unstoredOutboxIds.get(db) ?? newId();
  const reading = inRoom(needs, () =>
    db.transaction('rw', [db.meta], async () => {
      const stored = (await db.meta.get('outboxId'))?.value;
      if (v.is(outboxIdSchema, stored)) return stored;
      await db.meta.put({ key: 'outboxId', value });
      return value;
    }),
  );
  return await reading.catch((cause: unknown) => {
    if (!isFull(cause)) throw cause;
    unstoredOutboxIds.set(db, value);
    return value;
  });
}

/** For full phones; stored as soon as there is room. */
const unstoredOutboxIds = new WeakMap<UserDatabase, string>();

/** Identifies an edit to the server; `seq` increases and is never reused in an outbox. */
export const writerOf = (outboxId: string, { seq, order = seq }: OutboxRow): Writer => ({
  outboxId,
  order,
});

/** Records a failed try that is not a refusal, and backs off until `untilMs`. */
export async function backOffOperation(
  context: Fenced & { unstored: Unstored },
  operation: Operation,
  error: OperationError,
  backoff: NonNullable<OutboxRow['backoff']>,
): Promise<void> {
  const { db, fence, unstored } = context;
  const change = { tries: operation.tries + 1, lastError: error, backoff };
  unstored.delete(operation.seq);
  try {
    await inRoom(context, () =>
      fenced(db, fence, [db.outbox], () => db.outbox.update(operation.seq, change)),
    );
  } catch (cause) {
    if (!isFull(cause)) throw cause;
    unstored.set(operation.seq, change);
  }
}

/**
 * Moves a refused operation and all after it in its lane to `attention` and stores the server's
 * row, if sent. Returns them, the refused one first; null: the phone is too full to keep it.
 */
export async function refuseOperation(
  context: Fenced,
  operation: Operation,
  error: OperationError,
  current: Row | undefined,
): Promise<Operation[] | null> {
  try {
    return await inRoom(context, () => writeRefusal(context, operation, error, current), {
      isWork: true,
    });
  } catch (cause) {
    if (!isFull(cause)) throw cause;
    return null;
  }
}

function writeRefusal(
  { db, fence }: Fenced,
  operation: Operation,
  error: OperationError,
  current: Row | undefined,
): Promise<Operation[]> {
  return fenced(db, fence, [...rowTables(db), db.outbox], async () => {
    if (current) await putRow(db, current);
    const lane = await db.outbox.where('lane').equals(laneOf(operation)).toArray();
    const affected: OutboxRow[] = [];
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

/** The operation and its dependents: those after it in its lane, up to the next refusal. */
export async function withDependents(db: UserDatabase, operationId: string): Promise<OutboxRow[]> {
  const first = await db.outbox.where('id').equals(operationId).first();
  if (first?.state !== 'attention') return [];
  const lane = await db.outbox.where('lane').equals(first.lane).toArray();
  const later = lane.filter((row) => row.seq > first.seq && row.state === 'attention');
  const end = later.findIndex((row) => row.lastError?.code !== dependsOnRefused);
  return [first, ...(end < 0 ? later : later.slice(0, end))];
}

/** Rebased onto the mirrored version: the user decided with that row in view. */
export async function onMirroredVersion(
  db: UserDatabase,
  { order: _, ...row }: OutboxRow,
): Promise<OutboxRow> {
  const rows = row.name === 'editProfile' ? db.users : db.packages;
  const mirrored = await rows.get(row.targetId);
  return mirrored ? onVersion(row, mirrored.version) : row;
}

/**
 * Whether it certainly had no effect: our server refused it, or it was never sent. A gateway may
 * refuse the repeat of an applied operation, and dependents may rely on its effect.
 */
export function isRefusedForSure({ lastError, tries }: OutboxRow): boolean {
  const code = lastError?.code ?? '';
  return code === dependsOnRefused ? tries === 0 : isErrorCode(code);
}

/**
 * Queues it at the end of its lane, as `id`: a new one, because the server replays refusals, or its
 * own if the refusal is uncertain, so that it is not applied twice.
 */
export async function addAgain(db: UserDatabase, row: OutboxRow, id: string): Promise<void> {
  const { seq: _, ...again } = row;
  const triesBefore = row.tries + (row.triesBefore ?? 0);
  await db.outbox.add({
    ...again,
    lane: laneOf(again),
    state: 'waiting',
    lastError: null,
    backoff: null,
    ...(id === row.id ? {} : { id, tries: 0, triesBefore }),
  });
}

/**
 * Requeues at the end of the lane: operations resolved since may have been sent, and must be
 * neither overtaken nor refused with it.
 */
export async function retryOperation(
  db: UserDatabase,
  operationId: string,
  newId: () => string,
): Promise<void> {
  await db.transaction('rw', [db.outbox, db.packages, db.users], async () => {
    for (const row of await withDependents(db, operationId)) {
      await db.outbox.delete(row.seq);
      // The user decides now, so it counts as newer than their other edits (no `order`).
      const { order: _, ...unordered } = row;
      if (isRefusedForSure(row)) await addAgain(db, await onMirroredVersion(db, row), newId());
      else await addAgain(db, { ...unordered, tries: Math.max(row.tries, 1) }, row.id);
    }
  });
}

/** Deletes a refused operation with its dependents. */
export async function discardOperation(db: UserDatabase, operationId: string): Promise<void> {
  await db.transaction('rw', [db.outbox, db.proofs], async () => {
    await dropOperations(db, await withDependents(db, operationId));
  });
}
