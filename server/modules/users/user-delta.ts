import { and, eq, gt, or, type SQL, sql } from 'drizzle-orm';
import type { Removed } from '#contract/delta.ts';
import type { WireUser } from '#contract/user.ts';
import type { Actor } from '#domain/policy.ts';
import type { Database } from '#server/database/database.ts';
import { wallets } from '#server/database/money-schema.ts';
import { preparedQuery } from '#server/database/prepared-query.ts';
import { assignments, users } from '#server/database/schema.ts';
import { changedSince, type Page, type Pull, pull } from '#server/modules/sync/delta.ts';
import { fetchPage, isCounterpartOf } from './repository.ts';
import { counterpart, wholeUserFor } from './user-view.ts';

function changedUsers(base: string): SQL {
  return sql`${users.id} in (
    select ${users.id} from ${users} where ${changedSince(users.changedXid, base)}
    union
    select ${wallets.userId} from ${wallets} where ${changedSince(wallets.changedXid, base)})`;
}

/**
 * The reader, the people they started or stopped sharing a package with, and changed ones among
 * those: any change counts, since it raises the version.
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
): WireUser | null {
  if (actor.role === 'Admin' || user.id === actor.id)
    return wholeUserFor(actor, user, availableKobo);
  return isCounterpart ? counterpart(user) : null;
}

const changedRoles = preparedQuery(() => {
  const { id, roles, isActive } = users;
  const isChanged = changedSince(users.changedXid, sql.placeholder('base'));
  return sql`select ${id} as id, ${roles} as roles, ${isActive} as active from ${users} where ${isChanged}`;
}, 'each time');

/** Users who changed since the snapshot `base`, with the facts that decide their visibility. */
export async function readChangedRoles(db: Database, base: string) {
  const rows = await changedRoles(db, { base });
  return rows.map(({ id, roles, active }) => ({
    id: String(id),
    roles: roles as string[],
    isActive: active === true,
  }));
}

/** One page of changes; headers say how to continue. */
export function pullUsers(call: Pull): Promise<(WireUser | Removed)[]> {
  const { db, actor } = call;
  return pull(call, {
    list: 'users',
    fetch: (page) => fetch(db, actor, page),
    keyOf: ({ user }) => user.id,
    show: (found) => show(actor, found),
    idOf: ({ user }) => user.id,
  });
}
