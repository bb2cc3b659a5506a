/**
 * What a person decides about operations beside trying anew and discarding (sync/outbox.ts), each in
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
import { bargain } from '#domain/conflict.ts';
import { type Intent, isWithdrawable, laneOf, type Operation } from '#domain/operation.ts';
import {
  addOperation,
  allTries,
  isRefusedForSure,
  onMirroredVersion,
  withLeaning,
} from './outbox.ts';

/** At the end of its lane; under a new id it is tried anew. */
async function addAgain(db: UserDatabase, row: OutboxRow, id: string): Promise<void> {
  const { seq: _, ...again } = row;
  await db.outbox.add({
    ...again,
    lane: laneOf(again),
    ...{ state: 'waiting', lastError: null, hold: null },
    ...(id === row.id ? {} : { id, tries: 0, triesBefore: allTries(row), isOvertaken: false }),
  });
}

/** What an operation sets, and what an accept relies on. */
function concernedFields(intent: Intent): readonly string[] {
  if (intent.name === 'acceptPackage') return bargain;
  const isEdit = intent.name === 'editPackage' || intent.name === 'editProfile';
  return isEdit ? Object.keys(intent.args.changes) : [];
}

/** Only a create may take another id: one that the server has under its own already. */
function insistOnSameSubject(refused: OutboxRow, intent: Intent): void {
  const isCreate = refused.name === 'createPackage';
  const isSame = intent.name === refused.name && (isCreate || laneOf(intent) === refused.lane);
  if (!isSame) throw new TypeError('An operation is replaced by one of its own kind and subject.');
}

/**
 * Puts `intent` in the place of a refused operation; those that leaned on it come along behind it.
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
  const tables = [db.outbox, db.ownSteps, db.packages, db.users];
  return db.transaction('rw', tables, async () => {
    const [refused, ...leaning] = await withLeaning(db, operationId);
    if (!refused) return null;
    insistOnSameSubject(refused, intent);
    await db.outbox.bulkDelete([refused, ...leaning].map(({ seq }) => seq));
    const operation = await addOperation(db, intent, stamp);
    const decided = new Set(concernedFields(intent));
    for (const row of leaning) {
      if (!isRefusedForSure(row) && row.targetId === intent.targetId) {
        await addAgain(db, row, row.id);
        continue;
      }
      const isDecided = concernedFields(row).every((field) => decided.has(field));
      const moved = isDecided ? await onMirroredVersion(db, row) : row;
      await addAgain(db, { ...moved, targetId: intent.targetId }, stamp.newId());
    }
    return operation;
  });
}

/**
 * Drops a refused edit alone: the server's values stand. Those that leaned on it go out without it,
 * on the version that they were made on. False: it is not there any more.
 */
export function giveWay(
  db: UserDatabase,
  operationId: string,
  newId: () => string,
): Promise<boolean> {
  return db.transaction('rw', [db.outbox], async () => {
    const [refused, ...leaning] = await withLeaning(db, operationId);
    if (!refused) return false;
    if (concernedFields(refused).length === 0) throw new TypeError('Only an edit can give way.');
    await db.outbox.bulkDelete([refused, ...leaning].map(({ seq }) => seq));
    for (const row of leaning) {
      await addAgain(db, row, isRefusedForSure(row) ? newId() : row.id);
    }
    return true;
  });
}

/**
 * Takes back what was certainly never sent (`isWithdrawable`). False: it was or may have been, or
 * something leans on it, and nothing was done.
 *
 * This cannot race with whoever sends: only the first that waits in a lane is ever sent, and it is
 * taken from the database only once nothing stands before it any more (sync/push.ts). As long as
 * something does, nobody has taken it; once it is gone, nobody can.
 */
export function withdrawOperation(db: UserDatabase, operationId: string): Promise<boolean> {
  return db.transaction('rw', [db.outbox], async () => {
    const operations = await db.outbox.toArray();
    const row = operations.find(({ id }) => id === operationId);
    if (!row || !isWithdrawable(row, operations)) return false;
    await db.outbox.delete(row.seq);
    return true;
  });
}
