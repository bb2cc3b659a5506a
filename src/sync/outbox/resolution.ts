/**
 * What a person decides about operations besides retry and discard (sync/outbox/outbox.ts), each in
 * one transaction: a refused one is replaced or gives way; one that was certainly never sent is
 * withdrawn.
 *
 * Invariants: a refused operation goes only together with what takes its place; whatever goes out
 * again does so under a new id, because the server keeps a refusal under its Idempotency-Key and
 * would only repeat it, and a refusal is certain to have had no effect (what may have had one stays
 * the same request under its id); it goes to the end of its
 * lane, because what was decided since has perhaps been sent, and must neither be overtaken nor be
 * drawn into another refusal.
 */
import type { OutboxRow, UserDatabase } from '#db/user-database.ts';
import {
  concernedFields,
  type Intent,
  isCancellable,
  laneOf,
  type Operation,
} from '#domain/operation.ts';
import {
  addOperation,
  allTries,
  isRefusedForSure,
  onMirroredVersion,
  withDependents,
} from './outbox.ts';

const inOrder = (row: OutboxRow): OutboxRow => ({ ...row, order: row.order ?? row.seq });

/**
 * At the end of its lane; under a new id it is sent again. On its old version it keeps its order, so
 * that it does not replace without a question what the same person has written since.
 */
async function addAgain(db: UserDatabase, row: OutboxRow, id: string): Promise<void> {
  const { seq: _, ...again } = row;
  await db.outbox.add({
    ...again,
    lane: laneOf(again),
    state: 'waiting',
    lastError: null,
    backoff: null,
    ...(id === row.id ? {} : { id, tries: 0, triesBefore: allTries(row) }),
  });
}

/** Only a create may take another id: one that the server has under its own already. */
function insistOnSameSubject(refused: OutboxRow, intent: Intent): void {
  const isCreate = refused.name === 'createPackage';
  const isSame = intent.name === refused.name && (isCreate || laneOf(intent) === refused.lane);
  if (!isSame) throw new TypeError('An operation is replaced by one of its own kind and subject.');
}

/**
 * Replaces a refused operation with `intent`; the dependents come along behind it.
 * An edit among them keeps the version that it was made on, so that the server asks again before it
 * runs over somebody else's change; unless all that it edits was decided on just now.
 *
 * Answers the new operation; null: the refused one is not there any more (decided on in another
 * tab), and nothing was done.
 */
export function replaceOperation(
  db: UserDatabase,
  operationId: string,
  intent: Intent,
  stamp: { id: string; nowMs: number; newId: () => string },
): Promise<Operation | null> {
  const tables = [db.outbox, db.packages, db.users];
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

/**
 * Drops a refused edit alone: the server's values hold. Its dependents go out without it,
 * on the version that they were made on. False: it is not there any more.
 */
export function acceptTheirs(
  db: UserDatabase,
  operationId: string,
  newId: () => string,
): Promise<boolean> {
  return db.transaction('rw', [db.outbox], async () => {
    const [refused, ...dependents] = await withDependents(db, operationId);
    if (!refused) return false;
    if (concernedFields(refused).length === 0) throw new TypeError('Only an edit can give way.');
    await db.outbox.bulkDelete([refused, ...dependents].map(({ seq }) => seq));
    for (const row of dependents) {
      await addAgain(db, inOrder(row), isRefusedForSure(row) ? newId() : row.id);
    }
    return true;
  });
}

/**
 * Takes back what was certainly never sent (`isCancellable`). False: it was or may have been, or
 * something depends on it, and nothing was done.
 *
 * This cannot race with sending: only the first that waits in a lane is ever sent, and it is
 * taken from the database only once nothing is before it (sync/outbox/push.ts). As long as
 * something does, it has not been taken; once it is gone, it cannot be.
 */
export function cancelOperation(db: UserDatabase, operationId: string): Promise<boolean> {
  return db.transaction('rw', [db.outbox], async () => {
    const operations = await db.outbox.toArray();
    const row = operations.find(({ id }) => id === operationId);
    if (!row || !isCancellable(row, operations)) return false;
    await db.outbox.delete(row.seq);
    return true;
  });
}
