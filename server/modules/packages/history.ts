/** The events of packages (contract/event): written with the change they belong to. */
import { randomUUID } from 'node:crypto';
import { and, asc, desc, eq, gte, inArray, isNull, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { EventType, Proof, RecordEventBody, WireEvent } from '#contract/event.ts';
import type { PackageField, VerifiedBy } from '#contract/package.ts';
import { isMoving, movingTypes, type Step, type StepBefore } from '#domain/event.ts';
import { acceptTerms } from '#domain/patch.ts';
import {
  type Actor,
  isOnOffer,
  type PackageAction,
  type PackageFacts,
  progressOf,
} from '#domain/policy.ts';
import { roleOf } from '#domain/user.ts';
import type { Database } from '#server/database/database.ts';
import { texts } from '#server/database/recipient-schema.ts';
import { assignments, packageEvents, users } from '#server/database/schema.ts';

type NewEvent = Omit<typeof packageEvents.$inferInsert, 'seq'>;

const ofAction: Partial<Record<PackageAction, EventType>> = {
  accept: 'accepted',
  assign: 'assigned',
  reject: 'unassigned',
  deliver: 'delivered',
  cancel: 'cancelled',
  reopen: 'reopened',
  pay: 'paid',
  refund: 'refunded',
};

interface Change {
  actions: readonly PackageAction[];
  changed: readonly PackageField[];
  before: PackageFacts;
  isPaid: boolean;
}

/** What a change is called, with the names of the fields it edited. */
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
    // What is picked up goes from one courier's hands into another's.
    const isHandover = action === 'assign' && (progressOf(before) ?? 'accepted') !== 'accepted';
    const type = isHandover ? 'handover' : ofAction[action];
    return type ? [{ type }] : [];
  });
}

type OwnEvent = Pick<NewEvent, 'type' | 'fields' | 'proof' | 'reason' | 'note'> & { id?: string };

/**
 * Events of the server's own clock, in this order. `before`: of those that move the package. False
 * if one has an id that exists already.
 */
export async function writeEvents(
  tx: Database,
  {
    packageId,
    actorId,
    now,
    before = null,
  }: { packageId: string; actorId: string | null; now: Date; before?: StepBefore | null },
  events: readonly OwnEvent[],
): Promise<boolean> {
  if (events.length === 0) return true;
  const moments = { occurredAt: now, receivedAt: now, effectiveAt: now };
  const rows = await tx
    .insert(packageEvents)
    .values(
      events.map((event) => ({
        id: randomUUID(),
        ...event,
        ...moments,
        packageId,
        actorId,
        before: isMoving(event.type) ? before : null,
      })),
    )
    .onConflictDoNothing({ target: packageEvents.id })
    .returning({ id: packageEvents.id });
  return rows.length === events.length;
}

/** Beyond these, a phone's time is shown as uncertain. */
const clockOffMs = 5 * 60_000;
const waitedMs = 6 * 60 * 60_000;

export interface Timing {
  effectiveAt: Date;
  timeTrust: 'high' | 'low';
}

/**
 * When a recorded event happened by the server's clock: the phone's clock is corrected by how far it
 * was off when it sent. Never later than received, never before `notBefore`.
 */
export function timingOf(
  { occurredAt, sentAt, receivedAt }: { occurredAt: Date; sentAt: Date; receivedAt: Date },
  notBefore: Date,
): Timing {
  const offMs = receivedAt.getTime() - sentAt.getTime();
  const happenedMs = occurredAt.getTime() + offMs;
  const effectiveMs = Math.min(Math.max(happenedMs, notBefore.getTime()), receivedAt.getTime());
  const waited = receivedAt.getTime() - happenedMs;
  // Before the event that it follows: the clock was set in between.
  const isBackwards = notBefore.getTime() - happenedMs > clockOffMs;
  const isPlausible = waited >= 0 && waited <= waitedMs && !isBackwards;
  const isSure = Math.abs(offMs) <= clockOffMs && isPlausible;
  return { effectiveAt: new Date(effectiveMs), timeTrust: isSure ? 'high' : 'low' };
}

/** When this person's last event of the package happened. */
export async function lastEventAt(
  tx: Database,
  packageId: string,
  actorId: string,
): Promise<Date | null> {
  const [last] = await tx
    .select({ at: packageEvents.effectiveAt })
    .from(packageEvents)
    .where(and(eq(packageEvents.packageId, packageId), eq(packageEvents.actorId, actorId)))
    .orderBy(desc(packageEvents.seq))
    .limit(1);
  return last?.at ?? null;
}

/** Who started the package's last return; null: unknown, or never started. */
export async function lastReturnStartedBy(tx: Database, packageId: string): Promise<string | null> {
  const last = await lastOf(tx, packageId, ['return_started']);
  return last?.actorId ?? null;
}

/** When the package's delivery or return reached the server; null: neither was recorded. */
export async function endedAt(tx: Database, packageId: string): Promise<Date | null> {
  const last = await lastOf(tx, packageId, ['delivered', 'returned']);
  return last?.receivedAt ?? null;
}

/** Was a dispute decided after the package's last step? */
export async function isDecided(tx: Database, packageId: string): Promise<boolean> {
  const last = await lastOf(tx, packageId, ['resolved', ...movingTypes]);
  return last?.type === 'resolved';
}

async function lastOf(tx: Database, packageId: string, types: EventType[]) {
  const [last] = await tx
    .select()
    .from(packageEvents)
    .where(and(eq(packageEvents.packageId, packageId), inArray(packageEvents.type, types)))
    .orderBy(desc(packageEvents.seq))
    .limit(1);
  return last;
}

/** What people may read of a proof: that a code was right, not which. */
function shownProof(proof: Proof | undefined, verifiedBy: VerifiedBy | null): NewEvent['proof'] {
  if (proof === undefined && verifiedBy === null) return null;
  const { recipientName = null, relation = null, photoIds = [], signatureId = null } = proof ?? {};
  return { recipientName, relation, photoIds, signatureId, verifiedBy };
}

/** The last step of the package that was not taken back. */
export async function lastStep(tx: Database, packageId: string): Promise<Step | null> {
  const corrections = alias(packageEvents, 'corrections');
  const [last] = await tx
    .select({
      id: packageEvents.id,
      type: packageEvents.type,
      actorId: packageEvents.actorId,
      receivedAt: packageEvents.receivedAt,
      before: packageEvents.before,
    })
    .from(packageEvents)
    .leftJoin(corrections, eq(corrections.corrects, packageEvents.id))
    .where(
      and(
        eq(packageEvents.packageId, packageId),
        inArray(packageEvents.type, [...movingTypes]),
        isNull(corrections.id),
      ),
    )
    .orderBy(desc(packageEvents.seq))
    .limit(1);
  return last ?? null;
}

/** False if the id exists already. */
export async function writeRecorded(
  tx: Database,
  {
    packageId,
    actorId,
    body,
    receivedAt,
    timing,
    before,
    verifiedBy,
  }: {
    packageId: string;
    actorId: string;
    body: RecordEventBody;
    receivedAt: Date;
    timing: Timing;
    before: StepBefore | null;
    verifiedBy: VerifiedBy | null;
  },
): Promise<boolean> {
  const { _id: id, type, occurredAt, reason = null, note = null, location = null } = body;
  const corrects = body.corrects ?? null;
  const rows = await tx
    .insert(packageEvents)
    .values({
      id,
      packageId,
      actorId,
      type,
      reason,
      note,
      location,
      receivedAt,
      ...timing,
      corrects,
      before,
      proof: shownProof(body.proof, verifiedBy),
      occurredAt: new Date(occurredAt),
    })
    .onConflictDoNothing({ target: packageEvents.id })
    .returning({ id: packageEvents.id });
  return rows.length > 0;
}

/** When the courier got the package that they have; null: not theirs. */
async function assignedSince(db: Database, packageId: string, courierId: string) {
  const [found] = await db
    .select({ at: assignments.startedAt })
    .from(assignments)
    .where(
      and(
        eq(assignments.packageId, packageId),
        eq(assignments.courierId, courierId),
        isNull(assignments.endedAt),
      ),
    );
  return found?.at ?? null;
}

/** Of a message that waits, when it goes out. */
const shownTime = ({ status, statusAt, dueAt }: typeof texts.$inferSelect) =>
  status === 'waiting' ? dueAt : statusAt;

/** What `actor` may read, oldest first: a courier's begin with their assignment. */
export async function listEvents(
  db: Database,
  { actor, packageId, isOwn }: { actor: Actor; packageId: string; isOwn: boolean },
): Promise<WireEvent[]> {
  const since = isOwn ? null : await assignedSince(db, packageId, actor.id);
  const corrections = alias(packageEvents, 'corrections');
  const rows = await db
    .select({
      event: packageEvents,
      correctedBy: corrections.id,
      text: texts,
      actor: { id: users.id, roles: users.roles, firstName: users.firstName },
    })
    .from(packageEvents)
    .leftJoin(users, eq(users.id, packageEvents.actorId))
    .leftJoin(corrections, eq(corrections.corrects, packageEvents.id))
    .leftJoin(texts, eq(texts.eventId, packageEvents.id))
    .where(
      and(
        eq(packageEvents.packageId, packageId),
        isOwn ? sql`true` : since ? gte(packageEvents.receivedAt, since) : sql`false`,
      ),
    )
    .orderBy(asc(packageEvents.seq));
  return rows.map(({ event, actor: by, correctedBy, text }) => ({
    _id: event.id,
    seq: event.seq,
    type: event.type,
    actor: by && { id: by.id, role: roleOf(by.roles), firstName: by.firstName },
    occurredAt: event.occurredAt.toISOString(),
    receivedAt: event.receivedAt.toISOString(),
    effectiveAt: event.effectiveAt.toISOString(),
    timeTrust: event.timeTrust,
    reason: event.reason,
    note: event.note,
    location: event.location,
    fields: event.fields ? [...event.fields] : null,
    proof: event.proof,
    corrects: event.corrects,
    correctedBy,
    text: isOwn && text ? { status: text.status, at: shownTime(text).toISOString() } : null,
  }));
}
