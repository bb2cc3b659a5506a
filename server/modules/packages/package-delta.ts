import { and, eq, isNull, lt, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { type Area, areaText } from '#contract/area.ts';
import type { Removed } from '#contract/delta.ts';
import type { WirePackage } from '#contract/package.ts';
import type { Actor } from '#domain/policy.ts';
import { areaFor } from '#domain/within-area.ts';
import type { Database } from '#server/database/database.ts';
import { preparedQuery, preparedQueryPer } from '#server/database/prepared-query.ts';
import { packages, users } from '#server/database/schema.ts';
import { changedSince, type Page, type Pull, pull } from '#server/modules/sync/delta.ts';
import { type FoundPackage, packagesWhere, readPackage } from './found-package.ts';
import { packageFor } from './package-view.ts';
import { reader, worthFetchingFor } from './repository.ts';

const parties = alias(users, 'parties');

/**
 * Has the package, its sender or its courier changed? Couriers may have seen any package on offer,
 * so each change matters; a change of a party matters only for packages visible now.
 */
function hasChanged(role: Actor['role']): SQL {
  const base = sql.placeholder('base');
  const mayHaveSeen = role === 'Customer' ? eq(packages.senderId, reader) : undefined;
  const seesNow = and(isNull(packages.deletedAt), worthFetchingFor(role));
  const hasNewParty = changedSince(parties.partyXid, base);
  // Collected first, as an array: PostgreSQL would otherwise scan the newest packages for them.
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

type Place = 'first' | 'behind';
type Shape = `${Actor['role']} ${Place}`;

function pageWhere(place: Place, isWanted: SQL | undefined, more?: SQL): SQL {
  const isBehind = place === 'behind' ? lt(packages.number, sql.placeholder('after')) : undefined;
  return packagesWhere(and(isWanted, isBehind), { more, limit: sql`${sql.placeholder('limit')}` });
}

const wholePage = preparedQueryPer((shape: Shape) => {
  const [role, place] = shape.split(' ') as [Actor['role'], Place];
  return pageWhere(place, and(isNull(packages.deletedAt), worthFetchingFor(role)));
});

const changesPage = preparedQueryPer((shape: Shape) => {
  const [role, place] = shape.split(' ') as [Actor['role'], Place];
  return pageWhere(place, hasChanged(role));
}, 'each time');

async function fetch(db: Database, { id, role }: Actor, { base, after, limit }: Page) {
  const page = base === null ? wholePage : changesPage;
  const ask = page(`${role} ${after === null ? 'first' : 'behind'}`);
  const rows = await ask(db, { reader: id, base, after: Number(after), limit });
  return rows.map(readPackage);
}

const changesForAll = preparedQuery(
  () => pageWhere('first', hasChanged('Admin'), sql`${packages.changedXid}::text as xid`),
  'each time',
);

export interface ChangedPackage extends FoundPackage {
  /** The transaction of its last change. */
  xid: string;
}

/** Changed since the snapshot `base`, themselves or by their people, deleted ones too. */
export async function readChangedPackages(
  db: Database,
  base: string,
  limit: number,
): Promise<ChangedPackage[]> {
  const rows = await changesForAll(db, { base, limit });
  return rows.map((raw) => ({ ...readPackage(raw), xid: String(raw.xid) }));
}

interface PackagePull extends Omit<Pull, 'area'> {
  area?: Area | undefined;
}

/** One page of changes; headers say how to continue. */
export function pullPackages(call: PackagePull): Promise<(WirePackage | Removed)[]> {
  const { db, actor } = call;
  const area = areaFor(actor, call.area);
  return pull(
    { ...call, area: area && areaText(area) },
    {
      list: 'packages',
      fetch: (page) => fetch(db, actor, page),
      keyOf: ({ number }) => String(number),
      show: (found) => packageFor(actor, found, area),
      idOf: ({ pkg }) => pkg.id,
    },
  );
}
