/** Changes a recipient's page: leaves their note, and replaces the link for the sender. */
import { randomBytes } from 'node:crypto';
import type { WirePackage } from '#contract/package.ts';
import type { LeaveNoteBody } from '#contract/tracking.ts';
import { isComing } from '#domain/package-state.ts';
import { type Actor, can } from '#domain/policy.ts';
import type { Database } from '#server/database/database.ts';
import { touch } from '#server/database/field-versions.ts';
import { insist, Refusal } from '#server/http/refusal.ts';
import { endedCode, missingCodes } from '#server/modules/packages/handover.ts';
import { writeEvents } from '#server/modules/packages/package-events.ts';
import { storedPackageOf } from '#server/modules/packages/package-view.ts';
import { lockPackage, updatePackage } from '#server/modules/packages/repository.ts';
import { getPackage } from '#server/modules/packages/visible-packages.ts';
import { sendAgain } from '#server/modules/texts/repository.ts';
import { lockTracked, noteReplaced } from './repository.ts';
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
  if (isOver || row.linkNotes >= maxNotes) throw new Refusal('invalid_state');
  await count();
  const event = { type: 'recipient_note', reason: kind, note: text } as const;
  await writeEvents(tx, { packageId: row.id, actorId: null, now }, [event]);
  await updatePackage(tx, row.id, {
    ...touch(row, [], undefined),
    recipientNote: { kind, text, at: now.toISOString() },
    linkNotes: row.linkNotes + 1,
    updatedAt: now,
  });
}

/** 132 random bits, as the database's default. */
const newToken = () => randomBytes(17).toString('base64url').slice(0, 22);

/**
 * Gives the package another link, and another code if it has one, which readers of the former page
 * know. The former link and code end. Refuses with the policy's code.
 */
export async function replaceTracking(
  tx: Database,
  { actor, id, now }: { actor: Actor; id: string; now: Date },
): Promise<WirePackage> {
  const row = await lockPackage(tx, id);
  if (!row) throw new Refusal('not_found');
  insist(can(actor, 'replaceTracking', storedPackageOf(row)));
  await noteReplaced(tx, row.trackingToken, now);
  await sendAgain(tx, id, now);
  await updatePackage(tx, id, {
    ...touch(row, [], undefined),
    trackingToken: newToken(),
    // Readers of the former link may have used up its notes.
    linkNotes: 0,
    ...(row.dropoffCode === null ? {} : missingCodes({ ...row, dropoffCode: null })),
    ...endedCode(row, now),
    updatedAt: now,
  });
  return getPackage(tx, actor, id);
}
