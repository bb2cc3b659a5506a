/** Rows of events of packages (contract/event): written with the change they belong to. */
import { randomUUID } from 'node:crypto';
import { and, desc, eq, gte, inArray, isNull, lt, max, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { eventsPerPage, type WireEvent } from '#contract/event.ts';
import type { StepBefore } from '#domain/event.ts';
import { rulesOfEvent } from '#domain/event-types.ts';
import type { Actor } from '#domain/policy.ts';
import { roleOf } from '#domain/user.ts';
import type { Database } from '#server/database/database.ts';
import { preparedQuery } from '#server/database/prepared-query.ts';
import { texts } from '#server/database/recipient-schema.ts';
import { assignments, packageEvents, users } from '#server/database/schema.ts';
import { Refusal } from '#server/http/refusal.ts';
import { isRepeat, type NewEvent, type Past } from './event-rules.ts';

type OwnEvent = Pick<NewEvent, 'type' | 'fields' | 'proof' | 'reason' | 'note'> & { id?: string };

/** Events per person and package; far more than a delivery needs with every step taken back once. */
export const mostAnHour = 60;

const lastButFew = preparedQuery(() => {
  const { packageId, actorId, receivedAt, seq } = packageEvents;
  const isTheirs = and(
    eq(packageId, sql.placeholder('packageId')),
    eq(actorId, sql.placeholder('actorId')),
  );
  const since = sql.placeholder('since');
  return sql`select ${receivedAt} > ${since}::timestamptz as recent from ${packageEvents}
    where ${isTheirs} order by ${seq} desc offset ${mostAnHour - 1} limit 1`;
});

/**
 * Counts per person, so that one cannot block the others' steps. The caller holds the package's
 * lock. Refuses with `too_many_steps`.
 */
async function requireRoom(
  tx: Database,
  { packageId, actorId, receivedAt }: Pick<NewEvent, 'packageId' | 'actorId' | 'receivedAt'>,
): Promise<void> {
  if (actorId == null) return;
  const since = new Date(receivedAt.getTime() - 3_600_000).toISOString();
  const [found] = await lastButFew(tx, { packageId, actorId, since });
  if (found?.recent === true) throw new Refusal('too_many_steps');
}

/** All of one person and package. False if one has an id that exists already. */
export async function insertEvents(tx: Database, events: NewEvent[]): Promise<boolean> {
  const [first] = events;
  if (!first) return true;
  await requireRoom(tx, first);
  const rows = await tx
    .insert(packageEvents)
    .values(events)
    .onConflictDoNothing({ target: packageEvents.id })
    .returning({ id: packageEvents.id });
  return rows.length === events.length;
}

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
  const moments = { occurredAt: now, receivedAt: now, effectiveAt: now };
  return insertEvents(
    tx,
    events.map((event) => ({
      id: randomUUID(),
      ...event,
      ...moments,
      packageId,
      actorId,
      before: rulesOfEvent(event.type).isMoving ? before : null,
    })),
  );
}

/** For each type and person: the last event, and the last that was taken back or repeats another's. */
export async function readPast(db: Database, packageId: string): Promise<Past> {
  const corrections = alias(packageEvents, 'corrections');
  const { type, actorId, before, seq } = packageEvents;
  const isCorrection = eq(corrections.corrects, packageEvents.id);
  const lastOfEach = db
    .select({ seq: max(seq) })
    .from(packageEvents)
    .leftJoin(corrections, isCorrection)
    .where(eq(packageEvents.packageId, packageId))
    .groupBy(type, actorId, isNull(corrections.id), sql`${before} = '{}'`);
  const rows = await db
    .select({ event: packageEvents, correctedBy: corrections.id })
    .from(packageEvents)
    .leftJoin(corrections, isCorrection)
    .where(inArray(seq, lastOfEach))
    .orderBy(seq);
  return rows.map(({ event, correctedBy }) => ({
    ...event,
    isRepeat: isRepeat(event),
    isTakenBack: correctedBy !== null,
  }));
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

/** When the message was last handled or, if it is waiting, when it will be sent. */
const shownTime = ({ status, statusAt, dueAt }: typeof texts.$inferSelect) =>
  status === 'waiting' ? dueAt : statusAt;

interface EventsPage {
  actor: Actor;
  packageId: string;
  isOwn: boolean;
  /** The `seq` of an event; undefined: the newest. */
  before: number | undefined;
}

/** A page of what `actor` may read, oldest first: a courier's begin with their assignment. */
export async function readEvents(
  db: Database,
  { actor, packageId, isOwn, before }: EventsPage,
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
        before === undefined ? undefined : lt(packageEvents.seq, before),
      ),
    )
    .orderBy(desc(packageEvents.seq))
    .limit(eventsPerPage);
  return rows.toReversed().map(({ event, actor: by, correctedBy, text }) => ({
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
    ...(isRepeat(event) && { isRepeat: true }),
    text: isOwn && text ? { status: text.status, at: shownTime(text).toISOString() } : null,
  }));
}
