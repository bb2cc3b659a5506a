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

/**
 * Once: PostgreSQL keeps its plan for as long as a connection lives, under a name made of the text.
 * Right where one way is best whatever the values. Each time: where the values decide how much
 * there is to find.
 */
type Planned = 'once' | 'each time';

/** PGlite, which has no connections to keep anything for, takes no notice of the name. */
const nameOf = (query: Query) =>
  `kaya_${createHash('sha256').update(query.sql).digest('hex').slice(0, 32)}`;

export function writtenOnce(build: Writing, planned: Planned = 'once'): Written {
  let known: { query: Query; name: string | undefined } | undefined;
  const write = () => {
    const query = dialect.sqlToQuery(build(pen).getSQL());
    return { query, name: planned === 'once' ? nameOf(query) : undefined };
  };
  return async (db, values = {}) => {
    known ??= write();
    const prepared = db._.session.prepareQuery(known.query, undefined, known.name, false);
    // Both drivers answer so; drizzle's common type of the two does not know it.
    const { rows } = (await prepared.execute({ ...values })) as { rows: RawRow[] };
    return rows;
  };
}

/** Queries that differ by `shape`, of which there are few. */
export function writtenPer<Shape extends string>(
  build: (shape: Shape) => SQLWrapper,
  planned?: Planned,
): (shape: Shape) => Written {
  const known = new Map<Shape, Written>();
  return (shape) => {
    const written = known.get(shape) ?? writtenOnce(() => build(shape), planned);
    known.set(shape, written);
    return written;
  };
}
