/**
 * Queries whose SQL drizzle builds once: for frequent requests, building dominates drizzle's cost.
 */
import { createHash } from 'node:crypto';
import { Column, getTableName, type Query, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { type PgColumn, PgDialect } from 'drizzle-orm/pg-core';
import { drizzle } from 'drizzle-orm/pglite';
import type { Database } from './database.ts';

type Parameters = Readonly<Record<string, unknown>>;

/** A row as the driver returns it: values by column name. */
export type RawRow = Readonly<Record<string, unknown>>;

/** Runs the query on a database or transaction, with values for its placeholders. */
export type PreparedQuery = (db: Database, values?: Parameters) => Promise<readonly RawRow[]>;

/** Builds a query, with `sql.placeholder(name)` for the values that vary. */
export type QueryBuilder = (builder: Pick<Database, 'insert' | 'update'>) => SQLWrapper;

const dialect = new PgDialect();
const builder = drizzle.mock();

/**
 * 'once': PostgreSQL caches the plan, if one suits all values. 'each time': if values decide the
 * row count.
 */
type Planned = 'once' | 'each time';

const nameOf = (query: Query) =>
  `kaya_${createHash('sha256').update(query.sql).digest('hex').slice(0, 32)}`;

export function preparedQuery(build: QueryBuilder, planned: Planned = 'once'): PreparedQuery {
  let known: { query: Query; name: string | undefined } | undefined;
  const write = () => {
    const query = dialect.sqlToQuery(build(builder).getSQL());
    return { query, name: planned === 'once' ? nameOf(query) : undefined };
  };
  return async (db, values = {}) => {
    known ??= write();
    const prepared = db._.session.prepareQuery(known.query, undefined, known.name, false);
    // Both drivers return this; drizzle's common type does not say so.
    const { rows } = (await prepared.execute({ ...values })) as { rows: RawRow[] };
    return rows;
  };
}

/** A family of queries that differ by `shape`; each is built once. */
export function preparedQueryPer<Shape extends string>(
  build: (shape: Shape) => SQLWrapper,
  planned?: Planned,
): (shape: Shape) => PreparedQuery {
  const known = new Map<Shape, PreparedQuery>();
  return (shape) => {
    const query = known.get(shape) ?? preparedQuery(() => build(shape), planned);
    known.set(shape, query);
    return query;
  };
}

type Groups = Record<string, Record<string, PgColumn>>;
type Values<Columns extends Record<string, PgColumn>> = {
  [Name in keyof Columns]: Columns[Name]['_']['notNull'] extends true
    ? Columns[Name]['_']['data']
    : Columns[Name]['_']['data'] | null;
};
export type Selected<G extends Groups> = { [Group in keyof G]: Values<G[Group]> };

/**
 * Columns of joined tables and how to read a row. Drizzle's own mapping looks up each value's
 * column type, which takes longer than the query of a list page.
 */
export interface Selection<G extends Groups> {
  columns: SQL;
  /** Reads a row; an unmatched outer join has only nulls. */
  read(raw: RawRow): Selected<G>;
}

export function selectionOf<G extends Groups>(groups: G): Selection<G> {
  const named = Object.entries(groups).map(([group, columns]) => ({
    group,
    columns: Object.entries(columns).map(([key, column]) => ({
      key,
      column,
      as: `${group}.${key}`,
      isConverted: column.mapFromDriverValue !== Column.prototype.mapFromDriverValue,
    })),
  }));
  const spelled = named.flatMap(({ columns }) =>
    columns.map(({ column, as }) => `"${getTableName(column.table)}"."${column.name}" as "${as}"`),
  );
  const read = (raw: RawRow) => {
    const row: Record<string, Record<string, unknown>> = {};
    for (const { group, columns } of named) {
      const values: Record<string, unknown> = {};
      for (const { key, column, as, isConverted } of columns) {
        const value = raw[as];
        values[key] = isConverted && value !== null ? column.mapFromDriverValue(value) : value;
      }
      row[group] = values;
    }
    return row as Selected<G>;
  };
  return {
    columns: sql.raw(spelled.join(', ')),
    read,
  };
}
