/** The steps of a delivery, as people record them, and the list of them. */
import { attemptReasons, type RecordEventBody, type WireEvent } from '#contract/event.ts';
import type { WirePackage } from '#contract/package.ts';
import { isMoving, readCorrection, readEvent, stepBefore } from '#domain/event.ts';
import type { PatchReading } from '#domain/patch.ts';
import type { Actor } from '#domain/policy.ts';
import { maxWrongCodes } from '#domain/proof.ts';
import type { Database } from '#server/database/database.ts';
import { touch } from '#server/database/field-versions.ts';
import { invalidField, Refusal } from '#server/http/refusal.ts';
import { enqueueText } from '#server/modules/texts/repository.ts';
import { checkOf, triesOf } from './handover.ts';
import * as history from './history.ts';
import { divisionOfReturn, faultOfReturn } from './package-money.ts';
import { packageFor } from './package-view.ts';
import * as repository from './repository.ts';
import {
  getPackage,
  type Locked,
  lock,
  type PatchCall,
  requireCourier,
  writeLocked,
} from './service.ts';

interface EventCall extends Pick<PatchCall, 'actor' | 'id' | 'now' | 'terms'> {
  body: RecordEventBody;
  /** The phone's clock as it sent this, if it said. */
  sentAt: Date | undefined;
  /** Is the recipient sent a text message? */
  isTexting: boolean;
}

/** What a type of event needs, in addition to its schema. */
function requireDetails({
  type,
  reason,
  note,
  courierId,
  corrects,
  cashCollected,
}: RecordEventBody): void {
  if (type === 'attempt_failed') {
    if (!reason) throw invalidField('reason', 'Must say why the delivery was not possible.');
    if (attemptReasons[reason].needsNote && !note) {
      throw invalidField('note', 'Must describe what happened.');
    }
  }
  if (type === 'handover' && !courierId) {
    throw invalidField('courierId', 'Must be the courier who takes the package.');
  }
  if ((type === 'corrected') !== (corrects !== undefined)) {
    throw invalidField('corrects', 'Must be the event that is taken back.');
  }
  if (cashCollected && type !== 'delivered') {
    throw invalidField('cashCollected', 'Must be recorded with the delivery.');
  }
}

async function readRecorded(
  tx: Database,
  { row, before }: Locked,
  { actor, body, now }: EventCall,
  at: string,
): Promise<PatchReading> {
  if (body.type !== 'corrected') return readEvent(actor, before, body, { at, check: checkOf(row) });
  const last = await history.lastStep(tx, row.id);
  const reading = readCorrection(actor, before, { corrects: body.corrects, last }, now);
  // Else one party could undo what a dispatcher decided about the delivery.
  if (reading.isAllowed && (await history.isDecided(tx, row.id))) {
    return { isAllowed: false, code: 'too_late' };
  }
  return reading;
}

/**
 * Is it a delivery that this takes back, with its money? An earlier one may have been paid, and then
 * reopened: that payout stays with its courier.
 */
async function takesBackDelivery(
  tx: Database,
  { id, status, paidOutAt }: repository.PackageRow,
  { type }: RecordEventBody,
): Promise<boolean> {
  if (type !== 'corrected' || status !== 'delivered') return false;
  const endedAt = await history.endedAt(tx, id);
  return paidOutAt === null || endedAt === null || endedAt <= paidOutAt;
}

/** Whose doing a return is that ends now. */
async function faultOf(tx: Database, { id, senderId, lastAttempt }: repository.PackageRow) {
  const startedBy = lastAttempt === null ? await history.lastReturnStartedBy(tx, id) : null;
  return faultOfReturn(lastAttempt?.reason ?? null, startedBy === senderId);
}

/**
 * Counts a wrong code in the transaction that refuses it, under the package's lock: of guesses at
 * the same time each counts. The refusal keeps that.
 */
async function refuseWrongCode(
  tx: Database,
  row: repository.PackageRow,
  { body, now }: EventCall,
): Promise<never> {
  const tries = triesOf(row);
  // A token cannot be guessed.
  const isCode = body.proof?.qr === undefined;
  const wrong = row[tries] + (isCode ? 1 : 0);
  const isLocked = wrong >= maxWrongCodes;
  await repository.updatePackage(tx, row.id, {
    [tries]: wrong,
    ...(isCode && isLocked ? { ...touch(row, [], undefined), updatedAt: now } : {}),
  });
  const triesLeft = Math.max(0, maxWrongCodes - wrong);
  throw new Refusal('wrong_code', { triesLeft, isKept: true });
}

/**
 * Records a step of a delivery. Refuses with the policy's code, `invalid_fields`, `id_taken`, or
 * for want of a proof.
 */
export async function recordEvent(tx: Database, call: EventCall): Promise<WirePackage> {
  const { actor, id, body, now: receivedAt, sentAt = receivedAt } = call;
  requireDetails(body);
  const { row, before } = await lock(tx, id);
  const occurredAt = new Date(body.occurredAt);
  const notBefore = (await history.lastEventAt(tx, id, actor.id)) ?? row.createdAt;
  const timing = history.timingOf({ occurredAt, sentAt, receivedAt }, notBefore);
  const at = timing.effectiveAt.toISOString();
  const reading = await readRecorded(tx, { row, before }, call, at);
  if (!reading.isAllowed) {
    if (reading.code === 'wrong_code') return refuseWrongCode(tx, row, call);
    throw new Refusal(reading.code);
  }
  if (body.type === 'handover' && body.courierId) {
    await requireCourier(tx, body.courierId, before);
  }
  // The row's own time is the server's.
  const next = { ...reading.next, updatedAt: receivedAt.toISOString() };
  const isRecorded = await history.writeRecorded(tx, {
    packageId: id,
    actorId: actor.id,
    body,
    receivedAt,
    timing,
    before: isMoving(body.type) ? stepBefore(before, next) : null,
    verifiedBy: body.type === 'delivered' ? next.verifiedBy : null,
  });
  if (!isRecorded) throw new Refusal('id_taken');
  if (call.isTexting) {
    const { recipientPhone } = row;
    const event = { id: body._id, type: body.type, packageId: id, recipientPhone };
    await enqueueText(tx, { ...event, now: receivedAt });
  }
  const isCash = next.paymentMethod === 'cash' && next.paymentStatus !== before.paymentStatus;
  await writeLocked(
    tx,
    { row, before },
    {
      actor,
      now: receivedAt,
      writer: undefined,
      terms: call.terms,
      ...(body.type === 'returned'
        ? { division: divisionOfReturn(await faultOf(tx, row), call.terms) }
        : {}),
      reading: { ...reading, next },
      isTakenBack: await takesBackDelivery(tx, row, body),
      ...(isCash ? { wanted: next.paymentStatus } : {}),
    },
  );
  if (reading.actions.includes('setPaymentStatus')) {
    const by = { packageId: id, actorId: actor.id, now: receivedAt };
    await history.writeEvents(tx, by, [{ type: 'paid' }]);
  }
  return getPackage(tx, actor, id);
}

/** Oldest first. Refuses with `not_found`; an offer's are for its sender and admins. */
export async function listEvents(
  db: Database,
  { actor, id }: { actor: Actor; id: string },
): Promise<WireEvent[]> {
  const found = await repository.findPackage(db, id);
  if (!found || !packageFor(actor, found)) throw new Refusal('not_found');
  const isOwn = actor.role === 'Admin' || found.pkg.sender.id === actor.id;
  return history.listEvents(db, { actor, packageId: id, isOwn });
}
