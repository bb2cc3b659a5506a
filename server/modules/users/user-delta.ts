/** What changed of the users that somebody may see, or may have seen (DESIGN.md section 4). */
import { and, eq, gt, or, type SQL, sql } from 'drizzle-orm';
import type { Removed } from '#contract/delta.ts';
import type { WireUser } from '#contract/user.ts';
import type { Actor } from '#domain/policy.ts';
import type { Database } from '#server/database/database.ts';
import { wallets } from '#server/database/money-schema.ts';
import { assignments, users } from '#server/database/schema.ts';
import { changedSince, type Page, type Pull, pull } from '#server/modules/sync/delta.ts';
import { fetchPage, isCounterpartOf } from './repository.ts';
import { counterpart, wholeUser } from './user-view.ts';

/** Anybody whose row or wallet changed. */
function changedUsers(base: string): SQL {
  return sql`${users.id} in (
    select ${users.id} from ${users} where ${changedSince(users.changedXid, base)}
    union
    select ${wallets.userId} from ${wallets} where ${changedSince(wallets.changedXid, base)})`;
}

/**
 * Oneself, and with whom one began or ended to share a package, and those of them who changed:
 * not only what is shown of them, since their version goes with it.
 */
function changedAround(id: string, base: string): SQL {
  const isNew = changedSince(assignments.changedXid, base);
  const isChanged = changedSince(users.changedXid, base);
  return sql`${users.id} in (
    select ${users.id} from ${users} where ${users.id} = ${id} and ${isChanged}
    union
    select ${wallets.userId} from ${wallets}
     where ${wallets.userId} = ${id} and ${changedSince(wallets.changedXid, base)}
    union
    select ${assignments.senderId} from ${assignments} where ${assignments.courierId} = ${id} and ${isNew}
    union
    select ${assignments.courierId} from ${assignments} where ${assignments.senderId} = ${id} and ${isNew}
    union
    select ${users.id} from ${users} join ${assignments} on ${assignments.senderId} = ${users.id}
     where ${assignments.courierId} = ${id} and ${isChanged}
    union
    select ${users.id} from ${users} join ${assignments} on ${assignments.courierId} = ${users.id}
     where ${assignments.senderId} = ${id} and ${isChanged})`;
}

function wantedBy(actor: Actor, base: string | null): SQL | undefined {
  if (actor.role === 'Admin') return base === null ? undefined : changedUsers(base);
  if (base !== null) return changedAround(actor.id, base);
  return or(eq(users.id, actor.id), isCounterpartOf(actor));
}

function fetch(db: Database, actor: Actor, { base, after, limit }: Page) {
  const isBehind = after === null ? undefined : gt(users.id, after);
  const condition = and(wantedBy(actor, base), isBehind);
  return fetchPage(db, { condition, limit, reader: actor });
}

function show(
  actor: Actor,
  { user, availableKobo, isCounterpart }: Awaited<ReturnType<typeof fetch>>[number],
): WireUser | Removed {
  if (actor.role === 'Admin' || user.id === actor.id) return wholeUser(user, availableKobo);
  return isCounterpart ? counterpart(user) : { _id: user.id, removed: true };
}

/** One page of a series of changes; the headers say how to go on. */
export function pullUsers(call: Pull): Promise<(WireUser | Removed)[]> {
  const { db, actor } = call;
  return pull(call, {
    list: 'users',
    fetch: (page) => fetch(db, actor, page),
    keyOf: ({ user }) => user.id,
    show: (found) => show(actor, found),
  });
}
