/**
 * A user's decisions on operations besides retry and discard (sync/outbox/outbox.ts), each in one
 * transaction: replace a refused one, accept the server's values, cancel an unsent one, undo a step.
 *
 * Invariants: a refused operation is deleted only together with adding its replacement. A resent
 * operation goes to the end of its lane (`retryOperation`), under a new id because the server
 * replays a refusal for the same Idempotency-Key; if the refusal is uncertain it keeps its id.
 */
import type { OutboxRow, UserDatabase } from '#db/user-database.ts';
import {
  concernedFields,
  type Intent,
  type IntentOf,
  isCancellable,
  laneOf,
  type Operation,
} from '#domain/operation.ts';
import { correctedBy } from '#domain/overlay.ts';
import {
  addAgain,
  addOperation,
  dropOperations,
  isRefusedForSure,
  onMirroredVersion,
  withDependents,
} from './outbox.ts';

/** On its old version an edit keeps its order, so that it overwrites nothing written since. */
const inOrder = (row: OutboxRow): OutboxRow => ({ ...row, order: row.order ?? row.seq });

/** Only a create may change its id: the server may already have a package with it. */
function insistOnSameSubject(refused: OutboxRow, intent: Intent): void {
  const isCreate = refused.name === 'createPackage';
  const isSame = intent.name === refused.name && (isCreate || laneOf(intent) === refused.lane);
  if (!isSame) throw new TypeError('A replacement needs the same kind and target.');
}

/**
 * Replaces a refused operation with `intent`; dependents follow, on their own versions unless
 * `intent` covers all their fields. Null if another tab resolved it first.
 */
export function replaceOperation(
  db: UserDatabase,
  operationId: string,
  intent: Intent,
  stamp: { id: string; nowMs: number; newId: () => string },
): Promise<Operation | null> {
  const tables = [db.outbox, db.proofs, db.packages, db.users];
  return db.transaction('rw', tables, async () => {
    const [refused, ...dependents] = await withDependents(db, operationId);
    if (!refused) return null;
    insistOnSameSubject(refused, intent);
    await db.outbox.bulkDelete([refused, ...dependents].map(({ seq }) => seq));
    const operation = await addOperation(db, intent, stamp);
    const decided = new Set(concernedFields(intent));
    for (const row of dependents) {
      if (!isRefusedForSure(row) && row.targetId === intent.targetId) {
        await addAgain(db, inOrder(row), row.id);
        continue;
      }
      const isDecided = concernedFields(row).every((field) => decided.has(field));
      const moved = isDecided ? await onMirroredVersion(db, row) : inOrder(row);
      await addAgain(db, { ...moved, targetId: intent.targetId }, stamp.newId());
    }
    return operation;
  });
}

/** Drops a refused edit; its dependents are sent on their own versions. False if it is gone. */
export function acceptTheirs(
  db: UserDatabase,
  operationId: string,
  newId: () => string,
): Promise<boolean> {
  return db.transaction('rw', [db.outbox], async () => {
    const [refused, ...dependents] = await withDependents(db, operationId);
    if (!refused) return false;
    if (concernedFields(refused).length === 0) throw new TypeError('Not an edit.');
    await db.outbox.bulkDelete([refused, ...dependents].map(({ seq }) => seq));
    for (const row of dependents) {
      await addAgain(db, inOrder(row), isRefusedForSure(row) ? newId() : row.id);
    }
    return true;
  });
}

/**
 * Takes back a step: withdraws it where it was certainly never sent (null), or else queues its
 * correction behind it, once.
 */
export function undoStep(
  db: UserDatabase,
  intent: IntentOf<'correctStep'>,
  stamp: { id: string; nowMs: number },
): Promise<Operation | null> {
  return db.transaction('rw', [db.outbox, db.proofs], async () => {
    const { corrects } = intent.args;
    const operations = await db.outbox.toArray();
    const step = operations.find(({ id }) => id === corrects);
    if (step && isCancellable(step, operations)) {
      await dropOperations(db, [step]);
      return null;
    }
    const queued = operations.find((row) => correctedBy([row]).has(corrects));
    return queued ?? addOperation(db, intent, stamp);
  });
}

/**
 * Cancels an operation that was certainly never sent (`isCancellable`); false: nothing was done.
 * Cannot race with push, which reads an operation only once none is waiting before it.
 */
export function cancelOperation(db: UserDatabase, operationId: string): Promise<boolean> {
  return db.transaction('rw', [db.outbox, db.proofs], async () => {
    const operations = await db.outbox.toArray();
    const row = operations.find(({ id }) => id === operationId);
    if (!row || !isCancellable(row, operations)) return false;
    await dropOperations(db, [row]);
    return true;
  });
}
