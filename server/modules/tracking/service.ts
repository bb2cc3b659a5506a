/** What changes a recipient's page: their note, and a sender who replaces the link. */
import { randomBytes } from 'node:crypto';
import type { WirePackage } from '#contract/package.ts';
import type { LeaveNoteBody } from '#contract/tracking.ts';
import { type Actor, can, isComing } from '#domain/policy.ts';
import type { Database } from '#server/database/database.ts';
import { touch } from '#server/database/field-versions.ts';
import { insist, Refusal } from '#server/http/refusal.ts';
import { missingCodes } from '#server/modules/packages/handover.ts';
import { writeEvents } from '#server/modules/packages/history.ts';
import { storedPackageOf } from '#server/modules/packages/package-view.ts';
import { lockPackage, updatePackage } from '#server/modules/packages/repository.ts';
import { getPackage } from '#server/modules/packages/service.ts';
import { countNotes, lockTracked, noteReplaced } from './repository.ts';
import { maxNotes } from './tracking.ts';

/**
 * Stores a note, which reaches the courier like any change of the package; the same again changes
 * nothing and does not count. Refuses with `not_found`, with `invalid_state` once it does not come any
 * more or there are enough, or as `count` does.
 */
export async function leaveNote(
  tx: Database,
  {
    token,
    kind,
    text,
    now,
    count,
  }: LeaveNoteBody & { token: string; now: Date; count: () => Promise<void> },
): Promise<void> {
  const row = await lockTracked(tx, token);
  if (!row) throw new Refusal('not_found');
  // A double tap, or a form sent again after a lost answer.
  if (row.recipientNote?.kind === kind && row.recipientNote.text === text) return;
  const isOver = row.deletedAt !== null || !isComing(row);
  if (isOver || (await countNotes(tx, row.id)) >= maxNotes) throw new Refusal('invalid_state');
  await count();
  const event = { type: 'recipient_note', reason: kind, note: text } as const;
  await writeEvents(tx, { packageId: row.id, actorId: null, now }, [event]);
  await updatePackage(tx, row.id, {
    ...touch(row, [], undefined),
    recipientNote: { kind, text, at: now.toISOString() },
    updatedAt: now,
  });
}

/** 132 random bits, as the database's default. */
const newToken = () => randomBytes(17).toString('base64url').slice(0, 22);

/**
 * Gives the package another link, and another code if it has one: who read the page before knows it.
 * What was before ends. Refuses with the policy's code.
 */
export async function replaceTracking(
  tx: Database,
  { actor, id, now }: { actor: Actor; id: string; now: Date },
): Promise<WirePackage> {
  const row = await lockPackage(tx, id);
  if (!row) throw new Refusal('not_found');
  insist(can(actor, 'replaceTracking', storedPackageOf(row)));
  if (row.trackingToken !== null) await noteReplaced(tx, row.trackingToken, now);
  await updatePackage(tx, id, {
    ...touch(row, [], undefined),
    trackingToken: newToken(),
    ...(row.dropoffCode === null ? {} : missingCodes({ ...row, dropoffCode: null })),
    updatedAt: now,
  });
  return getPackage(tx, actor, id);
}
