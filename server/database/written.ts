/**
 * Queries whose text drizzle writes once, which takes it longer than all else it does: for what
 * calls ask all the time.
 */
import { createHash } from 'node:crypto';
import type { Query, SQLWrapper } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import { drizzle } from 'drizzle-orm/pglite';
import type { Database } from './database.ts';

type Values = Readonly<Record<string, unknown>>;

/** As the driver gives them: values of the columns by their names in the answer. */
export type RawRow = Readonly<Record<string, unknown>>;

/** Asks any database or transaction the query with these values in place of its placeholders. */
export type Written = (db: Database, values?: Values) => Promise<readonly RawRow[]>;

/** Writes a query, with `sql.placeholder(name)` for what differs from call to call. */
export type Writing = (pen: Pick<Database, 'insert' | 'update'>) => SQLWrapper;

const dialect = new PgDialect();
const pen = drizzle.mock();

const write = (build: Writing): Query => dialect.sqlToQuery(build(pen).getSQL());

async function ask(db: Database, query: Query, name: string | undefined, values: Values) {
  const prepared = db._.session.prepareQuery(query, undefined, name, false);
  // Both drivers answer so; drizzle's common type of the two does not know it.
  const { rows } = (await prepared.execute({ ...values })) as { rows: RawRow[] };
  return rows;
}

/**
 * A query by keys, which is best planned one way whatever the values: PostgreSQL keeps its plan for
 * as long as a connection lives, under a name made of the text.
 */
export function writtenOnce(build: Writing): Written {
  let known: { query: Query; name: string } | undefined;
  const make = () => {
    const query = write(build);
    return {
      query,
      name: `kaya_${createHash('sha256').update(query.sql).digest('hex')}`.slice(0, 40),
    };
  };
  return (db, values = {}) => {
    known ??= make();
    return ask(db, known.query, known.name, values);
  };
}

/**
 * Queries that differ by `shape`, of which there are few. Each is planned anew for its values, since
 * these decide how much there is to find.
 */
export function writtenPer<Shape extends string>(
  build: (shape: Shape) => SQLWrapper,
): (shape: Shape, db: Database, values: Values) => Promise<readonly RawRow[]> {
  const known = new Map<Shape, Query>();
  return (shape, db, values) => {
    const query = known.get(shape) ?? write(() => build(shape));
    known.set(shape, query);
    return ask(db, query, undefined, values);
  };
}
