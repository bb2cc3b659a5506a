/**
 * The poll for changes must not scan the table: PostgreSQL uses an index, with and without
 * statistics (the embedded database may have none).
 */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { peopleOf } from '#bench/server/requests.ts';
import { seed } from '#bench/server/seed.ts';
import { headers } from '#contract/headers.ts';
import type { Role } from '#contract/user.ts';
import { type Database, type OpenDatabase, selectScalar } from '#server/database/database.ts';
import { pullPackages, readChangedPackages } from '#server/modules/packages/package-delta.ts';
import { openTestDatabase } from './databases.ts';

let opened: OpenDatabase;
beforeAll(async () => {
  opened = await openTestDatabase();
  await seed(opened.db, { packages: 10_000, users: 500 });
  // A transaction of another test file on the same PostgreSQL may be older than all these rows; the
  // query then rightly scans all of them.
  const hasSeenAll = sql<boolean>`(select max(changed_xid) < pg_snapshot_xmin(pg_current_snapshot()) from packages)`;
  await vi.waitFor(
    async () => expect(await selectScalar(opened.db, hasSeenAll)).toBe(true),
    60_000,
  );
}, 120_000);
afterAll(() => opened.close());

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  Plans?: PlanNode[];
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** A database that records the plan of each package query. */
function watched(db: Database, plans: PlanNode[][]): Database {
  const { session } = db._;
  const prepareQuery: typeof session.prepareQuery = (query, ...how) => {
    const asked = session.prepareQuery(query, ...how);
    if (!query.sql.includes('from "packages"')) return asked;
    const explained = { ...query, sql: `explain (format json) ${query.sql}` };
    const execute: typeof asked.execute = async (values) => {
      const found = await session
        .prepareQuery(explained, undefined, undefined, false)
        .execute(values);
      const { rows } = found as { rows: { 'QUERY PLAN': { Plan: PlanNode }[] }[] };
      const root = rows[0]?.['QUERY PLAN'][0]?.Plan;
      if (root) plans.push(nodesOf(root));
      return asked.execute(values);
    };
    return Object.assign(Object.create(asked), { execute });
  };
  const watchedSession = Object.assign(Object.create(session), { prepareQuery });
  return Object.assign(Object.create(db), { _: { ...db._, session: watchedSession } });
}

async function pull(db: Database, actor: { id: string; role: Role }, since: string) {
  let cursor = '';
  const rows = await pullPackages({
    db,
    since,
    actor: { ...actor, isProfileComplete: true },
    now: new Date(),
    setHeader: (name, value) => {
      if (name === headers.syncCursor) cursor = value;
    },
  });
  return { rows, cursor };
}

async function plansOfNothingNew(actor: { id: string; role: Role }): Promise<PlanNode[]> {
  const { db } = opened;
  let { rows, cursor } = await pull(db, actor, '');
  while (rows.length > 0) ({ rows, cursor } = await pull(db, actor, cursor));
  const plans: PlanNode[][] = [];
  expect((await pull(watched(db, plans), actor, cursor)).rows).toEqual([]);
  expect(plans).toHaveLength(1);
  return plans.flat();
}

/** What the streams of all readers read after each change. */
async function plansOfFeed(): Promise<PlanNode[]> {
  const { db } = opened;
  const now = await selectScalar(db, sql<string>`pg_current_snapshot()::text`);
  const plans: PlanNode[][] = [];
  expect(await readChangedPackages(watched(db, plans), now, 201)).toEqual([]);
  expect(plans).toHaveLength(1);
  return plans.flat();
}

describe.each(['without statistics', 'with statistics'])('no changes, %s', (statistics) => {
  beforeAll(async () => {
    if (statistics === 'with statistics') await opened.db.execute(sql`analyze`);
  });

  it.each([
    ['a courier', 'Employee'],
    ['the sender with the most packages', 'Customer'],
    ['an admin', 'Admin'],
  ] as const)('uses an index for %s', async (_, role) => {
    const { couriers, senders } = await peopleOf(opened.db);
    const someone = role === 'Employee' ? couriers[0] : senders[0];
    const nodes = await plansOfNothingNew({ id: someone?.id ?? '', role });
    const whole = nodes.filter((node) => node['Node Type'] === 'Seq Scan');
    expect(whole.map((node) => node['Relation Name'])).not.toContain('packages');
    expect(nodes.map((node) => node['Node Type']).join()).toMatch(/Index/);
  });

  it('uses an index for what streams read', async () => {
    const nodes = await plansOfFeed();
    const whole = nodes.filter((node) => node['Node Type'] === 'Seq Scan');
    expect(whole.map((node) => node['Relation Name'])).not.toContain('packages');
    expect(nodes.map((node) => node['Node Type']).join()).toMatch(/Index/);
  });
});
