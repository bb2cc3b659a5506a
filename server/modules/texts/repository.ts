/** The rows of text messages (docs/decisions/0085-text-messages.md). */
import { randomUUID } from 'node:crypto';
import {
  and,
  asc,
  count,
  countDistinct,
  desc,
  eq,
  exists,
  gte,
  inArray,
  isNull,
  lte,
  ne,
  or,
  sql,
} from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { type TextKind, type TextStatus, textKinds } from '#contract/text-message.ts';
import { events } from '#domain/event-types.ts';
import { progressOf } from '#domain/package-state.ts';
import type { Database } from '#server/database/database.ts';
import { touch } from '#server/database/field-versions.ts';
import { texts } from '#server/database/recipient-schema.ts';
import { packageEvents, packages } from '#server/database/schema.ts';
import { sumOf } from '#server/database/sums.ts';
import { inTransaction } from '#server/database/transaction.ts';
import { displayNumber } from '#server/modules/packages/found-package.ts';
import { isLocked } from '#server/modules/packages/handover.ts';
import { lockPackage, updatePackage } from '#server/modules/packages/repository.ts';
import { firstStatusOf, isFull, isReachable, type TextTerms } from './bounds.ts';
import type { Report } from './provider.ts';
import { outsideQuietHours } from './quiet-hours.ts';
import { openingOf } from './words.ts';

type TextRow = typeof texts.$inferSelect;

/** The app offers to undo a step for ten seconds, and its request takes some. */
export const undoMs = 15_000;

const kindOf = (type: string): TextKind | undefined => textKinds.find((kind) => kind === type);

/** After a corrected step, the same message is not repeated for this long. */
const saidMs = 10 * 60_000;
/** Uncertain: it may have arrived, and a message too few is better than two. */
const saidStatuses: readonly TextStatus[] = ['sending', 'sent', 'delivered', 'uncertain'];

/** The message sent to this number about a step that was taken back since; null: none. */
async function findSaid(
  tx: Database,
  about: { packageId: string; kind: TextKind; number: string; now: Date },
): Promise<string | null> {
  const { packageId, kind, number, now } = about;
  const corrections = alias(packageEvents, 'corrections');
  const found = await tx
    .select({ id: texts.id, status: texts.status })
    .from(texts)
    .innerJoin(corrections, eq(corrections.corrects, texts.eventId))
    .where(
      and(
        eq(texts.packageId, packageId),
        eq(texts.kind, kind),
        eq(texts.recipient, number),
        gte(texts.statusAt, new Date(now.getTime() - saidMs)),
      ),
    )
    // One that is being claimed.
    .for('update', { of: texts });
  return found.find(({ status }) => saidStatuses.includes(status))?.id ?? null;
}

interface TextEvent {
  id: string;
  type: string;
  packageId: string;
  senderId: string;
  /** The person who recorded the step. */
  actorId: string;
  recipientPhone: string;
  now: Date;
}

/**
 * Queues the message about an event, if there is one, in the transaction that writes the event. What
 * was said already about the same step is about this one from now on.
 */
export async function enqueueText(tx: Database, event: TextEvent, terms: TextTerms): Promise<void> {
  const { id: eventId, type, packageId, senderId, actorId, recipientPhone, now } = event;
  const kind = kindOf(type);
  if (!kind) return;
  const number = recipientPhone;
  const said = await findSaid(tx, { packageId, kind, number, now });
  if (said) {
    await tx.update(texts).set({ eventId }).where(eq(texts.id, said));
    return;
  }
  await tx.insert(texts).values({
    id: randomUUID(),
    packageId,
    eventId,
    kind,
    createdAt: now,
    statusAt: now,
    recipient: number,
    status: await firstStatusOf(tx, { packageId, senderId, actorId, kind, number, now }, terms),
    dueAt: outsideQuietHours(new Date(now.getTime() + undoMs)),
  });
}

/** The servers were down, or the database was restored, and the message may have been sent since. */
const tooLateMs = 12 * 3_600_000;
/** By then the courier has left the door. */
const arrivalMs = 30 * 60_000;

/**
 * Not taken back nor overtaken by what happened since. `isRepeated`: the package came to this step
 * again, and that has a message of its own.
 */
function isTrueStill(
  { kind, createdAt, dueAt }: TextRow,
  pkg: typeof packages.$inferSelect,
  { isRepeated, now }: { isRepeated: boolean; now: Date },
): boolean {
  const isTooLate =
    kind === 'arrived'
      ? now.getTime() - createdAt.getTime() > arrivalMs
      : now.getTime() - dueAt.getTime() > tooLateMs;
  if (pkg.deletedAt !== null || isRepeated || isTooLate) return false;
  return progressOf(pkg) === events[kind].progress;
}

export interface ClaimedText extends Pick<TextRow, 'id' | 'packageId' | 'kind' | 'tries'> {
  /** E.164. */
  to: string;
  number: string;
  token: string;
  code: string | null;
}

const later = alias(texts, 'later');

/** Undefined: none is due. Null: one was due, and no longer true. */
function claimNext(
  db: Database,
  now: Date,
  terms: TextTerms,
): Promise<ClaimedText | null | undefined> {
  return inTransaction(db, async (tx) => {
    const [found] = await tx
      .select({
        text: texts,
        isRepeated: exists(
          tx
            .select({ id: later.id })
            .from(later)
            .where(
              and(
                eq(later.packageId, texts.packageId),
                eq(later.kind, texts.kind),
                sql`${later.createdAt} > ${texts.createdAt}`,
              ),
            ),
        ).mapWith(Boolean),
      })
      .from(texts)
      .where(and(eq(texts.status, 'waiting'), lte(texts.dueAt, now)))
      .orderBy(asc(texts.dueAt), asc(texts.createdAt))
      .limit(1)
      .for('update', { skipLocked: true });
    if (!found) return undefined;
    const { text, isRepeated } = found;
    const isThisText = eq(texts.id, text.id);
    // After the lock: what replaces the link from now on waits for it, and puts the message back.
    const [pkg] = await tx.select().from(packages).where(eq(packages.id, text.packageId));
    if (!pkg) throw new Error('A text message has a package.');
    const { trackingToken: token } = pkg;
    // The sender may have corrected it since.
    const to = pkg.recipientPhone;
    const isTrue = isTrueStill(text, pkg, { isRepeated, now });
    // The step after it may be undone.
    if (!isTrue && now.getTime() - pkg.updatedAt.getTime() < undoMs) {
      const dueAt = new Date(pkg.updatedAt.getTime() + undoMs);
      await tx.update(texts).set({ dueAt }).where(isThisText);
      return null;
    }
    const isTooMany = to !== text.recipient && (await isFull(tx, to, now));
    if (token === null || !isTrue || isTooMany || !isReachable(to, terms)) {
      await tx.update(texts).set({ status: 'dropped', statusAt: now }).where(isThisText);
      return null;
    }
    const tries = text.tries + 1;
    const claim = { status: 'sending', statusAt: now, tries, recipient: to } as const;
    await tx.update(texts).set(claim).where(isThisText);
    const { id, packageId, kind } = text;
    const code = pkg.handover === 'code' && !isLocked(pkg) ? pkg.dropoffCode : null;
    return { id, packageId, kind, tries, to, number: displayNumber(pkg.number), token, code };
  });
}

/** Takes the one that is due first, committed before it is sent, so that one process sends it. */
export async function claimText(
  db: Database,
  now: Date,
  terms: TextTerms,
): Promise<ClaimedText | null> {
  for (;;) {
    const claimed = await claimNext(db, now, terms);
    if (claimed !== null) return claimed ?? null;
  }
}

/** A try of a message. What is known of one says nothing of the next. */
type Try = Pick<TextRow, 'id' | 'tries'>;
const isOfTry = ({ id, tries }: Try) =>
  and(eq(texts.id, id), eq(texts.tries, tries), ne(texts.status, 'waiting'));

/** Certainly not sent, and to be tried again. */
export async function putBack(db: Database, text: Try, dueAt: Date, now: Date): Promise<void> {
  const changes = { status: 'waiting', statusAt: now, dueAt: outsideQuietHours(dueAt) } as const;
  await db
    .update(texts)
    .set(changes)
    .where(and(isOfTry(text), eq(texts.status, 'sending')));
}

/**
 * For a package with a new link: a message on its way has the old one, so it is sent again whether or not
 * it arrives. The update also locks waiting messages, so that none is claimed with the old link.
 */
export async function sendAgain(tx: Database, packageId: string, now: Date): Promise<void> {
  await tx
    .update(texts)
    .set({ status: 'waiting', statusAt: now, providerId: null })
    .where(and(eq(texts.packageId, packageId), inArray(texts.status, ['waiting', 'sending'])));
}

type Ended = Extract<TextStatus, 'sent' | 'delivered' | 'failed' | 'uncertain'>;

/** From which each may follow: a report that comes twice, or late, changes nothing. */
const follows: Record<Ended, readonly TextStatus[]> = {
  sent: ['sending', 'uncertain'],
  uncertain: ['sending'],
  failed: ['sending', 'uncertain', 'sent'],
  delivered: ['sending', 'uncertain', 'sent', 'failed'],
};

/**
 * Says what became of a message; its package counts as changed, so that phones which show its history
 * read it again.
 */
export function noteText(
  db: Database,
  { packageId, ...text }: Try & Pick<TextRow, 'packageId'>,
  status: Ended,
  now: Date,
): Promise<void> {
  return inTransaction(db, async (tx) => {
    const row = await lockPackage(tx, packageId);
    const noted = await tx
      .update(texts)
      .set({ status, statusAt: now })
      .where(and(isOfTry(text), inArray(texts.status, [...follows[status]])))
      .returning({ id: texts.id });
    if (!row || noted.length === 0) return;
    await updatePackage(tx, packageId, { ...touch(row, [], undefined), updatedAt: now });
  });
}

/** Gives it the provider's id; false if another message has that. */
export async function nameText(db: Database, text: Try, providerId: string): Promise<boolean> {
  const taken = db
    .select({ id: texts.id })
    .from(texts)
    .where(and(eq(texts.providerId, providerId), ne(texts.id, text.id)));
  const named = await db
    .update(texts)
    .set({ providerId })
    .where(
      and(
        isOfTry(text),
        or(isNull(texts.providerId), eq(texts.providerId, providerId)),
        sql`not exists ${taken}`,
      ),
    )
    .returning({ id: texts.id });
  return named.length > 0;
}

/** Claimed before `before`, by a process that ended while it sent them. */
export async function findAbandoned(db: Database, before: Date): Promise<TextRow[]> {
  const isAbandoned = and(eq(texts.status, 'sending'), lte(texts.statusAt, before));
  return db.select().from(texts).where(isAbandoned);
}

const reportedWithinMs = 3 * 86_400_000;

/**
 * Finds a report's message by its id or, if the provider's response was lost or is not here yet,
 * the oldest with its number and text. In one query: the response may come in between two.
 */
export async function findReported(
  db: Database,
  { providerId, to, body }: Report,
  now: Date,
): Promise<TextRow | null> {
  const isUnnamed = and(
    eq(texts.recipient, to),
    isNull(texts.providerId),
    inArray(texts.status, ['sending', 'uncertain', 'sent']),
    // Later than `createdAt`, and indexed by status.
    gte(texts.dueAt, new Date(now.getTime() - reportedWithinMs)),
  );
  const found = await db
    .select({ text: texts, number: packages.number })
    .from(texts)
    .innerJoin(packages, eq(packages.id, texts.packageId))
    .where(or(eq(texts.providerId, providerId), isUnnamed))
    .orderBy(sql`${texts.providerId} nulls last`, asc(texts.createdAt));
  const isReported = ({ text: { kind, providerId: id }, number }: (typeof found)[number]) =>
    id !== null || body.startsWith(openingOf({ kind, number: displayNumber(number) }));
  return found.find(isReported)?.text ?? null;
}

export async function noteCost(db: Database, id: string, costKobo: number): Promise<void> {
  await db.update(texts).set({ costKobo }).where(eq(texts.id, id));
}

interface TextTotals {
  statuses: { status: TextStatus; count: number }[];
  costKobo: number;
  /** With at least one message whose cost is known. */
  packages: number;
}

/** Counts and costs of the messages written since then. */
export async function textTotals(db: Database, since: Date): Promise<TextTotals> {
  const isCounted = gte(texts.createdAt, since);
  const statuses = await db
    .select({ status: texts.status, count: count() })
    .from(texts)
    .where(isCounted)
    .groupBy(texts.status)
    .orderBy(desc(texts.status));
  const [sums] = await db
    .select({
      costKobo: sumOf(texts.costKobo),
      // A message without a cost counts for no package.
      packages: countDistinct(
        sql`case when ${texts.costKobo} is not null then ${texts.packageId} end`,
      ),
    })
    .from(texts)
    .where(isCounted);
  return { statuses, costKobo: sums?.costKobo ?? 0, packages: sums?.packages ?? 0 };
}
