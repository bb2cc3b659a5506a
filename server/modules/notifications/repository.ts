/** Rows of subscriptions, and of news on its way to them. */
import { and, arrayContains, eq, inArray, isNull, ne, sql } from 'drizzle-orm';
import type { PushArea, PushKind } from '#contract/push.ts';
import type { Role } from '#contract/user.ts';
import { isWithin, pushKindsOf } from '#domain/push.ts';
import { roleOf } from '#domain/user.ts';
import type { Database } from '#server/database/database.ts';
import { pushNews, pushSubscriptions } from '#server/database/push-schema.ts';
import { packages, sessions, users } from '#server/database/schema.ts';
import { writtenOnce } from '#server/database/written.ts';

export type SubscriptionRow = typeof pushSubscriptions.$inferSelect;
export type NewsRow = typeof pushNews.$inferSelect;

/** Phones of one user; a further one takes the place of the one that was told longest ago. */
export const subscriptionsPerUser = 10;

/** A browser is one person's at a time: an endpoint that was another's is theirs no more. */
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

/** Of this user; another's stays. */
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

/** What does not fit the user's new role goes; a phone that nothing is left for goes with it. */
export async function fitSubscriptions(tx: Database, id: string, role: Role): Promise<void> {
  const { userId, kinds } = pushSubscriptions;
  const fitting = sql`array(select kind from unnest(${kinds}) as kind
    where kind in (select jsonb_array_elements_text(${JSON.stringify(pushKindsOf(role))}::jsonb)))`;
  await tx.update(pushSubscriptions).set({ kinds: fitting }).where(eq(userId, id));
  const isEmpty = and(eq(userId, id), sql`cardinality(${kinds}) = 0`);
  await tx.delete(pushSubscriptions).where(isEmpty);
}

// For whom there is nobody to tell, nothing is written: most servers' calls pay a look, no more.
const news = writtenOnce(
  () => sql`insert into ${pushNews} (package_id, kind, actor_id, former_courier_id, created_at)
    select ${packages.id}, ${sql.placeholder('kind')}, ${sql.placeholder('actorId')}::uuid,
           ${sql.placeholder('formerCourierId')}::uuid, ${sql.placeholder('createdAt')}::timestamptz
      from ${packages}
     where ${packages.id} = ${sql.placeholder('packageId')}
       and exists (select 1 from ${pushSubscriptions}
                    where ${pushSubscriptions.userId} <> ${sql.placeholder('actorId')}::uuid
                      and ${sql.placeholder('kind')} = any(${pushSubscriptions.kinds})
                      and (case ${sql.placeholder('kind')}
                             when 'newPackage' then true
                             when 'assigned' then ${pushSubscriptions.userId} = ${packages.courierId}
                             else ${pushSubscriptions.userId} = ${packages.senderId} end))`,
);

export interface News {
  packageId: string;
  kind: PushKind;
  actorId: string;
  formerCourierId: string | null;
  now: Date;
}

/** In the transaction of what it is news of, so that it goes out if that does. */
export async function insertNews(tx: Database, { now, ...row }: News): Promise<void> {
  await news(tx, { ...row, createdAt: now.toISOString() });
}

/** The oldest, gone with the reading: whoever has it sends it, and nobody else does. */
export async function takeNews(db: Database): Promise<NewsRow | null> {
  const oldest = db
    .select({ id: pushNews.id })
    .from(pushNews)
    .orderBy(pushNews.id)
    .limit(1)
    .for('update', { skipLocked: true });
  const [taken] = await db.delete(pushNews).where(inArray(pushNews.id, oldest)).returning();
  return taken ?? null;
}

function areaOf({ areaLat: lat, areaLng: lng, areaKm: km }: SubscriptionRow): PushArea | null {
  return lat === null || lng === null || km === null ? null : { lat, lng, km };
}

export type Recipient = Pick<
  SubscriptionRow,
  'endpoint' | 'p256dh' | 'auth' | 'userId' | 'vapidKey' | 'failures'
>;

/** What there is to say of a package, and to whom; empty where it is news no more. */
export async function findRecipients(db: Database, { packageId, kind, ...row }: NewsRow) {
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
      },
    })
    .from(packages)
    .innerJoin(pushSubscriptions, arrayContains(pushSubscriptions.kinds, [kind]))
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
    if (!pushKindsOf(roleOf(roles)).includes(kind)) return false;
    if (kind === 'assigned') return to.userId === about.courierId;
    if (kind !== 'newPackage') return to.userId === about.senderId;
    const isOnOffer = about.status === 'pending' && about.courierId === null;
    const isTheirs = [about.senderId, row.formerCourierId].includes(to.userId);
    return isOnOffer && !isTheirs && isWithin(areaOf(to), about.place);
  });
}

export async function noteSent(db: Database, endpoint: string, at: Date): Promise<void> {
  const isIt = eq(pushSubscriptions.endpoint, endpoint);
  const changes = { succeededAt: at, failures: 0, failingSince: null };
  await db.update(pushSubscriptions).set(changes).where(isIt);
}

/** Both: an outage of a push service loses much in an hour, a quiet phone little in a week. */
const longestFailingMs = 7 * 86_400_000;
const mostFailures = 10;

/** A piece of news was not taken; a phone that has taken nothing for too long is forgotten. */
export async function noteLost(db: Database, to: Recipient, at: Date): Promise<void> {
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

/** Told by the push service; not where the phone has subscribed anew with the same address since. */
export async function prune(db: Database, { endpoint, auth }: Recipient): Promise<void> {
  const isIt = and(eq(pushSubscriptions.endpoint, endpoint), eq(pushSubscriptions.auth, auth));
  await db.delete(pushSubscriptions).where(isIt);
}
