/** A package's timeline: past events, operations waiting on this phone, steps ahead. Pure. */
import { type DisputeDecision, disputeDecisions } from '#contract/dispute.ts';
import {
  attemptReasons,
  type EventType,
  type ReasonCode,
  type Relation,
  relations,
  type WireEvent,
} from '#contract/event.ts';
import { type TextStatus, textStatuses } from '#contract/text-message.ts';
import { correctableMs } from '#domain/event.ts';
import { events, eventTypeOf, isEventType } from '#domain/event-types.ts';
import { eventOf, type Operation, operations as rules } from '#domain/operation.ts';
import { correctedBy, type PackageView } from '#domain/overlay.ts';
import { progressOf } from '#domain/package-state.ts';

export interface ShownProof {
  recipientName: string | null;
  relation: Relation | null;
  photoIds: readonly string[];
  signatureId: string | null;
}

/** From an event, or from the operation that waits to record it. */
function shownProof(
  proof: Partial<Record<keyof ShownProof, unknown>> | null | undefined,
): ShownProof | null {
  if (!proof) return null;
  const { recipientName = null, photoIds = [], signatureId = null } = proof as Partial<ShownProof>;
  const relation = relations.find((each) => each === proof.relation) ?? null;
  const isNobody = recipientName === null && relation === null;
  if (isNobody && photoIds.length === 0 && signatureId === null) return null;
  return { recipientName, relation, photoIds, signatureId };
}

export interface TimelineEntry {
  /** Id of the event or the waiting operation; otherwise the name. */
  id: string;
  name: EventType;
  state: 'done' | 'takenBack' | 'ahead';
  /** It, or its taking back, waits on this phone. */
  isWaiting: boolean;
  /** ISO 8601: when it happened or is due; null: not recorded. */
  at: string | null;
  /** The phone's clock was wrong, or it waited for hours. */
  isUnsure: boolean;
  /** Null: not known; '': the reader. */
  by: string | null;
  reason: ReasonCode | null;
  note: string | null;
  /** Kind of the recipient's note (contract/tracking.ts). */
  noteKind: string | null;
  /** A delivery's recipient and pictures; null: no proof. */
  proof: ShownProof | null;
  /** ISO 8601, by the server; null: not there yet. */
  receivedAt: string | null;
  /** The decision on a problem. */
  decision: DisputeDecision | null;
  /** It moved no money: paid in cash, or not at all. */
  isWithoutMoney: boolean;
  /** It repeats a step recorded by someone else. */
  isRepeat?: boolean | undefined;
  /** The message to the recipient that went with it; null: none, or not for this reader. */
  text: { status: TextStatus; at: string } | null;
}

type KnownEvent = WireEvent & { type: EventType };

const isKnown = (event: WireEvent): event is KnownEvent => isEventType(event.type);

function textOf({ text }: WireEvent): TimelineEntry['text'] {
  const status = textStatuses.find((each) => each === text?.status);
  return text && status ? { status, at: text.at } : null;
}

/** Null: none, or a reason of a later version. */
export function reasonOf(reason: string | null | undefined): ReasonCode | null {
  return reason && Object.hasOwn(attemptReasons, reason) ? (reason as ReasonCode) : null;
}

const plain = {
  state: 'done',
  isWaiting: false,
  at: null,
  isUnsure: false,
  by: null,
  reason: null,
  note: null,
  noteKind: null,
  proof: null,
  receivedAt: null,
  decision: null,
  isWithoutMoney: false,
  text: null,
} as const satisfies Partial<TimelineEntry>;

/** Entries derived from the row: the whole timeline without events, and always the steps ahead. */
export function rowTimeline(view: PackageView): TimelineEntry[] {
  const { status, attempts, lastAttempt, deliveredAt, outcome } = view;
  const done = (name: EventType, at: string | null = null): TimelineEntry => ({
    ...plain,
    id: name,
    name,
    at,
  });
  const ahead = (name: EventType, at: string | null = null): TimelineEntry => ({
    ...done(name, at),
    id: `${name} ahead`,
    state: 'ahead',
  });
  const steps = [done('created', view.createdAt)];
  const attempted: TimelineEntry[] =
    attempts > 0
      ? [{ ...done('attempt_failed', lastAttempt?.at), reason: reasonOf(lastAttempt?.reason) }]
      : [];
  if (status === 'cancelled') {
    return [...steps, ...attempted, done(outcome === 'returned' ? 'returned' : 'cancelled')];
  }
  const isDelivered = status === 'delivered';
  const isAccepted = isDelivered || (status !== 'pending' && !view.isAcceptRequested);
  steps.push(isAccepted ? done('accepted') : ahead('accepted'));
  const progress = progressOf(view);
  if (progress !== null && progress !== 'accepted') steps.push(done('picked_up'));
  else if (!isDelivered) steps.push(ahead('picked_up', view.pickupDate));
  steps.push(...attempted);
  if (progress === 'returning') return [...steps, ahead('returned')];
  const { deliveryDate } = view;
  return [
    ...steps,
    isDelivered ? done('delivered', deliveredAt) : ahead('delivered', deliveryDate),
  ];
}

function waitingEntry(operation: Operation): TimelineEntry | null {
  const event = eventOf(operation);
  if (event?.type === 'corrected') return null;
  const { action } = rules[operation.name];
  const name = event?.type ?? (action && eventTypeOf(action));
  if (!name) return null;
  const { id, createdAt: at } = operation;
  const { reason, note = null } = event ?? {};
  const proof = shownProof(event?.proof);
  return { ...plain, id, name, isWaiting: true, at, by: '', reason: reasonOf(reason), note, proof };
}

export interface Known {
  view: PackageView;
  /** Undefined: not stored; then the row's entries serve. `version`: of the row it was read for. */
  history:
    | { version: number; events: readonly WireEvent[]; hasOlder?: boolean | undefined }
    | undefined;
  /** This package's operations. */
  operations: readonly Operation[];
  readerId: string;
}

function eventEntry(event: KnownEvent, readerId: string): TimelineEntry {
  const { _id: id, type: name, actor, effectiveAt: at, note, receivedAt } = event;
  return {
    ...plain,
    id,
    name,
    at,
    note,
    receivedAt,
    isUnsure: event.timeTrust === 'low',
    state: event.correctedBy ? 'takenBack' : 'done',
    // A dispatcher may have no name yet.
    by: actor?.id === readerId ? '' : actor?.firstName || null,
    // A problem has kinds of its own, some of the same name.
    reason: name === 'attempt_failed' ? reasonOf(event.reason) : null,
    noteKind: name === 'recipient_note' ? event.reason : null,
    proof: shownProof(event.proof),
    decision:
      (name === 'resolved' && disputeDecisions.find((each) => each === event.reason)) || null,
    isRepeat: event.isRepeat,
    isWithoutMoney: name === 'resolved' && event.fields?.length === 0,
    text: textOf(event),
  };
}

/** One courier after another is one step of the row. */
const isSameStep = (name: EventType, step: EventType) =>
  name === step || (step === 'accepted' && (name === 'assigned' || name === 'handover'));

const firstSteps: ReadonlySet<EventType> = new Set(['accepted', 'picked_up', 'attempt_failed']);

/** The cash that was recorded with a delivery goes with it. */
function withPayment(entry: TimelineEntry, all: readonly TimelineEntry[]): TimelineEntry {
  if (entry.name !== 'paid') return entry;
  const undone = all.find(
    ({ name, state, receivedAt, by }) =>
      name === 'delivered' &&
      state === 'takenBack' &&
      receivedAt === entry.receivedAt &&
      by === entry.by,
  );
  return undone ? { ...entry, state: 'takenBack', isWaiting: undone.isWaiting } : entry;
}

export function timelineOf({ view, history, operations, readerId }: Known): TimelineEntry[] {
  const row = rowTimeline(view);
  const corrected = correctedBy(operations);
  const takenBack = (entry: TimelineEntry): TimelineEntry =>
    corrected.has(entry.id) && entry.state === 'done'
      ? { ...entry, state: 'takenBack', isWaiting: true }
      : entry;
  // A correction is shown at the step it corrects.
  const past = history?.events ?? [];
  const happened = past
    .filter(isKnown)
    .filter(({ type, corrects }) => type !== 'corrected' || !corrects)
    .map((event) => takenBack(eventEntry(event, readerId)))
    .map((entry, _, all) => withPayment(entry, all));
  const last = happened.findLast(({ name, state }) => state === 'done' && events[name].isMoving);
  // A waiting message is not sent after a later step.
  for (const entry of happened) {
    if (entry.text?.status === 'waiting' && entry !== last) entry.text = null;
  }
  const known = new Set(past.map(({ _id }) => _id));
  const waiting = operations.flatMap((operation) => {
    const isUnanswered = operation.state === 'waiting' && !known.has(operation.id);
    const entry = isUnanswered ? waitingEntry(operation) : null;
    return entry ? takenBack(entry) : [];
  });
  const has = (entries: readonly TimelineEntry[], step: EventType) =>
    entries.some(({ name, state }) => state === 'done' && isSameStep(name, step));
  // The first steps of a long history may be among the events not loaded.
  const isOlder = (name: EventType) =>
    name === 'created' || (history?.hasOlder === true && firstSteps.has(name));
  // The stream brings rows without events: a step known only from the row happened after them.
  const later = row.filter(
    ({ name, state }) =>
      (!history || (history.version < view.version && !isOlder(name))) &&
      state === 'done' &&
      !has([...happened, ...waiting], name),
  );
  // The row may be older than the events since its last courier.
  const turn = happened.findLastIndex(({ name, state }) => state === 'done' && events[name].isTurn);
  const recent = [...happened.slice(turn + 1), ...waiting];
  const ahead = row.filter(({ name, state }) => state === 'ahead' && !has(recent, name));
  return [...happened, ...later, ...waiting, ...ahead];
}

/**
 * The last step, if the reader recorded it here or lately enough, and no problem has been reported
 * since or is open: the money of a settled one is gone. null: none to take back.
 */
export function undoableOf(entries: readonly TimelineEntry[], nowMs: number): TimelineEntry | null {
  const isDispute = ({ name }: TimelineEntry) => name === 'disputed' || name === 'resolved';
  const problemAt = entries.findLastIndex(isDispute);
  const lastAt = entries.findLastIndex(
    ({ name, state, isRepeat }) => state === 'done' && events[name].isMoving && !isRepeat,
  );
  if (problemAt > lastAt || entries[problemAt]?.name === 'disputed') return null;
  const last = entries[lastAt];
  if (last?.by !== '' || !events[last.name].isCorrectable) return null;
  // Another's word on it stands: a dispatcher takes that back.
  const isConfirmed = entries.findLastIndex(({ name }) => name === 'confirmed') > lastAt;
  if (isConfirmed && last.name === 'delivered') return null;
  const { receivedAt } = last;
  const isFresh = receivedAt === null || nowMs - Date.parse(receivedAt) < correctableMs;
  return isFresh ? last : null;
}
