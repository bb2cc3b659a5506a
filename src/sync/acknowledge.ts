/**
 * The server has done it: its row into the mirror and the operation out of the outbox, in one
 * transaction, so that no screen ever sees the effect twice or not at all. Killed before this, the
 * operation goes out again under its key and the server repeats its answer.
 */
import { Dexie } from 'dexie';
import type { OutboxRow, Step, UserDatabase } from '#db/user-database.ts';
import { laneOf, type Operation } from '#domain/operation.ts';
import { type Fence, fenced } from './lease.ts';
import { findBefore, put, type Row, rowTables } from './mirror.ts';
import type { Applied } from './operations/sender.ts';
import { headOf } from './outbox.ts';
import { type Advance, advanceOfAcknowledgement, continued, rebased } from './rebase.ts';

/** The edits of a lane that are made on some version; few, where the lane may be long. */
const editsOnVersions = (db: UserDatabase, lane: string) =>
  db.outbox
    .where('[lane+args.baseVersion]')
    .between([lane, Dexie.minKey], [lane, Dexie.maxKey])
    .toArray();

/** Those behind `own` that move to a newer version, as they are to be from now on. */
function movedOn(
  edits: readonly OutboxRow[],
  own: Operation,
  advance: Advance,
  steps: readonly Step[],
): OutboxRow[] {
  const queued = edits.filter((row) => row.seq > own.seq && row.state === 'waiting');
  return queued.flatMap((row) => {
    const operation = rebased(row, advance, steps);
    return operation ? [{ ...row, ...operation }] : [];
  });
}

/** An operation, and whether a pull may know better than its answer. */
type Sent = Operation & Pick<OutboxRow, 'isOvertaken'>;

/**
 * Asks for all that it needs at once, then writes all at once and commits: one waiting for the other
 * is most of the time it takes. By then the fence has been looked at: that was asked for first.
 */
async function afterRow(db: UserDatabase, own: Sent, after: Row): Promise<OutboxRow | undefined> {
  const lane = laneOf(own);
  const [{ before, isNews }, edits, next, stored] = await Promise.all([
    findBefore(db, { row: after, isOvertaken: own.isOvertaken }),
    editsOnVersions(db, lane),
    headOf(db, lane),
    db.ownSteps.get(lane),
  ]);
  // A server that was restored is at an older version: the steps from there were another's.
  const isTakenBack = isNews && before !== undefined && before.version > after.version;
  const known = isTakenBack ? undefined : stored;
  const advance = advanceOfAcknowledgement(own, before, after);
  const steps = continued(known, advance);
  const moved = movedOn(edits, own, advance, steps);
  const written = Promise.all([
    isNews && put(db, after),
    moved.length > 0 && db.outbox.bulkPut(moved),
    steps.length > 0 ? db.ownSteps.put({ lane, steps }) : stored && db.ownSteps.delete(lane),
  ]);
  Dexie.currentTransaction.idbtrans.commit();
  await written;
  return moved.find(({ seq }) => seq === next?.seq) ?? next;
}

/**
 * Takes `operation` out and what the server made of it in. Answers what is next in its lane, as of
 * the same moment: whoever withdraws that finds it either behind this one or gone out.
 */
export function acknowledge(
  { db, fence }: { db: UserDatabase; fence: Fence },
  operation: Sent,
  applied: Applied,
): Promise<OutboxRow | undefined> {
  return fenced(db, fence, [...rowTables(db), db.outbox, db.ownSteps], async () => {
    const isOut = db.outbox.delete(operation.seq);
    const lane = laneOf(operation);
    const [next] = await Promise.all([
      applied.kind === 'row' ? afterRow(db, operation, applied.row) : headOf(db, lane),
      applied.kind === 'row' ||
        Promise.all([db.packages.delete(applied.id), db.ownSteps.delete(lane)]),
      isOut,
    ]);
    return next;
  });
}
