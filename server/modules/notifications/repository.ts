import { and, arrayContains, eq, inArray, isNull, ne, sql } from 'drizzle-orm';
import type { Area } from '#contract/area.ts';
import type { Role } from '#contract/user.ts';
import { isOnOffer } from '#domain/package-state.ts';
import { type Moment, newsOfChange, pushKindOf, pushKindsOf } from '#domain/push.ts';
import { roleOf } from '#domain/user.ts';
import { isWithin } from '#domain/within-area.ts';
import type { Database } from '#server/database/database.ts';
import { preparedQuery } from '#server/database/prepared-query.ts';
import { notificationQueue, pushSubscriptions } from '#server/database/push-schema.ts';
import { packages, sessions, users } from '#server/database/schema.ts';

export type SubscriptionRow = typeof pushSubscriptions.$inferSelect;
export type QueuedNotification = typeof notificationQueue.$inferSelect;

/** Phones per user; another one replaces the one notified longest ago. */
export const subscriptionsPerUser = 10;

/** A browser belongs to one user at a time: the last one to register its endpoint. */
export async function putSubscription(
  tx: Database,
  row: Omit<SubscriptionRow, 'succeededAt' | 'failures' | 'failingSince'>,
): Promise<void> {
  const { endpoint: _, createdAt: __, ...changes } = row;
  await tx
    .insert(pushSubscriptions)
    .values(row)
    .onConflictDoUpdate({ target: pushSubscriptions.endpoint, set: changes });
  const { userId, succeededAt, createdAt, endpoint } = pushSubscriptions;
  const surplus = await tx
    .select({ endpoint })
    .from(pushSubscriptions)
    .where(and(eq(userId, row.userId), ne(endpoint, row.endpoint)))
    .orderBy(sql`coalesce(${succeededAt}, ${createdAt}) desc`)
    .offset(subscriptionsPerUser - 1);
  if (surplus.length === 0) return;
  const gone = surplus.map((one) => one.endpoint);
  await tx.delete(pushSubscriptions).where(inArray(endpoint, gone));
}

/** Deletes it only if it belongs to the user. */
export async function deleteSubscription(
  db: Database,
  { endpoint, userId }: { endpoint: string; userId: string },
): Promise<void> {
  const isTheirs = and(
    eq(pushSubscriptions.endpoint, endpoint),
    eq(pushSubscriptions.userId, userId),
  );
  await db.delete(pushSubscriptions).where(isTheirs);
}

/** Removes kinds the new role does not allow, and phones left without any. */
export async function fitSubscriptions(tx: Database, id: string, role: Role): Promise<void> {
  const { userId, kinds } = pushSubscriptions;
  const fitting = sql`array(select kind from unnest(${kinds}) as kind
    where kind in (select jsonb_array_elements_text(${JSON.stringify(pushKindsOf(role))}::jsonb)))`;
  await tx.update(pushSubscriptions).set({ kinds: fitting }).where(eq(userId, id));
  const isEmpty = and(eq(userId, id), sql`cardinality(${kinds}) = 0`);
  await tx.delete(pushSubscriptions).where(isEmpty);
}

// Inserts nothing without a subscription: on most servers a call costs one lookup.
const enqueue = preparedQuery(
  () => sql`insert into ${notificationQueue} (package_id, kind, actor_id, former_courier_id, created_at)
    select ${packages.id}, ${sql.placeholder('kind')}, ${sql.placeholder('actorId')}::uuid,
           ${sql.placeholder('formerCourierId')}::uuid, ${sql.placeholder('createdAt')}::timestamptz
      from ${packages}
     where ${packages.id} = ${sql.placeholder('packageId')}
       and exists (select 1 from ${pushSubscriptions}
                    where ${pushSubscriptions.userId} <> ${sql.placeholder('actorId')}::uuid
                      and ${sql.placeholder('choice')} = any(${pushSubscriptions.kinds})
                      and (case ${sql.placeholder('kind')}
                             when 'newPackage' then true
                             when 'assigned' then ${pushSubscriptions.userId} = ${packages.courierId}
                             else ${pushSubscriptions.userId} = ${packages.senderId} end))`,
);

interface Change {
  id: string;
  /** Null: it was created. */
  before: Moment | null;
  after: Moment;
  actorId: string;
  now: Date;
}

/**
 * Queues the notifications of a package's change, in its transaction and after its row was written;
 * the dispatcher sends them after the commit.
 */
export async function enqueueNotification(
  tx: Database,
  { id, before, after, actorId, now }: Change,
): Promise<void> {
  const formerCourierId = before?.courierId ?? null;
  const createdAt = now.toISOString();
  for (const kind of newsOfChange(before, after)) {
    const choice = pushKindOf(kind);
    await enqueue(tx, { packageId: id, kind, choice, actorId, formerCourierId, createdAt });
  }
}

/** Deletes and returns the oldest, so that only one process sends it. */
export async function takeNotification(db: Database): Promise<QueuedNotification | null> {
  const oldest = db
    .select({ id: notificationQueue.id })
    .from(notificationQueue)
    .orderBy(notificationQueue.id)
    .limit(1)
    .for('update', { skipLocked: true });
  const [taken] = await db
    .delete(notificationQueue)
    .where(inArray(notificationQueue.id, oldest))
    .returning();
  return taken ?? null;
}

function areaOf({ areaLat: lat, areaLng: lng, areaKm: km }: SubscriptionRow): Area | null {
  return lat === null || lng === null || km === null ? null : { lat, lng, km };
}

export type Recipient = Pick<
  SubscriptionRow,
  'endpoint' | 'p256dh' | 'auth' | 'userId' | 'vapidKey' | 'failures'
>;

/** A package's data and the phones to notify; empty if it is no longer news. */
export async function findRecipients(
  db: Database,
  { packageId, kind, ...row }: QueuedNotification,
) {
  const found = await db
    .select({
      to: pushSubscriptions,
      roles: users.roles,
      package: {
        number: packages.number,
        priceKobo: packages.priceKobo,
        status: packages.status,
        senderId: packages.senderId,
        courierId: packages.courierId,
        place: packages.pickupLocation,
        lastAttempt: packages.lastAttempt,
      },
    })
    .from(packages)
    .innerJoin(pushSubscriptions, arrayContains(pushSubscriptions.kinds, [pushKindOf(kind)]))
    .innerJoin(users, eq(users.id, pushSubscriptions.userId))
    .innerJoin(sessions, eq(sessions.id, pushSubscriptions.sessionId))
    .where(
      and(
        eq(packages.id, packageId),
        isNull(packages.deletedAt),
        eq(users.isActive, true),
        isNull(sessions.revokedAt),
        ne(users.id, row.actorId),
      ),
    );
  return found.filter(({ to, roles, package: about }) => {
    if (!pushKindsOf(roleOf(roles)).includes(pushKindOf(kind))) return false;
    if (kind === 'assigned') return to.userId === about.courierId;
    if (kind !== 'newPackage') return to.userId === about.senderId;
    const isTheirs = [about.senderId, row.formerCourierId].includes(to.userId);
    return isOnOffer(about) && !isTheirs && isWithin(areaOf(to), about.place);
  });
}

export async function recordSent(db: Database, endpoint: string, at: Date): Promise<void> {
  const isThisEndpoint = eq(pushSubscriptions.endpoint, endpoint);
  const changes = { succeededAt: at, failures: 0, failingSince: null };
  await db.update(pushSubscriptions).set(changes).where(isThisEndpoint);
}

/** Both must be exceeded: an outage fails many in an hour, a quiet phone few in a week. */
const longestFailingMs = 7 * 86_400_000;
const mostFailures = 10;

/** A message was not accepted; a phone that has failed too long is deleted. */
export async function recordFailure(db: Database, to: Recipient, at: Date): Promise<void> {
  const { endpoint, auth, failures, failingSince } = pushSubscriptions;
  const [noted] = await db
    .update(pushSubscriptions)
    .set({
      failures: sql`${failures} + 1`,
      failingSince: sql`coalesce(${failingSince}, ${at.toISOString()}::timestamptz)`,
    })
    .where(and(eq(endpoint, to.endpoint), eq(auth, to.auth)))
    .returning({ failures, failingSince });
  if (!noted?.failingSince || noted.failures < mostFailures) return;
  if (at.getTime() - noted.failingSince.getTime() >= longestFailingMs) await prune(db, to);
}

/** Deletes a subscription the push service ended, unless its endpoint has subscribed again. */
export async function prune(db: Database, { endpoint, auth }: Recipient): Promise<void> {
  const isThisSubscription = and(
    eq(pushSubscriptions.endpoint, endpoint),
    eq(pushSubscriptions.auth, auth),
  );
  await db.delete(pushSubscriptions).where(isThisSubscription);
}
