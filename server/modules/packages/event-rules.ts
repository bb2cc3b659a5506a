/**
 * Meaning and effect of a package's events, given its earlier ones. Pure: the caller reads the facts
 * under the package's lock, and writes the result.
 */
import {
  attemptReasons,
  type EventType,
  type Proof,
  type RecordEventBody,
} from '#contract/event.ts';
import type { PackageField, VerifiedBy } from '#contract/package.ts';
import {
  isDecidedAfter,
  readCorrection,
  readEvent,
  readRepeat,
  type Step,
  stepBefore,
} from '#domain/event.ts';
import { events, eventTypeOf, rulesOfEvent } from '#domain/event-types.ts';
import type { StoredPackage } from '#domain/package.ts';
import { isOnOffer, progressOf } from '#domain/package-state.ts';
import { acceptTerms, type PatchReading } from '#domain/patch.ts';
import type { Actor, PackageAction, PackageFacts } from '#domain/policy.ts';
import type { PackageRow, packageEvents } from '#server/database/schema.ts';
import { invalidField } from '#server/http/refusal.ts';
import { type Timing, timingOf } from './event-timing.ts';
import { checkOf } from './handover.ts';
import {
  type ChangedMoney,
  type Division,
  divisionOfReturn,
  faultOfReturn,
  type MoneyTerms,
} from './package-money.ts';

export type NewEvent = Omit<typeof packageEvents.$inferInsert, 'seq'>;

interface Change {
  actions: readonly PackageAction[];
  changed: readonly PackageField[];
  before: PackageFacts;
  isPaid: boolean;
}

/** The events of a change, with the names of the edited fields. */
export function eventsOfChange({ actions, changed, before, isPaid }: Change) {
  const isTerm = (field: PackageField) => acceptTerms.includes(field);
  return actions.flatMap((action): Pick<NewEvent, 'type' | 'fields'>[] => {
    if (action === 'edit' || action === 'editLate') {
      const isOffer = isOnOffer(before) && changed.some(isTerm);
      return [{ type: isOffer ? 'offer_changed' : 'edited', fields: changed }];
    }
    if (action === 'setPaymentStatus') {
      return [isPaid ? { type: 'paid' } : { type: 'edited', fields: ['paymentStatus'] }];
    }
    // After the pickup, another courier takes the package over from the first.
    const isHandover = action === 'assign' && (progressOf(before) ?? 'accepted') !== 'accepted';
    const type = isHandover ? 'handover' : eventTypeOf(action);
    return type ? [{ type }] : [];
  });
}

/** Does the event only repeat a step of someone else (domain/event), by its type and `before`? */
export const isRepeat = ({ type, before }: Pick<NewEvent, 'type' | 'before'>): boolean =>
  rulesOfEvent(type).coveredBy.length > 0 && before != null && Object.keys(before).length === 0;

export type PastEvent = typeof packageEvents.$inferSelect & {
  isRepeat: boolean;
  isTakenBack: boolean;
};

/** A package's latest events, oldest first: at least the last of each type and person. */
export type Past = readonly PastEvent[];

export type Allowed = Extract<PatchReading, { isAllowed: true }>;

const lastOf = (past: Past, types: readonly EventType[]) =>
  past.findLast((event) => !event.isRepeat && types.includes(event.type));

/** The last step of the package that was not taken back. */
export const lastStep = (past: Past): Step | null =>
  past.findLast(
    (event) => rulesOfEvent(event.type).isMoving && !event.isRepeat && !event.isTakenBack,
  ) ?? null;

/** The delivery that was recorded last, unless it was taken back. */
export function lastDelivery(past: Past): PastEvent | undefined {
  const last = lastOf(past, ['delivered', 'corrected']);
  return last?.type === 'delivered' ? last : undefined;
}

/** When the package's delivery or return reached the server; null: neither was recorded. */
export const endedAt = (past: Past): Date | null =>
  lastOf(past, ['delivered', 'returned'])?.receivedAt ?? null;

/** The events that started and ended the package's last return; undefined where there is none. */
function lastReturn(past: Past) {
  const started = lastOf(past, ['return_started']);
  const ended = started && lastOf(past, ['returned']);
  return { started, ended: ended && ended.seq > started.seq ? ended : undefined };
}

/** How what is held is divided when a package has come back: by whose doing it was. */
export function returnDivision(
  { senderId, lastAttempt }: Pick<PackageRow, 'senderId' | 'lastAttempt'>,
  past: Past,
  terms: MoneyTerms,
): Division {
  const isBySender = lastReturn(past).started?.actorId === senderId;
  return divisionOfReturn(faultOfReturn(lastAttempt?.reason ?? null, isBySender), terms);
}

/** Checks the details of a type of event that its schema leaves open; throws `invalidField`. */
export function requireDetails({
  type,
  reason,
  note,
  courierId,
  corrects,
  cashCollected,
  proof,
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
  if (proof && !events[type].takesProof) {
    throw invalidField('proof', 'Must be of a delivery, an attempt or a return.');
  }
}

/** A step that a person records. */
export interface Recording {
  actor: Actor;
  body: RecordEventBody;
  now: Date;
  /** The phone's clock as it sent this, if it said. */
  sentAt: Date | undefined;
  terms: MoneyTerms;
}

export interface Locked {
  row: PackageRow;
  before: StoredPackage;
}

interface Facts extends Locked {
  past: Past;
  /** The event's pictures that have arrived. */
  stored: ReadonlySet<string>;
}

/**
 * The package as it is without a return that only its sender started or declared, where its courier
 * proves a delivery by code or scan: that has the recipient's word and wins. A declared return gives way
 * only to what certainly happened before it, and while its money waits; a dispute about it ends with it
 * (docs/decisions/0089).
 */
function withoutClaim(
  { row, before, past }: Facts,
  { actor, body: { type, proof } }: Recording,
  { effectiveAt, timeTrust }: Timing,
): Locked {
  const asItIs = { row, before };
  // A package without a code has nothing to compare one with: it would be the courier's word.
  const isChecked = before.handover !== 'none' && (proof?.code ?? proof?.qr) !== undefined;
  const isProven = type === 'delivered' && isChecked;
  const isDeclared = row.outcome === 'returned' && row.status === 'cancelled';
  if (!isProven || row.courierId !== actor.id) return asItIs;
  if (!isDeclared && progressOf(before) !== 'returning') return asItIs;
  const { started, ended } = lastReturn(past);
  if (started?.actorId !== row.senderId) return asItIs;
  if (isDeclared) {
    const isOpen = ended?.actorId === row.senderId && row.paidOutAt === null;
    // By when it reached the server: its sender could say that it happened earlier.
    const isEarlier = timeTrust === 'high' && ended !== undefined && effectiveAt < ended.receivedAt;
    if (!isOpen || !isEarlier) return asItIs;
  }
  const progress = started.before?.progress ?? 'picked_up';
  const way = { status: 'in-transit', progress, outcome: null, dispute: null } as const;
  return { row: { ...row, ...way }, before: { ...before, ...way } };
}

function readRecorded(
  { row, before, past, stored }: Facts,
  { actor, body, now }: Recording,
  timing: Timing,
): PatchReading {
  const at = timing.effectiveAt.toISOString();
  const last = lastStep(past);
  if (body.type !== 'corrected') {
    const check = checkOf(row, stored, timing);
    const reading = readEvent(actor, before, body, { at, check });
    if (reading.isAllowed || reading.code !== 'invalid_state') return reading;
    return readRepeat(actor, before, body, { at, last, check }) ?? reading;
  }
  const reading = readCorrection(actor, before, { corrects: body.corrects, last }, now);
  // Otherwise one party could undo a dispatcher's decision about the delivery.
  return reading.isAllowed && isDecidedAfter(past)
    ? { isAllowed: false, code: 'too_late' }
    : reading;
}

/** The readable part of a proof: that a code was right, not which. */
function shownProof(proof: Proof | undefined, verifiedBy: VerifiedBy | null): NewEvent['proof'] {
  if (proof === undefined && verifiedBy === null) return null;
  const { recipientName = null, relation = null, photoIds = [], signatureId = null } = proof ?? {};
  return { recipientName, relation, photoIds, signatureId, verifiedBy };
}

/**
 * Is it a delivery that this takes back, with its money? An earlier one may have been paid, and then
 * reopened: that payout stays with its courier.
 */
function takesBackDelivery({ row, past }: Facts, { body }: Recording): boolean {
  if (body.type !== 'corrected' || row.status !== 'delivered') return false;
  const at = endedAt(past);
  return row.paidOutAt === null || at === null || at <= row.paidOutAt;
}

/** Does this end a return on the sender's word alone? */
function isClaim({ row, past }: Facts, { actor, body, terms }: Recording): boolean {
  if (body.type !== 'returned' || actor.id !== row.senderId || terms.releaseAfterMs === 0) {
    return false;
  }
  return lastReturn(past).started?.actorId === row.senderId;
}

/** The effect on the package's money, apart from the package's other changes. */
function moneyOf(facts: Facts, recording: Recording, { next, isRepeat }: Allowed): ChangedMoney {
  const { row, past } = facts;
  const { type } = recording.body;
  const isCash = next.paymentMethod === 'cash' && next.paymentStatus !== row.paymentStatus;
  const wanted = isCash ? next.paymentStatus : undefined;
  if (isRepeat) return { wanted };
  if (isClaim(facts, recording)) return { wanted, isClaim: true };
  const isSettled = type === 'returned' || (type === 'confirmed' && row.status === 'cancelled');
  const division = isSettled ? returnDivision(row, past, recording.terms) : undefined;
  return { wanted, division, isTakenBack: takesBackDelivery(facts, recording) };
}

/** The event as it is kept; `before`: the package that it was read for. */
function keptEvent(
  { actor, body, now }: Recording,
  timing: Timing,
  before: StoredPackage,
  { next, isRepeat }: Allowed,
): NewEvent {
  const { _id: id, type, reason, note, location, corrects, proof, occurredAt } = body;
  const verifiedBy = type === 'delivered' && !isRepeat ? next.verifiedBy : null;
  return {
    id,
    packageId: next.id,
    actorId: actor.id,
    type,
    reason,
    note,
    location,
    corrects,
    ...timing,
    occurredAt: new Date(occurredAt),
    receivedAt: now,
    before: isRepeat ? {} : events[type].isMoving ? stepBefore(before, next) : null,
    proof: shownProof(proof, verifiedBy),
  };
}

/**
 * The result of a recording: the changes of the package and its money, and the event to store; or the
 * refusal. `read`: the package that it was read for.
 */
export function judge(recording: Recording, facts: Facts) {
  const { actor, body, now, sentAt = now } = recording;
  // A report from another device says nothing about this one's clock.
  const own = facts.past.findLast(
    ({ actorId, type }) => actorId === actor.id && type !== 'disputed',
  );
  const clocks = { occurredAt: new Date(body.occurredAt), sentAt, receivedAt: now };
  const timing = timingOf(clocks, own?.effectiveAt ?? facts.row.createdAt);
  const read = withoutClaim(facts, recording, timing);
  const reading = readRecorded({ ...facts, ...read }, recording, timing);
  if (!reading.isAllowed) return { ...reading, read };
  // The row's own time is the server's.
  const allowed = { ...reading, next: { ...reading.next, updatedAt: now.toISOString() } };
  return {
    isAllowed: true as const,
    read,
    reading: allowed,
    money: moneyOf(facts, recording, allowed),
    event: keptEvent(recording, timing, read.before, allowed),
  };
}
