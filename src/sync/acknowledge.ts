/**
 * The server has done it: its row into the mirror and the operation out of the outbox, in one
 * transaction, so that no screen ever sees the effect twice or not at all. Killed before this, the
 * operation goes out again under its key and the server repeats its answer.
 */
import type { OutboxRow, UserDatabase } from '#db/user-database.ts';
import { laneOf, type Operation } from '#domain/operation.ts';
import { type Fence, fenced } from './lease.ts';
import { putRow, type Row, rowTables } from './mirror.ts';
import type { Applied } from './operations/sender.ts';
import { rebased, type Step, stepsOfAcknowledgement } from './rebase.ts';

async function rebaseQueued(db: UserDatabase, own: Operation, steps: readonly Step[]) {
  const lane = await db.outbox.where('lane').equals(laneOf(own)).toArray();
  for (const row of lane) {
    if (row.seq <= own.seq || row.state !== 'waiting') continue;
    const moved = rebased(row, steps);
    if (moved) await db.outbox.put({ ...row, ...moved });
  }
}

/** Remembers where our own steps led, for an edit that is still being typed on an earlier version. */
async function rememberSteps(db: UserDatabase, own: Operation, steps: readonly Step[]) {
  const clean = steps.filter((step) => step.foreignFields.size === 0);
  const toVersion = clean[0]?.toVersion;
  if (toVersion === undefined) return;
  let fromVersion = Math.min(...clean.map((step) => step.fromVersion));
  const lane = laneOf(own);
  const known = await db.ownSteps.get(lane);
  if (known && known.fromVersion <= fromVersion && known.toVersion >= fromVersion) {
    fromVersion = known.fromVersion;
  }
  await db.ownSteps.put({ lane, fromVersion, toVersion });
}

/** An operation, and whether a pull knows better than its answer. */
type Sent = Operation & Pick<OutboxRow, 'isOvertaken'>;

async function afterRow(db: UserDatabase, own: Sent, after: Row) {
  const before = own.isOvertaken ? undefined : await putRow(db, after);
  const steps = stepsOfAcknowledgement(own, before, after);
  await rebaseQueued(db, own, steps);
  await rememberSteps(db, own, steps);
}

/** Takes `operation` out and what the server made of it in. */
export async function acknowledge(
  { db, fence }: { db: UserDatabase; fence: Fence },
  operation: Sent,
  applied: Applied,
): Promise<void> {
  await fenced(db, fence, [...rowTables(db), db.outbox, db.ownSteps], async () => {
    await db.outbox.delete(operation.seq);
    if (applied.kind === 'row') return afterRow(db, operation, applied.row);
    await db.packages.delete(applied.id);
    await db.ownSteps.delete(laneOf(operation));
  });
}
