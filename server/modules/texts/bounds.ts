/** How many text messages may go, and where: each costs money (docs/decisions/0091-bounds.md). */
import { and, eq, gte, inArray, notInArray, or, type SQL, sql } from 'drizzle-orm';
import { type TextKind, type TextStatus, textStatuses } from '#contract/text-message.ts';
import type { Database } from '#server/database/database.ts';
import { texts } from '#server/database/recipient-schema.ts';
import { packageEvents, packages } from '#server/database/schema.ts';

/** Each costs money, and steps can be repeated without end. */
export const mostOfKind = 3;
export const mostADay = 10;
const notDropped = textStatuses.filter((status) => status !== 'dropped');

/** Has this number its messages of 24 hours, of all packages? */
export async function isFull(tx: Database, number: string, now: Date): Promise<boolean> {
  // `dueAt` is later than `createdAt`, and indexed by status.
  const isOfDay = gte(texts.dueAt, new Date(now.getTime() - 86_400_000));
  const ofDay = and(eq(texts.recipient, number), inArray(texts.status, notDropped), isOfDay);
  return (await tx.$count(texts, ofDay)) >= mostADay;
}

/** Permitted countries of messages, and the number that one person may cause per hour. */
export interface TextTerms {
  /** '234': what a number begins with after its plus. */
  countries: readonly string[];
  perHour: number;
}

export const isReachable = (number: string, { countries }: TextTerms) =>
  countries.some((code) => number.startsWith(`+${code}`));

/** Has this hour's limit been reached by steps of `actorId` or for packages of `senderId`? */
async function isSpent(
  tx: Database,
  { senderId, actorId, perHour, now }: TextTerms & { senderId: string; actorId: string; now: Date },
): Promise<boolean> {
  // As above; and not more than an hour ago.
  const since = new Date(now.getTime() - 3_600_000);
  const count = (isTheirs: SQL) => sql<number>`count(*) filter (where ${isTheirs})`.mapWith(Number);
  const [found] = await tx
    .select({
      sent: count(eq(packages.senderId, senderId)),
      caused: count(eq(packageEvents.actorId, actorId)),
    })
    .from(texts)
    .innerJoin(packages, eq(packages.id, texts.packageId))
    .innerJoin(packageEvents, eq(packageEvents.id, texts.eventId))
    .where(
      and(
        inArray(texts.status, notDropped),
        gte(texts.dueAt, since),
        gte(texts.createdAt, since),
        or(eq(packages.senderId, senderId), eq(packageEvents.actorId, actorId)),
      ),
    );
  return found !== undefined && Math.max(found.sent, found.caused) >= perHour;
}

/** Until the transaction ends, so that messages of the same moment are counted one after another. */
async function takeTurns(tx: Database, names: readonly string[]): Promise<void> {
  // In one order, so that two never wait for each other.
  for (const name of [...names].sort()) {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`text ${name}`}, 0))`);
  }
}

/** Waiting messages announce the same step, so the new one replaces them. */
async function isRepeatedEnough(tx: Database, packageId: string, kind: TextKind): Promise<boolean> {
  const isSame = and(eq(texts.packageId, packageId), eq(texts.kind, kind));
  const isTried = notInArray(texts.status, ['waiting', 'dropped']);
  return (await tx.$count(texts, and(isSame, isTried))) >= mostOfKind;
}

interface About {
  packageId: string;
  senderId: string;
  actorId: string;
  kind: TextKind;
  /** E.164. */
  number: string;
  now: Date;
}

/** The status of a new message. */
export async function firstStatusOf(
  tx: Database,
  about: About,
  terms: TextTerms,
): Promise<TextStatus> {
  const { packageId, senderId, actorId, kind, number, now } = about;
  if (!isReachable(number, terms)) return 'dropped';
  await takeTurns(tx, [number, senderId, actorId]);
  const isTooMany =
    (await isRepeatedEnough(tx, packageId, kind)) ||
    (await isFull(tx, number, now)) ||
    (await isSpent(tx, { ...terms, senderId, actorId, now }));
  return isTooMany ? 'dropped' : 'waiting';
}
