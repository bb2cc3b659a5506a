/**
 * domain/patch and domain/policy decide; this file reads the facts under a lock and writes the
 * result.
 */
import { randomUUID } from 'node:crypto';
import type { Area } from '#contract/area.ts';
import type { Removed } from '#contract/delta.ts';
import { attemptReasons, type RecordEventBody, type WireEvent } from '#contract/event.ts';
import type {
  CreatePackageBody,
  Handover,
  PatchPackageBody,
  WirePackage,
} from '#contract/package.ts';
import type { Writer } from '#contract/writer.ts';
import { areaFor } from '#domain/area.ts';
import { isMoving, readCorrection, readEvent, stepBefore } from '#domain/event.ts';
import { newPackage, type StoredPackage } from '#domain/package.ts';
import { areDatesInOrder } from '#domain/package-form.ts';
import {
  type PackagePatch,
  type PatchReading,
  parsePatch,
  readPatch,
  type Wanted,
} from '#domain/patch.ts';
import { type Actor, can, canCreate, type PackageFacts } from '#domain/policy.ts';
import { maxWrongCodes } from '#domain/proof.ts';
import { roleOf } from '#domain/user.ts';
import { messages } from '#domain/validation.ts';
import type { Database } from '#server/database/database.ts';
import { staleFields, touch } from '#server/database/field-versions.ts';
import { conflictFields, insist, invalidField, Refusal } from '#server/http/refusal.ts';
import { hold } from '#server/modules/ledger/service.ts';
import { enqueueNotification } from '#server/modules/notifications/repository.ts';
import { lockUser } from '#server/modules/users/repository.ts';
import { recordReturn } from '#server/modules/users/service.ts';
import { actorOf } from '#server/modules/users/user-view.ts';
import type { RateLimits } from '#server/plugins/rate-limits.ts';
import { checkOf, missingCodes, triesOf } from './handover.ts';
import * as history from './history.ts';
import {
  divisionOfReturn,
  faultOfReturn,
  type MoneyAfter,
  type MoneyTerms,
} from './package-money.ts';
import { covers, settleChange } from './package-payment.ts';
import { columnsOf, packageFor, storedPackageOf } from './package-view.ts';
import * as repository from './repository.ts';

/** All that `actor` may see, newest first; for couriers limited to `area`. */
export async function listVisiblePackages(
  db: Database,
  actor: Actor,
  area: Area | undefined,
): Promise<WirePackage[]> {
  const found = await repository.listPackagesFor(db, actor);
  const limit = areaFor(actor, area);
  return found.flatMap((one) => packageFor(actor, one, limit) ?? []);
}

/** Refuses with `not_found` what `actor` may not see. */
export async function getPackage(db: Database, actor: Actor, id: string): Promise<WirePackage> {
  const found = await repository.findPackage(db, id);
  const seen = found && packageFor(actor, found);
  if (!seen) throw new Refusal('not_found');
  return seen;
}

/** Refuses with `forbidden`, `profile_incomplete`, `invalid_fields` or `id_taken`. */
export async function createPackage(
  tx: Database,
  {
    actor,
    body,
    now,
    handover,
  }: {
    actor: Actor;
    body: CreatePackageBody;
    now: Date;
    /** Where the body has none. */
    handover: Handover;
  },
): Promise<WirePackage> {
  const { _id: id = randomUUID(), senderId = actor.id, paymentMethod } = body;
  insist(canCreate(actor, senderId));
  const created = newPackage({ handover, ...body }, { id, senderId, at: now.toISOString() });
  checkDates(created);
  if (senderId !== actor.id && !(await lockUser(tx, senderId))?.isActive) {
    throw invalidField('senderId', 'Must be the id of an active user.');
  }
  const amountKobo = created.priceOfferKobo;
  const isHeld = paymentMethod === 'app' && (await covers(tx, senderId, actor.id, amountKobo));
  const isNew = await repository.insertPackage(tx, {
    ...columnsOf(null, created),
    ...missingCodes(created),
    ...(isHeld ? { paymentStatus: 'paid', heldKobo: amountKobo } : {}),
  });
  if (!isNew) throw new Refusal('id_taken');
  if (isHeld) {
    await hold(tx, { packageId: id, senderId, amountKobo, actorId: actor.id, now });
  }
  const happened = [{ type: 'created' } as const, ...(isHeld ? [{ type: 'paid' } as const] : [])];
  await history.writeEvents(tx, { packageId: id, actorId: actor.id, now }, happened);
  const after = { status: 'pending', courierId: null } as const;
  await enqueueNotification(tx, { id, before: null, after, actorId: actor.id, now });
  return getPackage(tx, actor, id);
}

/** Refuses a delivery before the pickup, in the words of the form. */
function checkDates({ pickupDate, deliveryDate }: StoredPackage): void {
  if (!areDatesInOrder(pickupDate, deliveryDate)) {
    throw invalidField('deliveryDate', messages.deliveryBeforePickup);
  }
}

/** A courier to assign: an active Employee with a complete profile, not the sender. */
async function requireCourier(tx: Database, courierId: string, facts: PackageFacts): Promise<void> {
  const courier = await lockUser(tx, courierId);
  const isFit =
    courier?.isActive && roleOf(courier.roles) === 'Employee' && actorOf(courier).isProfileComplete;
  if (!isFit || courierId === facts.senderId) {
    throw invalidField(
      'deliveryPersonId',
      'Must be an active delivery personnel with a complete profile, and not the sender.',
    );
  }
}

interface PatchCall {
  actor: Actor;
  id: string;
  body: PatchPackageBody;
  writer?: Writer | undefined;
  now: Date;
  limits: Pick<RateLimits, 'acceptPackage'>;
  maxCarried: number;
  terms: MoneyTerms;
}

/**
 * Accepting reveals contacts, so a courier's packages and acceptances are limited (a dispatcher's
 * assignments are not). Runs after the acceptance was written, before it commits; the lock on the
 * courier's row serializes their acceptances. Refuses with `too_many_carried` or `rate_limited`,
 * which rolls back.
 */
async function requireRoom(tx: Database, { actor, limits, maxCarried }: PatchCall): Promise<void> {
  await lockUser(tx, actor.id);
  if ((await repository.countCarried(tx, actor.id)) > maxCarried) {
    throw new Refusal('too_many_carried');
  }
  await limits.acceptPackage(tx, actor.id);
}

function isPlainAccept(actor: Actor, body: PatchPackageBody, wanted: Wanted): boolean {
  const { deliveryPersonId: _c, deliveryStatus: _s, baseVersion: _b, ...rest } = body;
  return (
    actor.role === 'Employee' &&
    actor.isProfileComplete &&
    wanted.courierId === actor.id &&
    (wanted.status === undefined || wanted.status === 'in-transit') &&
    Object.keys(rest).length === 0
  );
}

interface Locked {
  row: repository.PackageRow;
  before: StoredPackage;
}

async function lock(tx: Database, id: string): Promise<Locked> {
  const row = await repository.lockPackage(tx, id);
  if (!row) throw new Refusal('not_found');
  return { row, before: storedPackageOf(row) };
}

/** Everything that was read must be allowed; then all of it is written, with money and messages. */
async function writeLocked(
  tx: Database,
  { row, before }: Locked,
  {
    actor,
    now,
    writer,
    terms,
    reading,
    wanted,
    division,
  }: Pick<PatchCall, 'actor' | 'now' | 'writer' | 'terms'> & {
    reading: Extract<PatchReading, { isAllowed: true }>;
    wanted?: PackagePatch['paymentStatus'];
    division?: MoneyAfter['division'];
  },
): Promise<void> {
  const { actions, next, changed } = reading;
  const { courierId, status } = next;
  const { id } = row;
  const after = {
    courierId,
    status,
    isDeleted: false,
    paymentMethod: next.paymentMethod,
    priceKobo: next.priceOfferKobo,
    isVerified: next.verifiedBy !== null && next.verifiedBy !== 'photo',
    isTakenBack: actions.includes('correct') && before.status === 'delivered',
    ...{ wanted, division },
  };
  if (actions.includes('reject') && row.courierId === actor.id) {
    await recordReturn(tx, actor.id, now);
  }
  const money = await settleChange(tx, { row, after, actorId: actor.id, now, terms });
  await repository.updatePackage(tx, id, {
    ...columnsOf(before, next),
    ...missingCodes(next),
    ...money,
    ...touch(row, changed, writer),
  });
  await enqueueNotification(tx, { id, before: row, after: next, actorId: actor.id, now });
}

/** The current facts must allow everything in the patch; then all of it is written. */
async function patchLocked(tx: Database, call: PatchCall, patch: PackagePatch): Promise<void> {
  const { actor, id, writer, now } = call;
  const { row, before } = await lock(tx, id);
  const reading = readPatch(actor, before, patch, now.toISOString());
  if (!reading.isAllowed) throw new Refusal(reading.code);
  const { actions, next, changed, agreedTo } = reading;
  if (actions.includes('assign') && next.courierId !== null) {
    await requireCourier(tx, next.courierId, before);
  }
  const stale = staleFields(row, [...changed, ...agreedTo], {
    baseVersion: patch.baseVersion,
    writer,
  });
  if (stale.length > 0) {
    const current = await getPackage(tx, actor, id);
    throw new Refusal('conflict', { current, fields: conflictFields(stale) });
  }
  if (changed.includes('pickupDate') || changed.includes('deliveryDate')) checkDates(next);
  if (next === before) return;
  await writeLocked(tx, { row, before }, { ...call, reading, wanted: patch.paymentStatus });
  if (actions.includes('accept')) await requireRoom(tx, call);
  const isPaid = next.paymentStatus === 'paid';
  const happened = history.eventsOfChange({ actions, changed, before, isPaid });
  const by = { packageId: id, actorId: actor.id, now, before: stepBefore(before, next) };
  await history.writeEvents(tx, by, happened);
}

/**
 * Changes fields, courier, status or payment status; without a change the version stays. Refuses
 * with the policy's code, `invalid_fields` or `conflict` (with the row).
 */
export async function patchPackage(tx: Database, call: PatchCall): Promise<WirePackage> {
  const { actor, id, body, now } = call;
  const patch = parsePatch(body);
  if (patch === null) throw invalidField('deliveryStatus', 'Must be a delivery status.');
  const isAccepted =
    isPlainAccept(actor, body, patch) &&
    (await repository.acceptPackage(tx, {
      id,
      courierId: actor.id,
      baseVersion: body.baseVersion,
      now,
    }));
  if (isAccepted) {
    await requireRoom(tx, call);
    const by = { packageId: id, actorId: actor.id, now };
    await history.writeEvents(tx, by, [{ type: 'accepted' }]);
    const before = { status: 'pending', courierId: null } as const;
    const after = { status: 'in-transit', courierId: actor.id } as const;
    await enqueueNotification(tx, { id, before, after, actorId: actor.id, now });
  } else {
    await patchLocked(tx, call, patch);
  }
  return getPackage(tx, actor, id);
}

interface EventCall extends Pick<PatchCall, 'actor' | 'id' | 'now' | 'terms'> {
  body: RecordEventBody;
  /** The phone's clock as it sent this, if it said. */
  sentAt: Date | undefined;
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
  return readCorrection(actor, before, { corrects: body.corrects, last }, now);
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
    ...{ packageId: id, actorId: actor.id, body, receivedAt, timing },
    before: isMoving(body.type) ? stepBefore(before, next) : null,
    verifiedBy: body.type === 'delivered' ? next.verifiedBy : null,
  });
  if (!isRecorded) throw new Refusal('id_taken');
  const isCash = next.paymentMethod === 'cash' && next.paymentStatus !== before.paymentStatus;
  await writeLocked(
    tx,
    { row, before },
    {
      ...{ actor, now: receivedAt, writer: undefined, terms: call.terms },
      ...(body.type === 'returned'
        ? { division: divisionOfReturn(await faultOf(tx, row), call.terms) }
        : {}),
      reading: { ...reading, next },
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

/** Refuses with `not_found`, `forbidden` or `courier_assigned`. */
export async function deletePackage(
  tx: Database,
  { actor, id, now, terms }: Pick<PatchCall, 'actor' | 'id' | 'now' | 'terms'>,
): Promise<Removed> {
  const row = await repository.lockPackage(tx, id);
  if (!row) throw new Refusal('not_found');
  insist(can(actor, 'delete', storedPackageOf(row)));
  const after = { ...row, wanted: undefined, isVerified: false, isDeleted: true };
  const money = await settleChange(tx, { row, after, actorId: actor.id, now, terms });
  await repository.updatePackage(tx, id, {
    ...money,
    version: row.version + 1,
    updatedAt: now,
    deletedAt: now,
  });
  return { _id: id, removed: true };
}
