/**
 * Changes packages: reads the facts under a lock, lets domain/patch, domain/policy and event-rules
 * decide, and writes the result. No rule and no query calls it back.
 */
import { randomUUID } from 'node:crypto';
import type { Removed } from '#contract/delta.ts';
import type {
  CreatePackageBody,
  Handover,
  PatchPackageBody,
  WirePackage,
} from '#contract/package.ts';
import type { Writer } from '#contract/writer.ts';
import { stepBefore } from '#domain/event.ts';
import { newPackage, type StoredPackage } from '#domain/package.ts';
import { areDatesInOrder } from '#domain/package-form.ts';
import { type PackagePatch, parsePatch, readPatch, type Wanted } from '#domain/patch.ts';
import { type Actor, can, canCreate, type PackageFacts } from '#domain/policy.ts';
import { picturesOf } from '#domain/proof.ts';
import { roleOf } from '#domain/user.ts';
import { messages } from '#domain/validation.ts';
import type { Database } from '#server/database/database.ts';
import { staleFields, touch } from '#server/database/field-versions.ts';
import type { PackageRow } from '#server/database/schema.ts';
import { conflictFields, insist, invalidField, Refusal } from '#server/http/refusal.ts';
import { hold } from '#server/modules/ledger/service.ts';
import { enqueueNotification } from '#server/modules/notifications/repository.ts';
import { areNamed, storedOf } from '#server/modules/proofs/repository.ts';
import type { TextTerms } from '#server/modules/texts/bounds.ts';
import { enqueueText } from '#server/modules/texts/repository.ts';
import { lockUser } from '#server/modules/users/repository.ts';
import { recordReturn } from '#server/modules/users/service.ts';
import { actorOf } from '#server/modules/users/user-view.ts';
import type { RateLimits } from '#server/plugins/rate-limits.ts';
import {
  type Allowed,
  eventsOfChange,
  judge,
  type Locked,
  type Recording,
  requireDetails,
} from './event-rules.ts';
import { endedCode, missingCodes, triesLeftOf, triesOf } from './handover.ts';
import { insertEvents, readPast, writeEvents } from './package-events.ts';
import { type ChangedMoney, type MoneyTerms, moneyAfterOf } from './package-money.ts';
import { covers, settleChange } from './package-payment.ts';
import { columnsOf, storedPackageOf } from './package-view.ts';
import * as repository from './repository.ts';
import { getPackage } from './visible-packages.ts';

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
    /** For a body without one. */
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
  await writeEvents(tx, { packageId: id, actorId: actor.id, now }, happened);
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
    money,
  }: Pick<PatchCall, 'actor' | 'now' | 'writer' | 'terms'> & {
    reading: Allowed;
    money: ChangedMoney;
  },
): Promise<void> {
  const { actions, next, changed } = reading;
  const { id } = row;
  const after = { ...moneyAfterOf(next), wanted: undefined, ...money };
  if (actions.includes('reject') && row.courierId === actor.id) {
    await recordReturn(tx, actor.id, now);
  }
  const settled = await settleChange(tx, { row, after, actorId: actor.id, now, terms });
  await repository.updatePackage(tx, id, {
    ...columnsOf(before, next),
    ...(next.dropoffCode === row.dropoffCode ? {} : endedCode(row, now)),
    ...missingCodes(next),
    ...(next.courierId === row.courierId ? {} : { dropoffTries: 0, returnTries: 0 }),
    ...settled,
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
  const money = { wanted: patch.paymentStatus };
  await writeLocked(tx, { row, before }, { ...call, reading, money });
  if (actions.includes('accept')) await requireRoom(tx, call);
  const isPaid = next.paymentStatus === 'paid';
  const happened = eventsOfChange({ actions, changed, before, isPaid });
  const by = { packageId: id, actorId: actor.id, now, before: stepBefore(before, next) };
  await writeEvents(tx, by, happened);
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
    await writeEvents(tx, by, [{ type: 'accepted' }]);
    const before = { status: 'pending', courierId: null } as const;
    const after = { status: 'in-transit', courierId: actor.id } as const;
    await enqueueNotification(tx, { id, before, after, actorId: actor.id, now });
  } else {
    await patchLocked(tx, call, patch);
  }
  return getPackage(tx, actor, id);
}

interface EventCall extends Recording {
  id: string;
  /** Null: the recipient is sent no text message. */
  texting: TextTerms | null;
}

/**
 * Counts a wrong code in the transaction that refuses it, under the package's lock: of guesses at
 * the same time each counts. The refusal keeps that.
 */
async function refuseWrongCode(
  tx: Database,
  row: PackageRow,
  { body, now }: EventCall,
): Promise<never> {
  const tries = triesOf(row);
  // A token cannot be guessed.
  const isCode = body.proof?.qr === undefined;
  const more = isCode ? 1 : 0;
  const counted = { [tries]: row[tries] + more, wrongCodes: row.wrongCodes + more };
  const triesLeft = triesLeftOf({ ...row, ...counted });
  await repository.updatePackage(tx, row.id, {
    ...counted,
    ...(isCode && triesLeft === 0 ? { ...touch(row, [], undefined), updatedAt: now } : {}),
  });
  throw new Refusal('wrong_code', { triesLeft, isKept: true });
}

/**
 * Records a step of a delivery. Refuses with the policy's code, `invalid_fields`, `id_taken`, or
 * for want of a proof.
 */
export async function recordEvent(tx: Database, call: EventCall): Promise<WirePackage> {
  const { actor, id, body, now, terms, texting } = call;
  requireDetails(body);
  const locked = await lock(tx, id);
  const past = await readPast(tx, id);
  const pictures = picturesOf(body.proof ?? {});
  const stored = await storedOf(tx, id, pictures);
  const judged = judge(call, { ...locked, past, stored });
  if (!judged.isAllowed) {
    if (judged.code === 'wrong_code') return refuseWrongCode(tx, judged.read.row, call);
    throw new Refusal(judged.code);
  }
  const { read, reading, money, event } = judged;
  if (body.type === 'handover' && body.courierId) {
    await requireCourier(tx, body.courierId, read.before);
  }
  // A picture proves one step; otherwise an earlier one would prove the next.
  const isTaken = await areNamed(tx, { packageId: id, actorId: actor.id }, pictures);
  if (isTaken || !(await insertEvents(tx, [event]))) throw new Refusal('id_taken');
  if (texting && !reading.isRepeat) {
    const { senderId, recipientPhone } = locked.row;
    const by = { senderId, actorId: actor.id, recipientPhone };
    await enqueueText(tx, { id: body._id, type: body.type, packageId: id, ...by, now }, texting);
  }
  // Money frozen by a dispute about a claim moves once the claim has given way.
  const row = { ...locked.row, dispute: read.row.dispute };
  await writeLocked(tx, { ...locked, row }, { actor, now, terms, reading, money });
  if (reading.actions.includes('setPaymentStatus')) {
    await writeEvents(tx, { packageId: id, actorId: actor.id, now }, [{ type: 'paid' }]);
  }
  return getPackage(tx, actor, id);
}

/** Refuses with `not_found`, `forbidden` or `courier_assigned`. */
export async function deletePackage(
  tx: Database,
  { actor, id, now, terms }: Pick<PatchCall, 'actor' | 'id' | 'now' | 'terms'>,
): Promise<Removed> {
  const { row, before } = await lock(tx, id);
  insist(can(actor, 'delete', before));
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
