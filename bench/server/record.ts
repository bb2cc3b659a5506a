/**
 * Records the statements of each call on an empty database, so that the bare server always sends
 * the same.
 */
import { PGlite } from '@electric-sql/pglite';
import { drizzle } from 'drizzle-orm/pglite';
import { migrate } from 'drizzle-orm/pglite/migrator';
import { buildApp } from '#server/app.ts';
import { readConfig } from '#server/config/config.ts';
import { migrationsFolder, webFolder } from '#server/config/project-root.ts';
import type { Database, OpenDatabase } from '#server/database/database.ts';
import { pgliteParsers } from '#server/database/pglite.ts';
import { jsonPlan } from './json-page.ts';
import type { Binding, Parameter, Plan, Plans, Statement } from './plan.ts';
import {
  accepting,
  type Person,
  peopleOf,
  pulling,
  type Request,
  type SeededPerson,
  tokensFor,
} from './requests.ts';
import { packagesOnOffer, seed } from './seed.ts';

const secret = 'of a database that lives for a second';

function parameterOf(value: unknown, known: Map<unknown, Binding>): Parameter {
  const binding = known.get(value);
  if (binding) return { binding };
  if (typeof value !== 'string') return { value };
  if (/^-?\d{15,}$/.test(value)) return { binding: 'lock' };
  return /^\d+:\d+:[\d,]*$/.test(value) ? { binding: 'snapshot' } : { value };
}

interface Seen {
  sql: string;
  name: string | null;
  parameters: unknown[];
  isInTransaction: boolean;
}

/** A database that reports each statement to `seen`. */
async function openRecorded(seen: (statement: Seen) => void): Promise<OpenDatabase> {
  let isInTransaction = false;
  const names = new Map<string, string>();
  const client = await PGlite.create({ parsers: pgliteParsers });
  const logger = {
    logQuery: (sql: string, parameters: unknown[]) =>
      seen({ sql, name: names.get(sql) ?? null, parameters, isInTransaction }),
  };
  const made = drizzle({ client, logger });
  // Sessions of transactions have the same class.
  const sessions = Object.getPrototypeOf(made._.session);
  const { prepareQuery } = sessions;
  sessions.prepareQuery = function prepareNamed(this: unknown, ...how: unknown[]) {
    const [query, , name] = how as [{ sql: string }, unknown, string | undefined];
    if (name !== undefined) names.set(query.sql, name);
    return prepareQuery.apply(this, how);
  };
  await migrate(made, { migrationsFolder });
  const db: Database = made;
  const transaction = db.transaction.bind(db);
  db.transaction = async (work, settings) => {
    isInTransaction = true;
    try {
      return await transaction(work, settings);
    } finally {
      isInTransaction = false;
    }
  };
  const listen = () => Promise.resolve(() => Promise.resolve());
  return { db, listen, close: () => client.close() };
}

function planOf(seen: readonly Seen[], known: Map<unknown, Binding>): Plan {
  const statements: Statement[] = seen.map(({ sql, name, parameters, isInTransaction }) => ({
    sql,
    name,
    isInTransaction,
    parameters: parameters.map((value) => parameterOf(value, known)),
  }));
  const answeredBy = seen.findLastIndex(({ sql }) => /^select .*\sfrom "packages"/s.test(sql));
  if (answeredBy < 0) throw new Error('A recorded call reads no packages.');
  return { statements, answeredBy };
}

/** The plans of all calls, recorded on an in-memory database. */
export async function recordPlans(): Promise<Plans> {
  let seen: Seen[] = [];
  const database = await openRecorded((statement) => seen.push(statement));
  await seed(database.db, { packages: 20, users: 20 });
  const config = readConfig({ JWT_SECRET: secret, LOG_LEVEL: 'silent', RATE_LIMIT: 'off' });
  const app = await buildApp({ config, database, webFolder });
  const signFor = tokensFor(secret);
  const people = await peopleOf(database.db);
  const [courier, sender] = [people.couriers[0], people.senders[0]];
  const [offer] = await packagesOnOffer(database.db);
  if (!courier || !sender || !offer) throw new Error('Nothing was seeded.');

  const record = async (person: Person, request: Request, more: [string, Binding][] = []) => {
    seen = [];
    const { method, path: url, headers, body } = request;
    const answer = await app.inject({ method, url, headers, ...(body && { payload: body }) });
    if (answer.statusCode !== 200)
      throw new Error(`Unexpected response while recording: ${answer.body}`);
    const known = new Map<unknown, Binding>([
      [person.id, 'user'],
      [person.sessionId, 'session'],
      ...more,
    ]);
    return { plan: planOf(seen, known), cursor: String(answer.headers['sync-cursor']) };
  };
  const recordPulls = async (someone: SeededPerson) => {
    const person = { ...someone, token: await signFor(someone) };
    const first = await record(person, pulling(person, ''));
    const changes = await record(person, pulling(person, first.cursor));
    return { person, firstPage: first.plan, changes: changes.plan };
  };
  const ofSender = await recordPulls(sender);
  const { person, ...ofCourier } = await recordPulls(courier);
  const key = 'the-key-of-this-acceptance';
  const accept = await record(person, accepting(person, offer, key), [
    [offer, 'package'],
    [key, 'key'],
  ]);
  await app.close();
  await database.close();
  return {
    courierFirstPage: ofCourier.firstPage,
    courierChanges: ofCourier.changes,
    courierJsonPage: jsonPlan(ofCourier.firstPage, 'courier'),
    senderFirstPage: ofSender.firstPage,
    senderChanges: ofSender.changes,
    senderJsonPage: jsonPlan(ofSender.firstPage, 'sender'),
    accept: accept.plan,
  };
}
