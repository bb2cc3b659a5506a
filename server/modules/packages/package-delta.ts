/** What changed of the packages that somebody may see, or may have seen (DESIGN.md section 4). */
import { and, eq, isNull, lt, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Removed } from '#contract/delta.ts';
import type { WirePackage } from '#contract/package.ts';
import { type Actor, can } from '#domain/policy.ts';
import type { Database } from '#server/database/database.ts';
import { packages, users } from '#server/database/schema.ts';
import { writtenPer } from '#server/database/written.ts';
import { changedSince, type Page, type Pull, pull } from '#server/modules/sync/delta.ts';
import { factsOfRow, packageFor } from './package-view.ts';
import {
  type PackageWithParties,
  packagesWhere,
  reader,
  readPackage,
  worthFetchingFor,
} from './repository.ts';

const parties = alias(users, 'parties');

/**
 * Has the package changed itself, or has its sender or courier? To a courier every
 * package was on offer once, so each that changed is worth a word; a party says something new
 * only of what is seen now.
 */
function hasChanged(role: Actor['role']): SQL {
  const base = sql.placeholder('base');
  const mayHaveSeen = role === 'Customer' ? eq(packages.senderId, reader) : undefined;
  const seesNow = and(isNull(packages.deletedAt), worthFetchingFor(role));
  const hasNewParty = changedSince(parties.partyXid, base);
  // Gathered first, as an array: else the newest packages are gone through in search of them.
  return sql`${packages.id} = any(array(
    select ${packages.id} from ${packages}
     where ${and(changedSince(packages.changedXid, base), mayHaveSeen)}
    union
    select ${packages.id} from ${users} as parties
      join ${packages} on ${packages.senderId} = ${parties.id} where ${and(hasNewParty, seesNow)}
    union
    select ${packages.id} from ${users} as parties
      join ${packages} on ${packages.courierId} = ${parties.id} where ${and(hasNewParty, seesNow)}))`;
}

type Part = 'all' | 'changed';
type Place = 'first' | 'behind';

const pageOf = writtenPer((shape: `${Actor['role']} ${Part} ${Place}`) => {
  const [role, part, place] = shape.split(' ') as [Actor['role'], Part, Place];
  const isWanted =
    part === 'changed' ? hasChanged(role) : and(isNull(packages.deletedAt), worthFetchingFor(role));
  const isBehind = place === 'behind' ? lt(packages.number, sql.placeholder('after')) : undefined;
  return sql`${packagesWhere(and(isWanted, isBehind))} limit ${sql.placeholder('limit')}`;
});

async function fetch(db: Database, { id, role }: Actor, { base, after, limit }: Page) {
  const part = base === null ? 'all' : 'changed';
  const place = after === null ? 'first' : 'behind';
  const values = { reader: id, base, after: Number(after), limit };
  const rows = await pageOf(`${role} ${part} ${place}`, db, values);
  return rows.map(readPackage);
}

function show(actor: Actor, found: PackageWithParties): WirePackage | Removed {
  const isSeen =
    found.row.deletedAt === null && can(actor, 'view', factsOfRow(found.row)).isAllowed;
  return isSeen ? packageFor(actor, found) : { _id: found.row.id, removed: true };
}

/** One page of a series of changes; the headers say how to go on. */
export function pullPackages(call: Pull): Promise<(WirePackage | Removed)[]> {
  const { db, actor } = call;
  return pull(call, {
    list: 'packages',
    fetch: (page) => fetch(db, actor, page),
    keyOf: ({ row }) => String(row.number),
    show: (found) => show(actor, found),
  });
}
